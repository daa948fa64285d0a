"""The file of a position that is being solved: from it a run goes on after any end, here or elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from arena.core.words import say
from arena.local.errors import InputError, in_words
from arena.local.held_file import adding, append, cut_off, held_file
from engines.solvers.reversi_work import BoundsError, Job, ReadBounds, Work

LONGEST_LINE = 4096


class BoundsFile:
    """An open file; `kept` is what stood in it. Each answer is in it before `add` returns."""

    def __init__(self, descriptor: int, path: Path, work: Work, kept: ReadBounds) -> None:
        self.kept = kept
        self._work = work
        self._descriptor, self._path = descriptor, path
        self._checksum = kept.checksum

    def add(self, job: Job, bounds: tuple[int, int]) -> None:
        """Write an answer.

        Raises:
            UnwritableError: there is no room.
        """
        text, self._checksum = self._work.line(job, bounds, self._checksum)
        with adding(self._path):
            append(self._descriptor, text)


@contextmanager
def bounds_file(path: Path, work: Work) -> Iterator[BoundsFile]:
    """The file at `path`, made where there is none, and locked for the block.

    Raises:
        InputError: it cannot be gone on from, or not be opened.
        LocalError: another process is at it, or there is no room.
    """
    with held_file(path) as descriptor:
        yield BoundsFile(descriptor, path, work, _kept(descriptor, path, work))


def _kept(descriptor: int, path: Path, work: Work) -> ReadBounds:
    """What stands in the file, whose torn last line is cut off."""
    if os.fstat(descriptor).st_size == 0:
        text, checksum = work.first_line(work.frontier)
        with adding(path):
            append(descriptor, text)
        return ReadBounds(work.frontier, {}, len(text), checksum)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        try:
            kept = work.read(iter(partial(file.readline, LONGEST_LINE), b""))
        except BoundsError as error:
            words = say("{path} cannot be gone on from: {error}", path=path, error=in_words(error))
            raise InputError(words) from None
    cut_off(descriptor, kept.size)
    return kept
