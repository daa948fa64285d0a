"""Breaking work off before its end: nobody wants it any more, its time is over, or the worker is to stop.

Nothing is torn out of what it is doing. Work looks at its halt where it can be left without leaving anything
behind: before each question to a bot, while it waits for an answer, for a core or for a compiler.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from workers.core.errors import HaltError, TimeUpError

LOOKING_SECONDS = 0.1
"""So soon a search is told that it is to end."""


class Halt:
    """Says to one piece of work whether it is to go on. `call` may come from any thread or signal handler."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        self._why: HaltError | None = None
        self._until: float | None = None

    def fileno(self) -> int:
        """A descriptor that can be read from once `call` has been called."""
        return self._reader

    def call(self, why: HaltError) -> None:
        """Have the work broken off; the first reason stays."""
        if self._why is None:
            self._why = why
            os.write(self._writer, b"!")

    @contextmanager
    def until(self, moment: float) -> Iterator[None]:
        """Have what is begun in the block asked nothing more after that moment (`time.monotonic`)."""
        self._until = moment
        try:
            yield
        finally:
            self._until = None

    @property
    def until_ns(self) -> float:
        """From then on nothing more is to be asked (`time.monotonic_ns`); infinite where none is set."""
        return math.inf if self._until is None else self._until * 1e9

    def check(self) -> None:
        """Return if the work is to go on.

        Raises:
            HaltError: it is to be broken off now.
        """
        if self._why is not None:
            raise self._why
        if self._until is not None and time.monotonic() > self._until:
            raise TimeUpError("the time for it is over")

    def close(self) -> None:
        """Give back what it holds open."""
        os.close(self._reader)
        os.close(self._writer)


@contextmanager
def stopping(halt: Halt) -> Iterator[bytearray]:
    """A byte that is set once the work in the block is to be broken off, which compiled code looks at."""
    stop, over = bytearray(1), threading.Event()

    def watch() -> None:
        while not over.wait(LOOKING_SECONDS):
            try:
                halt.check()
            except HaltError:
                stop[0] = 1
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield stop
    finally:
        over.set()
        thread.join()
