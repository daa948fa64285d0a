"""Stages follow each other, and only the end of a long one is scheduled match by match."""

from __future__ import annotations

import numpy as np
import pytest

from arena.core.terms import Source
from arena.planning.durations import Durations, DurationSample
from arena.planning.stages import completion, joined, stage_of, worst

BOTS = 6


def _durations(uses: list[float], resamples: int = 400) -> Durations:
    evidence = DurationSample(Source.HISTORY, 1, dict.fromkeys(range(BOTS), uses), (0.0,))
    return Durations(evidence, list(range(BOTS)), 1e9, resamples, np.random.default_rng(5))


def _pairs(count: int) -> list[tuple[int, int]]:
    return [(number % BOTS, (number + 1) % BOTS) for number in range(count)]


def test_only_the_end_of_a_stage_is_held() -> None:
    """All matches are counted; who plays in those before the end is, and the end is there in its order."""
    pairs = _pairs(100)
    stage = stage_of(iter(pairs), BOTS, tail=10)
    assert stage.matches == 100
    assert [tuple(pair) for pair in stage.last.tolist()] == pairs[-len(stage.last) :]
    assert 10 <= len(stage.last) < 20
    early = np.bincount(np.array(pairs[: -len(stage.last)]).ravel(), minlength=BOTS)
    assert stage.seats.tolist() == early.tolist()
    assert stage_of([], BOTS).matches == 0


def test_a_stage_waits_for_the_one_before() -> None:
    """On two workers two stages of three matches take two turns each, one stage of six takes three."""
    durations = _durations([1.0])
    two = completion([stage_of(_pairs(3), BOTS)] * 2, durations, 2)
    one = completion([stage_of(_pairs(6), BOTS)], durations, 2)
    assert (two == 8).all()
    assert (one == 6).all()
    assert worst([stage_of(_pairs(3), BOTS)] * 2, 2, 2.0) == 8


def test_busy_workers_begin_later() -> None:
    """The first stage begins when workers are free; with nothing to play it is over when they are."""
    durations = _durations([1.0])
    busy = np.tile([5.0, 1.0], (durations.resamples, 1))
    assert (completion([stage_of(_pairs(2), BOTS)], durations, 2, busy) == 5).all()
    assert (completion([stage_of([], BOTS)], durations, 2, busy) == 5).all()
    assert (completion([], durations, 2, busy) == 5).all()


def test_a_sum_for_the_beginning_is_as_good_as_every_match() -> None:
    """With the first matches drawn as a sum, the end has the same mean and scatter as with each drawn."""
    durations = _durations([1.0, 2.0, 9.0])
    pairs = _pairs(600)
    exact = completion([stage_of(pairs, BOTS, tail=1000)], durations, 3)
    quick = completion([stage_of(pairs, BOTS, tail=50)], durations, 3)
    assert quick.mean() == pytest.approx(exact.mean(), rel=0.02)
    assert quick.std() == pytest.approx(exact.std(), rel=0.25)


@pytest.mark.parametrize("tail", [5, 1000])
def test_stages_are_joined_in_order(tail: int) -> None:
    """A stage made of two has all of their matches, those of the second at the end."""
    first, second = stage_of(_pairs(7), BOTS, tail), stage_of([(2, 4)] * 30, BOTS, tail)
    both = joined(first, second)
    assert both.matches == 37
    assert both.last.tolist()[-len(second.last) :] == second.last.tolist()
    played = both.seats + np.bincount(both.last.ravel(), minlength=BOTS)
    assert played.sum() == 74
