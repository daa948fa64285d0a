"""What a worker does with the work in hand when it is told to stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from workers.core.errors import StoppedError
from workers.host import stopping


class Timer:
    """A timer that a test lets go off."""

    made: list[Timer]

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self.seconds, self.act = seconds, act
        self.daemon = False
        self.started = False
        Timer.made.append(self)

    def start(self) -> None:
        """Begin to wait."""
        self.started = True


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody was told to stop yet."""
    Timer.made = []
    monkeypatch.setattr(stopping, "_stop", stopping._Stop())
    monkeypatch.setattr("workers.host.stopping.threading.Timer", Timer)


def test_work_may_end_within_the_limit(environment: Any) -> None:
    """Told to stop, a worker goes on with what it has in hand until the limit, and breaks it off then."""
    environment(drain_seconds="45")
    with stopping.in_hand() as halt:
        stopping.end_in_time("Warm")
        halt.check()
        (timer,) = Timer.made
        assert (timer.seconds, timer.started, timer.daemon) == (45, True, True)
        timer.act()
        with pytest.raises(StoppedError):
            halt.check()


def test_without_a_limit_work_is_broken_off_at_once(environment: Any) -> None:
    """With 0 seconds nobody waits, and what comes afterwards is not begun."""
    environment(drain_seconds="0")
    with stopping.in_hand() as halt:
        stopping.end_in_time("Warm")
        with pytest.raises(StoppedError):
            halt.check()
    with stopping.in_hand() as halt, pytest.raises(StoppedError):
        halt.check()
    assert Timer.made == []


def test_a_cold_stop_is_anothers(environment: Any) -> None:
    """A stop at once is told to the message that is at work, which has no limit."""
    environment(drain_seconds="45")
    with stopping.in_hand() as halt:
        stopping.end_in_time("Cold")
        halt.check()
    assert Timer.made == []
