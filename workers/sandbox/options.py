"""The command line of bubblewrap: which namespaces a bot gets, and which file system it finds there."""

from __future__ import annotations

from pathlib import Path

from workers.core.contract import MEGABYTE, Limits
from workers.sandbox.environment import environment
from workers.sandbox.lodging import Lodging
from workers.sandbox.staging import SYSTEM, SYSTEM_FILES

NAMESPACES = ("user", "ipc", "pid", "net", "uts", "cgroup")
DEVICES = ("null", "full", "random", "urandom")
INSIDE = "1000"
HOME = Path("/bot")
TEMPORARY = (Path("/tmp"), Path("/dev/shm"))  # noqa: S108  (the bot's own, in memory)
SMALL = str(MEGABYTE)


def options(lodging: Lodging, limits: Limits) -> list[str]:
    """The options of bubblewrap for one bot.

    Files in memory are only had where they count as the bot's memory, or for a program that has a
    writable folder and so needs somewhere to put what it does not want to keep.
    """
    scratch = limits.disk_mb * MEGABYTE if lodging.counted or lodging.writable else 0
    told = environment(HOME, lodging.program.packages)
    kept = [str(lodging.writable)] if lodging.writable else []
    return [
        *(f"--unshare-{name}" for name in NAMESPACES),
        *("--uid", INSIDE, "--gid", INSIDE, "--hostname", "bot"),
        *("--new-session", "--die-with-parent", "--clearenv"),
        *(word for item in told.items() for word in ("--setenv", *item)),
        *_system(),
        *_devices(),
        *(word for path in (HOME, *TEMPORARY) for word in _scratch(path, scratch)),
        *(word for view in lodging.views for word in ("--ro-bind", str(view.source), str(view.path))),
        *(word for path in kept for word in ("--bind", path, path)),
        *(("--symlink", lodging.program.itself, "/proc/self/exe") if kept and lodging.program.itself else ()),
        *(("--symlink", lodging.program.maps, "/proc/self/maps") if lodging.program.maps else ()),
        *("--remount-ro", "/", "--chdir", *(kept or [str(HOME)])),
    ]


def _system() -> list[str]:
    arguments: list[str] = []
    for path in SYSTEM:
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    for path in SYSTEM_FILES:
        arguments += ["--ro-bind-try", str(path), str(path)]
    return arguments


def _devices() -> list[str]:
    binds = [word for name in DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")]
    return ["--size", SMALL, "--tmpfs", "/dev", *binds, "--dir", "/dev/shm", "--remount-ro", "/dev"]  # noqa: S108


def _scratch(path: Path, size: int) -> list[str]:
    """A folder in memory of that size in bytes; of none, an empty one that cannot be written to."""
    return ["--size", str(size), "--perms", "0700", "--tmpfs", str(path)] if size else ["--dir", str(path)]
