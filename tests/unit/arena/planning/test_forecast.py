"""A forecast is in order, gets no worse with more workers, and its interval holds what comes out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from arena.core.terms import CONFIDENCE, Source
from arena.planning.assumed import of_matches
from arena.planning.durations import DurationSample
from arena.planning.forecast import Resources, Span, forecast, mean_match, rest_of
from arena.planning.monte_carlo import at_the_start
from arena.planning.scheduling import makespans
from arena.planning.stages import stage_of
from arena.theory.pairing.formats import find_format

EVIDENCE = DurationSample(Source.HISTORY, 9, {1: [2.0, 5.0], 2: [1.0, 1.5, 9.0], 3: [4.0]}, (0.5, 1.0))
CREW = Resources(3, 25.0)
FORMATS = [("round_robin", 1), ("swiss", 0), ("knockout", 1), ("groups", 0)]


@pytest.mark.parametrize(("name", "openings"), FORMATS)
def test_a_forecast_is_in_order(name: str, openings: int) -> None:
    """Least, mean and most matches, the interval around the mean, and the worst case: none overtakes."""
    found = forecast(find_format(name, {}, openings), at_the_start(9), [1, 2, 3] + [None] * 6, EVIDENCE, CREW)
    assert found.matches.least <= found.matches.expected <= found.matches.most
    assert found.span.low <= found.span.expected <= found.span.high <= found.worst


@pytest.mark.parametrize(("name", "openings"), FORMATS)
def test_more_workers_never_take_longer(name: str, openings: int) -> None:
    """With the same resamples every number of the forecast stays or falls with each worker more."""
    fmt = find_format(name, {}, openings)
    found = [
        forecast(fmt, at_the_start(9), [None] * 9, EVIDENCE, Resources(workers, 25.0))
        for workers in (1, 2, 3, 50)
    ]
    for fewer, more in pairwise(found):
        assert all(a >= b for a, b in zip(fewer.span, more.span, strict=True))
        assert fewer.worst >= more.worst
        assert fewer.matches == more.matches


def test_the_same_question_has_the_same_answer() -> None:
    """Nothing is left to chance between two forecasts."""
    fmt = find_format("knockout", {}, 1)
    one, other = (forecast(fmt, at_the_start(9), [None] * 9, EVIDENCE, CREW) for _ in range(2))
    assert one == other


def test_matches_without_doubt_have_an_exact_forecast() -> None:
    """Ten equal matches of four seconds take twelve seconds on four workers, and no interval is needed."""
    sure = DurationSample(Source.HISTORY, 5, {1: [1.5] * 3}, (1.0,))
    found = forecast(find_format("round_robin"), at_the_start(5), [1] * 5, sure, Resources(4, 6.0))
    assert found.span == Span(12, 12, 12)
    assert found.worst == 18
    assert mean_match([1] * 5, sure, Resources(4, 6.0)) == 4


BOTS, WORKERS, WORLDS = 8, 3, 60


def _world(seed: int) -> bool:
    """Half of a double round robin is played; whether the interval for the rest holds what it then takes.

    Every bot has a pace of its own, and its games scatter around it.
    """
    random = np.random.default_rng(seed)
    pace = random.lognormal(0, 1, BOTS)
    pairs = [(one, other) for one in range(BOTS) for other in range(BOTS) if one != other]
    random.shuffle(pairs)
    uses = np.array([[pace[bot] * random.gamma(4, 0.25) for bot in pair] for pair in pairs])
    rest = random.uniform(0.1, 0.3, len(pairs))
    took = uses.sum(axis=1) + rest
    half = len(pairs) // 2
    known = of_matches(
        Source.TOURNAMENT,
        [(*pairs[n], float(uses[n, 0]), float(uses[n, 1]), float(took[n])) for n in range(half)],
    )
    assert known is not None
    left = [stage_of(pairs[half:], BOTS)]
    span = rest_of(lambda _: left, list(range(BOTS)), known, Resources(WORKERS, 1e9))
    return bool(span.low <= makespans(took[None, half:], WORKERS)[0] <= span.high)


def test_the_interval_holds_what_it_says() -> None:
    """In a study of seeded tournaments the interval holds the end about as often as it claims."""
    held = sum(map(_world, range(WORLDS))) / WORLDS
    assert CONFIDENCE - 0.12 <= held <= 1


def test_matches_that_are_running_count_for_what_is_left_of_them() -> None:
    """Two matches that have gone on for one of four seconds end in three, each on a worker of its own."""
    sure = DurationSample(Source.HISTORY, 5, {1: [1.5] * 3}, (1.0,))
    running = [(0, 0, 1.0), (0, 0, 1.0)]
    span = rest_of(lambda _: [stage_of([(0, 0)], 1)], [1], sure, Resources(2, 6.0), running=running)
    assert span == Span(7, 7, 7)
    one = rest_of(lambda _: [], [1], sure, Resources(1, 6.0), running=running)
    assert one == Span(6, 6, 6)
