"""One processor core for each match: both bots and their referee are on it, and no other match is.

On one core a question and its answer pass ten times as fast as between two, and a match takes nothing from
another one's clocks. A core belongs to whoever holds the lock on its file; the files are in a folder that all
workers of a host share, so that workers of several arenas share its cores too.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

import structlog

PAUSE_S = 0.05
SHARED_FOLDER = 0o1777
SHARED_FILE = 0o666

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
def reserved_core(folder: Path, most: int | None = None) -> Iterator[int | None]:
    """Keep this thread, and every process that it starts, on a core of its own; its number, if there is one.

    Waits while other matches have all cores that there are for matches.

    Raises:
        OSError: the locks in `folder` cannot be used.
    """
    cores = match_cores(most)
    if not cores:
        yield None
        return
    lock, core = _wait_for_one(folder, cores)
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {core})
        yield core
    finally:
        os.sched_setaffinity(0, before)
        os.close(lock)


def _wait_for_one(folder: Path, cores: list[int]) -> tuple[int, int]:
    _make_shared(folder)
    told = False
    while True:
        for core in cores:
            lock = _locked(folder / f"core{core}")
            if lock is not None:
                return lock, core
        if not told:
            log.info("waiting for a core", cores=cores)
            told = True
        time.sleep(PAUSE_S)


def _make_shared(folder: Path) -> None:
    with contextlib.suppress(FileExistsError):
        folder.mkdir(parents=True)
        folder.chmod(SHARED_FOLDER)


def _locked(path: Path) -> int | None:
    """The lock on that file, if nobody has it."""
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        file = os.open(path, flags)
    except FileNotFoundError:
        file = os.open(path, flags | os.O_CREAT, SHARED_FILE)
        os.fchmod(file, SHARED_FILE)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file
