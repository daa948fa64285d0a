"""What a cold stop does to the work in hand: it is broken off where that does no harm, and given back.

Celery's solo pool cannot end a task that it runs itself: being asked to, it throws an error of its own into
whatever the task is doing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery.worker.request import Request

from workers.core.errors import StoppedError
from workers.core.halt import Halt


class _Stop:
    """Whether this process is to stop, and what it has in hand."""

    def __init__(self) -> None:
        self.told = False
        self.halts: list[Halt] = []

    def tell(self) -> None:
        """Have all work broken off, and none begun."""
        self.told = True
        for halt in self.halts:
            halt.call(_stopped())


_stop = _Stop()


def _stopped() -> StoppedError:
    return StoppedError("the worker was stopped")


@contextmanager
def in_hand() -> Iterator[Halt]:
    """The halt of a piece of work that is done in the block."""
    halt = Halt()
    _stop.halts.append(halt)
    if _stop.told:
        halt.call(_stopped())
    try:
        yield halt
    finally:
        _stop.halts.remove(halt)
        halt.close()


class Stoppable(Request):  # type: ignore[misc]  # Celery ships no types
    """A message that a worker is at work on, as Celery sees it."""

    def cancel(self, pool: Any, signal: Any = None, *, emit_retry: bool = True) -> None:
        """The worker stops at once (SIGQUIT)."""
        del pool, signal, emit_retry
        _stop.tell()
