"""A clock that tests move, and waiting for what comes by itself."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 600.0
"""Far more than anything takes that is waited for; only there to end it."""
PAUSE_SECONDS = 0.05


class Clock:
    """Seconds that pass when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def eventually(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until `condition` holds; fail with its name when it does not in so many seconds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"waited {seconds:.0f} s in vain for {condition}"
        time.sleep(PAUSE_SECONDS)
