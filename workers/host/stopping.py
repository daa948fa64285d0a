"""What a stop does to the work in hand: it is broken off where that does no harm, and given back.

Told to stop at once (SIGQUIT) a worker does so; told to stop (SIGTERM) it takes nothing new and first has
some time to end what it has in hand.

Celery's solo pool cannot end a task that it runs itself: being asked to, it throws an error of its own into
whatever the task is doing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery.signals import worker_shutting_down
from celery.worker.request import Request

from workers.core.errors import StoppedError
from workers.core.halt import Halt
from workers.core.settings import get_settings

WARM = "Warm"
"""What Celery calls a stop that waits for the task in hand."""


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


@worker_shutting_down.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def end_in_time(how: str, **_: Any) -> None:
    """Have what is in hand broken off when its time is over; a cold stop does so at once (`Stoppable`)."""
    if how != WARM:
        return
    seconds = get_settings().drain_seconds
    if seconds == 0:
        _stop.tell()
        return
    timer = threading.Timer(seconds, _stop.tell)
    timer.daemon = True
    timer.start()


class Stoppable(Request):  # type: ignore[misc]  # Celery ships no types
    """A message that a worker is at work on, as Celery sees it."""

    def cancel(self, pool: Any, signal: Any = None, *, emit_retry: bool = True) -> None:
        """The worker stops at once (SIGQUIT)."""
        del pool, signal, emit_retry
        _stop.tell()
