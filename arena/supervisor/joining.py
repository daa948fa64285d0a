"""A worker host whose processes systemd runs: what they are told, their user, and their units."""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.core.private_file import write_private
from arena.core.worker_environment import as_lines, check_told
from arena.supervisor.defaults import default_workers
from workers.core.enrolment import ARENA, OWN
from workers.programs.serving import REPEATS, SOLVES, TRAININGS

USER = "arena-worker"
ENVIRONMENT = "environment"
HOME = Path("/var/lib/arena/worker")
"""Where the units look for keys and for what they are told."""
UNITS = Path(__file__).with_name("systemd")
SLOT, CHECKER, ALL = "arena-worker@.service", "arena-checker.service", "arena-workers.target"
PROGRAMS = "/opt/arena/bin/"
"""Where the units' programs are as they stand here."""
NEEDED = ("ARENA_BROKER_URL", "ARENA_ARCHIVE_URL")
MORE_QUEUES = "MORE_QUEUES"
"""What the units' slots take besides, which only hosts do that are trusted: each after a comma."""
HOMES = (Path("/home"), Path("/root"))
"""What the units do not see."""


def keep_told(folder: Path, told: Mapping[str, str], *, trusted: bool) -> None:
    """Write what the arena has told beside the key, for nobody else to read; what was written by hand stays.

    A host that is trusted plays matches of others again, and searches positions of games that are solved,
    and learns.

    Raises:
        SettingsError: it told what is not for workers.
        OSError: it cannot be written.
    """
    check_told(told)
    if told:
        more = {MORE_QUEUES: f",{REPEATS},{SOLVES},{TRAININGS}"} if trusted else {}
        write_private(folder / ENVIRONMENT, as_lines({**told, **more}).encode())


def lacking(folder: Path) -> list[str]:
    """What no worker goes without and nobody has written beside the key."""
    file = folder / ENVIRONMENT
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    there = {line.partition("=")[0] for line in lines}
    return [f"{name} in {file}" for name in NEEDED if name not in there]


@dataclass(frozen=True)
class Installation:
    """The units of a host that has joined, with so many slots for matches, or as many as there are.

    `root` is where systemd looks.
    """

    keys: Path
    slots: int | None
    root: Path = Path("/")
    home: Path = HOME
    programs: Path = Path(sys.executable).parent

    def run(self) -> tuple[list[str], list[str]]:
        """Install and start them; what was done and what is missing, in words. It may be done again."""
        if lacks := self._lacks():
            return [], lacks
        done: list[str] = []
        steps = self._make_user, self._give_keys, self._write_units, self._start
        try:
            done.extend(step() for step in steps)
        except (OSError, subprocess.CalledProcessError) as error:
            why = getattr(error, "stderr", "").strip() or str(error)
            return done, [f"{why}; then `arena worker install` goes on"]
        return done, []

    def _lacks(self) -> list[str]:
        """Why nothing can be installed."""
        lacks = lacking(self.keys)
        if os.geteuid():
            return [*lacks, "the service, which only root can install: `sudo arena worker install`"]
        if not (self.root / "run/systemd/system").is_dir():
            return [*lacks, f"systemd; start the workers by hand, as a user who can read {self.keys}"]
        if self.keys != self.home:
            lacks.append(f"the units look for keys in {self.home}, not in {self.keys}: unset ARENA_KEY_DIR")
        if any(self.programs.is_relative_to(each) for each in HOMES):
            lacks.append(f"an arena that {USER} can read: install it in /opt/arena, not in {self.programs}")
        return lacks

    def _make_user(self) -> str:
        try:
            pwd.getpwnam(USER)
        except KeyError:
            _do("useradd", "--system", "--home-dir", str(self.home), "--shell", "/usr/sbin/nologin", USER)
            return f"the user {USER}"
        return f"the user {USER} was there"

    def _give_keys(self) -> str:
        user = pwd.getpwnam(USER)
        for name in (".", OWN, ARENA, ENVIRONMENT):
            with suppress(FileNotFoundError):
                _give(self.keys / name, user)
        return f"{self.keys} is {USER}'s"

    def _write_units(self) -> str:
        folder = self.root / "etc/systemd/system"
        for name in (SLOT, CHECKER, ALL):
            text = (UNITS / name).read_text(encoding="utf-8")
            (folder / name).write_text(text.replace(PROGRAMS, f"{self.programs}/"), encoding="utf-8")
        return f"units in {folder}"

    def _start(self) -> str:
        there = self._there()
        slots = self.slots or len(there) or default_workers()
        stem, _, ending = SLOT.partition("@")
        units = [*(f"{stem}@{number}{ending}" for number in range(1, slots + 1)), CHECKER]
        _do("systemctl", "daemon-reload")
        if surplus := [each for each in there if each not in units]:
            _do("systemctl", "disable", "--now", *surplus)
        _do("systemctl", "enable", ALL, *units)
        _do("systemctl", "restart", ALL, *units)
        return f"{slots} slots and a checker run; `systemctl status 'arena-*'` shows them"

    def _there(self) -> list[str]:
        """The slots that there were before."""
        wanted = self.root / "etc/systemd/system" / f"{ALL}.wants"
        return sorted(each.name for each in wanted.glob("arena-worker@*.service"))


def _give(path: Path, user: pwd.struct_passwd) -> None:
    """Make a file or a folder somebody's, whose links in what is theirs already lead to nothing else.

    Raises:
        OSError: it is a link, or one of several to a file.
    """
    if path.is_symlink():
        raise OSError(f"{path} is a link: remove it")
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISDIR(found.st_mode) and found.st_nlink != 1:
            raise OSError(f"{path} is a link: remove it")
        os.fchown(descriptor, user.pw_uid, user.pw_gid)
    finally:
        os.close(descriptor)


def _do(*command: str) -> None:
    """Run a program of the system.

    Raises:
        OSError: it is not there.
        CalledProcessError: it failed.
    """
    subprocess.run(command, check=True, capture_output=True, text=True)
