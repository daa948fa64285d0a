"""One processor core for each match: both bots and their referee are on it, and no other match is.

On one core a question and its answer pass ten times as fast as between two, and a match takes nothing from
another one's clocks. A core belongs to whoever holds the locks on its files. Those of one folder hold among
the workers of one arena; those of another are seen by the arenas of all users of the host.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import structlog

from engines.locking import try_lock
from workers.core.halt import Halt
from workers.core.scratch import OPEN_FOLDER, close_folder

PAUSES_SECONDS = 0.001, 0.05
"""Between two looks for a core, the first of which come soon after another: a match may be as short."""
FIRST_PATIENCE_SECONDS, MAX_PATIENCE_SECONDS = 10.0, 60.0
SHARED_FOLDER = 0o1777
SHARED_FILE = 0o644
"""Enough for everybody to lock it, and for nobody else to write to it."""
OPEN_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC

log = structlog.get_logger()


def match_cores(most: int | None = None) -> list[int]:
    """The cores of this process that matches may have: at most `most`, else all but the lowest of several.

    Where the system keeps processes on no core there are none.
    """
    if not hasattr(os, "sched_getaffinity"):
        return []
    cores = sorted(os.sched_getaffinity(0), reverse=True)
    return cores[: max(1, len(cores) - 1 if most is None else most)]


@contextlib.contextmanager
def spare_cores(most: int | None = None) -> Iterator[None]:
    """Keep this thread, and every process that it starts, off the cores that matches may have.

    Where matches may have them all there is no other place, and where the system keeps processes on no core
    they are left alone.
    """
    before = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
    spare = before - set(match_cores(most))
    if not spare:
        yield
        return
    try:
        os.sched_setaffinity(0, spare)
        yield
    finally:
        os.sched_setaffinity(0, before)


def open_shared(path: Path) -> int:
    """A descriptor of a folder that all users of this host can lock files in, made if it is not there.

    Raises:
        OSError: it cannot be made or opened.
    """
    with contextlib.suppress(FileExistsError):
        path.mkdir(parents=True)
        path.chmod(SHARED_FOLDER)
    return os.open(path, OPEN_FOLDER)


class _Held(NamedTuple):
    """A core, and the locks on it; with `alone`, no lock on it that other users would see."""

    core: int
    locks: tuple[int, ...]
    alone: bool


class Cores:
    """The cores of this host that matches may have: at most `most`, else all but one.

    The locks in `own`, a folder of this user alone, hold among all who use that folder. Those in `shared` are
    for other users' arenas too, and any user could hold one for ever. So a core that only others have is
    waited for no longer than this process's last match had one: with a lock nobody can take more from it
    than with a program that computes all the time.
    """

    def __init__(self, own: Path, shared: Path, most: int | None = None) -> None:
        self._cores = match_cores(most)
        self._own, self._shared = own, shared
        self._patience_seconds = FIRST_PATIENCE_SECONDS

    @contextlib.contextmanager
    def reserved(self, halt: Halt | None = None) -> Iterator[int | None]:
        """Keep this thread, and all processes that it starts, on a core of its own; which one, if any.

        Waits while other matches have all cores that there are for matches.

        Raises:
            ForeignFolderError, OSError: the locks in `own` cannot be used.
            HaltError: `halt` ended the wait.
        """
        if not self._cores:
            yield None
            return
        held = self._wait_for_one(halt)
        before, began = os.sched_getaffinity(0), time.monotonic()
        try:
            os.sched_setaffinity(0, {held.core})
            yield held.core
        finally:
            os.sched_setaffinity(0, before)
            _let_go(held)
            self._patience_seconds = min(time.monotonic() - began, MAX_PATIENCE_SECONDS)

    def _wait_for_one(self, halt: Halt | None) -> _Held:
        close_folder(self._own)
        own, (shared, patience_seconds) = os.open(self._own, OPEN_FOLDER), self._open_shared()
        try:
            since, told, pause = math.inf, False, PAUSES_SECONDS[0]
            while True:
                held = self._free_one(own, shared)
                now = time.monotonic()
                since = min(since, now) if held else math.inf
                if held and (not held.alone or now - since >= patience_seconds):
                    return held
                _let_go(held)
                if halt:
                    halt.check()
                if not told:
                    log.info("waiting for a core", cores=self._cores)
                    told = True
                time.sleep(pause)
                pause = min(2 * pause, PAUSES_SECONDS[1])
        finally:
            for folder in (own, shared):
                if folder is not None:
                    os.close(folder)

    def _open_shared(self) -> tuple[int | None, float]:
        """The folder that all users share, if there is one, and for how long to wait for a core of others.

        A folder that is closed to others is waited for without end: nobody can hold its locks but us.
        """
        try:
            folder = open_shared(self._shared)
        except OSError as error:
            log.warning("cores are not shared with other users", folder=str(self._shared), error=str(error))
            return None, 0.0
        status = os.fstat(folder)
        ours = status.st_uid == os.geteuid() and not status.st_mode & 0o077
        return folder, math.inf if ours else self._patience_seconds

    def _free_one(self, own: int, shared: int | None) -> _Held | None:
        """A core that nobody has, else one that only other users have, if there is any."""
        second: _Held | None = None
        for core in self._cores:
            lock = _locked(own, f"core{core}")
            if lock is None:
                continue
            with contextlib.suppress(OSError):  # a stranger's file that we may not even open
                other = None if shared is None else _locked(shared, f"core{core}")
                if other is not None:
                    _let_go(second)
                    return _Held(core, (lock, other), alone=False)
            if second is None:
                second = _Held(core, (lock,), alone=True)
            else:
                os.close(lock)
        return second


def _let_go(held: _Held | None) -> None:
    for lock in held.locks if held else ():
        os.close(lock)


def _made(folder: int, name: str) -> int:
    """That file of a folder, which another process may be making at the same moment."""
    try:
        file = os.open(name, OPEN_FILE | os.O_CREAT | os.O_EXCL, SHARED_FILE, dir_fd=folder)
    except FileExistsError:
        return os.open(name, OPEN_FILE, dir_fd=folder)
    os.fchmod(file, SHARED_FILE)
    return file


def _locked(folder: int, name: str) -> int | None:
    """The lock on that file of a folder, if nobody has it."""
    try:
        file = os.open(name, OPEN_FILE, dir_fd=folder)
    except FileNotFoundError:
        file = _made(folder, name)
    if try_lock(file):
        return file
    os.close(file)
    return None
