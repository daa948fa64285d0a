"""How often somebody may ask, by a clock that is moved."""

from __future__ import annotations

import pytest

from arena.web.http import rates
from arena.web.http.rates import Rates
from tests.waiting import Clock


def test_a_minutes_worth_at_once_and_then_as_it_comes_back() -> None:
    """Sixty a minute are sixty at once and one a second; who waits as long as is said may ask again."""
    clock = Clock()
    counted = Rates(clock)
    assert [counted.take({"red": 60}) for _ in range(60)] == [0] * 60
    assert counted.take({"red": 60}) == pytest.approx(1.0)
    assert counted.take({"blue": 60}) == 0
    clock.now += 1.0
    assert counted.take({"red": 60}) == 0
    assert counted.take({"red": 60}) == pytest.approx(1.0)
    clock.now += 3600
    assert [counted.take({"red": 60}) for _ in range(60)] == [0] * 60
    assert counted.take({"red": 60}) > 0


def test_what_was_refused_counts_for_nobody() -> None:
    """A token that has used up its own takes nothing from its address."""
    counted = Rates(Clock())
    asked = [counted.take({"token": 2, "address": 5}) for _ in range(50)]
    assert [wait > 0 for wait in asked] == [False] * 2 + [True] * 48
    assert [counted.take({"address": 5}) > 0 for _ in range(4)] == [False] * 3 + [True]


def test_none_a_minute_is_no_limit() -> None:
    """Nothing is counted or kept then."""
    counted = Rates(Clock())
    assert not any(counted.take({"red": 0}) for _ in range(1000))


def test_strangers_cannot_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more than are kept those go first to whom all has come back, then who has not asked for longest."""
    monkeypatch.setattr(rates, "MAX_KEPT", 100)
    clock = Clock()
    counted = Rates(clock)
    for number in range(1000):
        counted.take({f"stranger {number}": 60, "known": 600})
    assert len(counted._until) <= 100
    assert "known" in counted._until
    clock.now += 3600
    for number in range(200):
        counted.take({f"other {number}": 60})
    assert not any(key.startswith("stranger") for key in counted._until)
