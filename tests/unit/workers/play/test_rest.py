"""When a bot is left to sleep between its turns, and when it is frozen."""

from __future__ import annotations

from typing import Any, cast

import pytest

from workers.play import rest
from workers.play.rest import LOOKS, MAX_STRAYED_NS, Rest
from workers.sandbox.probe import Probe


class Process:
    """A bot of which only is noted whether it is frozen."""

    frozen = waited_for = False

    def probe(self) -> Probe:
        return Probe(call=0)

    def freeze(self) -> None:
        self.frozen = self.waited_for = True

    def stop(self) -> None:
        self.frozen = True

    def thaw(self) -> None:
        self.frozen = False


class Meter:
    """Has measured what the test says."""

    counts = True
    has_answered = 0

    def answered(self) -> None:
        self.has_answered += 1


class Bench:
    """A rest of a bot that is seen to sleep, not to sleep, or to run still (None), one after the other."""

    clock_ns = 1000

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *seen: bool | None) -> None:
        looks = iter(seen)
        monkeypatch.setattr(rest, "sleeps", lambda _: next(looks))
        monkeypatch.setattr(rest, "FALLS_ASLEEP_NS", 0)
        monkeypatch.setattr(rest, "own_ns", lambda _: self.clock_ns)
        self.process, self.meter = Process(), Meter()
        self.rest = Rest(cast("Any", self.process), cast("Any", self.meter))

    def turn(self, strayed_ns: int = 0) -> bool:
        """Let the bot rest after an answer and go on; whether it was frozen meanwhile."""
        self.rest.begin()
        frozen = self.process.frozen
        self.rest.end(strayed_ns)
        assert not self.process.frozen
        return frozen


def test_who_sleeps_is_left_to_sleep_and_who_does_not_is_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked at anew after every turn."""
    bench = Bench(monkeypatch, True, False, True)
    assert [bench.turn(), bench.turn(), bench.turn()] == [False, True, False]


def test_who_still_runs_has_a_moment_to_fall_asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it computes meanwhile is counted from its answer on; who takes too long for it is frozen."""
    bench = Bench(monkeypatch, None, None, True, *[None] * (LOOKS + 1))
    assert [bench.turn(), bench.turn()] == [False, True]
    assert bench.meter.has_answered == 2


def test_who_is_stopped_is_not_waited_for_until_it_is_to_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long turn of its opponent a bot that sleeps is stopped at once, and in a longer one is frozen."""
    bench = Bench(monkeypatch, True, True)
    bench.rest.begin()
    bench.rest.stop()
    assert (bench.process.frozen, bench.process.waited_for) == (True, False)
    bench.rest.stand_still()
    assert bench.process.waited_for
    bench.rest.end()
    assert not bench.turn()


def test_who_stands_still_is_not_frozen_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot is looked at once in a turn of its opponent, be it ever so long, and anew in the next one."""
    bench = Bench(monkeypatch, True, True)
    for _ in range(2):
        bench.rest.begin()
        bench.rest.stand_still()
        assert bench.process.waited_for
        bench.process.waited_for = False
        bench.rest.stand_still()
        assert not bench.process.waited_for
        bench.rest.end()


@pytest.mark.parametrize("long_turn", [False, True])
def test_who_woke_by_itself_is_frozen_ever_after(monkeypatch: pytest.MonkeyPatch, *, long_turn: bool) -> None:
    """It does not matter whether that is seen in its opponent's turn or in its own."""
    bench = Bench(monkeypatch, True)
    bench.rest.begin()
    bench.clock_ns += 1
    if long_turn:
        bench.rest.stop()
        assert bench.process.waited_for
    bench.rest.end()
    assert [bench.turn(), bench.turn()] == [True, True]


def test_who_computes_long_after_its_answer_is_frozen_ever_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """A little is what it takes to fall asleep, more is not."""
    bench = Bench(monkeypatch, True, True)
    assert not bench.turn(MAX_STRAYED_NS)
    assert not bench.turn(MAX_STRAYED_NS + 1)
    assert bench.turn()


def test_where_nothing_is_counted_every_bot_is_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its processor time nobody would know whether it slept."""
    monkeypatch.setattr(Meter, "counts", False)
    bench = Bench(monkeypatch, True)
    assert bench.turn()
