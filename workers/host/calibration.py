"""How fast a host is: a fixed piece of work, timed. No match is played where every bot would be slow."""

from __future__ import annotations

import time
from functools import cache

from workers.core.errors import TooSlowError

ROUNDS = 7
STEPS = 100_000
REFERENCE_NS = 10_000_000
"""What the work takes a machine of speed 1: a server's core of about the year 2023."""


@cache
def speed() -> float:
    """The speed of this host, measured once: 1 is the reference, 0.5 takes twice as long.

    The quickest of several rounds counts, in processor time, so that whatever else the host has to do at the
    moment does not show.
    """
    return round(REFERENCE_NS / min(_round_ns() for _ in range(ROUNDS)), 3)


def check_speed(least: float) -> float:
    """The speed of this host.

    Raises:
        TooSlowError: it is below `least`.
    """
    measured = speed()
    if measured < least:
        raise TooSlowError(
            f"this host has speed {measured:g}, matches need at least {least:g} (1 is a server's core of"
            f" 2023); play them on a faster one, or set ARENA_LEAST_SPEED lower"
        )
    return measured


def _round_ns() -> int:
    start = time.thread_time_ns()
    value = 1
    for _ in range(STEPS):
        value = (value * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % (1 << 64)
    return max(1, time.thread_time_ns() - start)
