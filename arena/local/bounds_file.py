"""The file of a position that is being solved: from it a run goes on after any end, here or elsewhere."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from arena.core.words import say
from arena.local.errors import InputError, LocalError
from engines.locking import try_lock
from engines.solvers.reversi_work import BoundsError, Job, Kept, Work

LONGEST_LINE = 4096


class BoundsFile:
    """An open file; `kept` is what stood in it. Each answer is in it before `add` returns."""

    def __init__(self, descriptor: int, work: Work, kept: Kept) -> None:
        self.kept = kept
        self._work = work
        self._descriptor = descriptor
        self._checksum = kept.checksum

    def add(self, job: Job, bounds: tuple[int, int]) -> None:
        """Write an answer.

        Raises:
            OSError: there is no room.
        """
        text, self._checksum = self._work.line(job, bounds, self._checksum)
        _write(self._descriptor, text)


@contextmanager
def bounds_file(path: Path, work: Work) -> Iterator[BoundsFile]:
    """The file at `path`, made where there is none, and locked for the block.

    Raises:
        InputError: it cannot be gone on from, or not be opened.
        LocalError: another process is at it.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise InputError(
            say("{path} cannot be written: {strerror}", path=path, strerror=error.strerror)
        ) from None
    try:
        if not try_lock(descriptor):
            raise LocalError(say("another process goes on from {path}", path=path))
        yield BoundsFile(descriptor, work, _kept(descriptor, path, work))
    finally:
        os.close(descriptor)


def _kept(descriptor: int, path: Path, work: Work) -> Kept:
    """What stands in the file, whose torn last line is cut off."""
    if os.fstat(descriptor).st_size == 0:
        text, checksum = work.first_line(work.frontier)
        _write(descriptor, text)
        return Kept(work.frontier, {}, len(text), checksum)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        try:
            kept = work.read(iter(partial(file.readline, LONGEST_LINE), b""))
        except BoundsError as error:
            raise InputError(say("{path} cannot be gone on from: {error}", path=path, error=error)) from None
    os.ftruncate(descriptor, kept.size)
    os.lseek(descriptor, kept.size, os.SEEK_SET)
    return kept


def _write(descriptor: int, text: bytes) -> None:
    if os.write(descriptor, text) < len(text):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
