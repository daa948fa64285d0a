"""How well this machine can confine bots, and what would make it do better."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from arena.supervisor.finding import Finding

INSTALL = "install bubblewrap (`apt-get install bubblewrap`)"
CONTAINER = (
    "start the container with the seccomp profile deploy/containers/seccomp.json, and without --privileged"
)
SWITCHES = {
    "/proc/sys/user/max_user_namespaces": ("0", "sysctl -w user.max_user_namespaces=10000"),
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give bwrap an AppArmor profile",
    ),
}
"""What keeps a user from making namespaces: the file, its value then, and how to change it."""

DELEGATE = "`systemd-run --user --scope -p Delegate=yes arena up`, or as root a service with Delegate=yes"
WANTED = ("memory", "pids", "cpu")


def confinement() -> Finding:
    """Which level bots are confined at."""
    from workers.core.errors import LaunchError, NoConfinementError  # noqa: PLC0415  (pydantic, for this check only)
    from workers.sandbox.levels import LEVELS, NONE, find_confinement, level_in_use, trouble_with  # noqa: PLC0415  (likewise)

    try:
        level = level_in_use()
        find_confinement(level)
    except NoConfinementError as error:
        return Finding("confinement", "fail", str(error), _remedy())
    except LaunchError as error:
        return Finding("confinement", "fail", str(error), "see to that, and ask again")
    best = next(iter(LEVELS))
    if level == NONE:
        return Finding(
            "confinement", "warn", "switched off: bots can do what you can", "unset ARENA_CONFINEMENT"
        )
    if level == best:
        return Finding("confinement", "ok", level)
    lacking = trouble_with(best)
    if lacking is None:
        return Finding("confinement", "warn", f"{level}, as asked for", "unset ARENA_CONFINEMENT")
    return Finding("confinement", "warn", f"{level} ({best}: {lacking})", _remedy())


def environments() -> Finding:
    """The packages that Python bots find."""
    from workers.core.errors import LaunchError  # noqa: PLC0415  (pydantic, for this check only)
    from workers.core.settings import get_settings  # noqa: PLC0415  (likewise)
    from workers.programs.environments import environments, trouble_with  # noqa: PLC0415  (likewise)
    from workers.sandbox.levels import ByTrust  # noqa: PLC0415  (likewise)

    python, here = tuple(shlex.split(get_settings().bot_python)), environments()
    try:
        troubles = [trouble for each in here if (trouble := trouble_with(each, ByTrust(), python))]
    except LaunchError as error:
        return Finding("environments", "warn", str(error), "see to that, and ask again")
    if troubles:
        return Finding("environments", "warn", "; ".join(troubles), "build it again, or remove it")
    found = "; ".join(f"{each.name}: {each.told}" for each in here if each.is_current)
    return Finding("environments", "ok", found or "none, so Python bots find no packages")


def control_groups() -> Finding:
    """What bounds all of a bot's processes together."""
    from workers.sandbox.levels import usable_host  # noqa: PLC0415  (pydantic, for this check only)

    host = usable_host()
    have = [name for name in WANTED if host.has(name)] + (["freezer"] if host.freezes else [])
    if host.has("memory") and host.has("pids"):
        return Finding("control groups", "ok", ", ".join(have))
    usable = f"only {', '.join(have)}" if have else "none that this user may use"
    without = "so a bot is one process without a scratch folder" if not host.has("memory") else ""
    return Finding("control groups", "warn", ", ".join(filter(None, (usable, without))), DELEGATE)


def _remedy() -> str:
    """What to do first, so that bubblewrap works here."""
    if shutil.which("bwrap") is None:
        return INSTALL
    for path, (bad, remedy) in SWITCHES.items():
        if _content(Path(path)) == bad:
            return remedy
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return CONTAINER
    if os.geteuid() == 0:
        return "run the arena as an ordinary user, or give it the capabilities SETUID and SETGID"
    return "ask whoever looks after this machine to let users make namespaces"


def _content(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
