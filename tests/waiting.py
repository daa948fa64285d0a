"""A clock that tests move, and waiting for what comes by itself."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from typing import Any

PATIENCE_SECONDS = 600.0
"""Far more than anything takes that is waited for; only there to end it."""
PAUSE_SECONDS = 0.05


class Clock:
    """Seconds that pass when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


class _Moving(selectors.DefaultSelector):
    """Waits for nothing: where somebody would, as much time has passed. For one thread alone."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> Any:
        """What is ready; the time until then passes at once."""
        self._clock.now += timeout or 0.0
        ready = super().select(0)
        assert ready or timeout is not None, "somebody waits for what nobody does"
        return ready


def at_once(work: Coroutine[Any, Any, None]) -> None:
    """Run what waits for time only: it passes as soon as nothing else is to be done."""
    clock = Clock()

    def made() -> asyncio.SelectorEventLoop:
        loop = asyncio.SelectorEventLoop(_Moving(clock))
        loop.time = clock  # type: ignore[method-assign]
        return loop

    with asyncio.Runner(loop_factory=made) as runner:
        runner.run(work)


def eventually(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until `condition` holds; fail with its name when it does not in so many seconds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"waited {seconds:.0f} s in vain for {condition}"
        time.sleep(PAUSE_SECONDS)
