"""A rating that every game moves as it is recorded: for the live ladder, and dependent on their order.

R. C. Weng and C.-J. Lin, *A Bayesian approximation method for online ranking*, Journal of Machine Learning
Research 12 (2011) 267-300, algorithm 1 (Bradley-Terry, full pairs), by the library openskill. The same games
in another order give other numbers; what does not depend on it is the maximum likelihood of
`arena.theory.rating.fit`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from arena.theory.rating.scale import ELO, thousandth

START_DEVIATION = 350.0
"""The deviation, in Elo, of somebody who has not played; the rating is 0."""

DYNAMICS = 1.0
"""What every game adds to a deviation, as the root of a sum of squares, so that ratings never freeze."""

RANKS = ([0.0, 1.0], [0.0, 0.0], [1.0, 0.0])
"""The ranks of both players by the outcome: won, drawn or lost by the first mover."""


class Recorded(NamedTuple):
    """A game between two entries; `outcome` is 0, 1 or 2: won, drawn or lost by `first`."""

    first: int
    second: int
    outcome: int


class Online(NamedTuple):
    """A rating and its standard deviation, both in Elo to a thousandth, after so many games."""

    rating: float
    deviation: float
    games: int


def rate_online(games: Iterable[Recorded], at: Sequence[int]) -> list[dict[int, Online]]:
    """The ratings by entry after the first so many `games` as `at` says, for each of its numbers.

    A difference of 400 is odds of ten to one between two whose ratings are known well; the first move counts
    for nothing. Who has not played is left out.
    """
    model = BradleyTerryFull(mu=0.0, sigma=START_DEVIATION, beta=ELO / math.sqrt(2), tau=DYNAMICS)
    now: dict[int, BradleyTerryFullRating] = {}
    played: Counter[int] = Counter()
    shown: dict[int, dict[int, Online]] = {0: {}}
    for count, (first, second, outcome) in enumerate(games, start=1):
        teams = [[now.get(entry) or model.rating()] for entry in (first, second)]
        (now[first],), (now[second],) = model.rate(teams, ranks=RANKS[outcome])
        played.update((first, second))
        if count in at:
            shown[count] = _told(now, played)
    return [shown[number] for number in at]


def _told(now: dict[int, BradleyTerryFullRating], played: Counter[int]) -> dict[int, Online]:
    return {
        entry: Online(thousandth(each.mu), thousandth(each.sigma), played[entry])
        for entry, each in now.items()
    }
