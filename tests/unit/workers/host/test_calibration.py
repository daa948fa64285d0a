"""A host's speed, and what is refused for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from workers.core.errors import TooSlowError
from workers.host import beginning, calibration


def test_the_speed_is_measured_once_and_compares_with_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quickest round counts: half the reference's time is twice its speed, and slow rounds do no harm."""
    rounds = iter([calibration.REFERENCE_NS * 9, calibration.REFERENCE_NS // 2] + [10**12] * 5)
    monkeypatch.setattr(calibration, "_round_ns", lambda: next(rounds))
    calibration.speed.cache_clear()
    try:
        assert calibration.speed() == calibration.speed() == 2
    finally:
        calibration.speed.cache_clear()


def test_work_is_really_done() -> None:
    """The measured speed is a plain number that no host is a thousand times off from."""
    calibration.speed.cache_clear()
    assert math.isfinite(calibration.speed())
    assert 0.001 < calibration.speed() < 1000


def test_a_host_that_is_too_slow_is_refused(
    monkeypatch: pytest.MonkeyPatch, environment: Callable[..., None]
) -> None:
    """Below the least speed the error says both figures; the worker does not start, and says why."""
    monkeypatch.setattr(calibration, "speed", lambda: 0.04)
    with pytest.raises(TooSlowError, match=r"speed 0\.04, matches need at least 0\.1 .*ARENA_LEAST_SPEED"):
        calibration.check_speed(0.1)
    assert calibration.check_speed(0.01) == 0.04
    environment(least_speed="0.1")
    with pytest.raises(SystemExit, match=r"speed 0\.04"):
        beginning._begin(SimpleNamespace(hostname="slot1@pc-7"))
