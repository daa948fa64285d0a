"""How an experiment's result came about: what its first games came to, at some of the points on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.theory.statistics.intervals import Method
from arena.theory.statistics.scores import Estimate, score_estimate
from workers.simulation.contract import SimulationSpec, Tally

MAX_POINTS = 64
"""Where there would be more, every second one is left out: they stay spread over all games."""


class Point(NamedTuple):
    """The first player's mean score in the first `games` games."""

    games: int
    score: Estimate


def extended(course: Sequence[Sequence[int]], tally: Tally) -> list[list[int]]:
    """The course with one more point: wins, draws and losses of the first player, and its pairs."""
    longer = [*map(list, course), [*tally.wins_draws_losses, *tally.pairs]]
    return longer if len(longer) <= MAX_POINTS else longer[::-2][::-1]


def points(
    spec: SimulationSpec, course: Sequence[Sequence[int]], confidence: float, method: Method
) -> list[Point]:
    """The points of a course, with the intervals that the experiment has."""
    told = []
    for wins, draws, losses, *pairs in course:
        counts = (wins, draws, losses)
        estimate = score_estimate(counts, pairs if spec.paired else (), confidence, method)
        told.append(Point(sum(counts), estimate))
    return told
