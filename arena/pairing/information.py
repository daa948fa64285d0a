"""Who tells most about the ratings: the inner part of a ladder, apart because SciPy takes long to read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from arena.pairing.contract import Meeting
from arena.rating.counts import Counts, Pair
from arena.rating.davidson import Model
from arena.rating.fit import PRIOR_DEVIATION, Fit, maximise
from arena.rating.likelihood import Floats
from arena.rating.superiority import difference_variances

Ints = NDArray[np.int64]

DIGITS = 9
"""Gains that agree so far are equal, whatever machine they were computed on."""


def choose(
    strengths: Floats, variances: Floats, games: Sequence[int] | Ints, newcomer_games: int
) -> list[tuple[int, int]]:
    """Pairs of entrants, by their places, nobody twice: newcomers first, then the most telling.

    What a game between i and j tells grows with p(1-p)·Var(θi-θj), where p is the chance of a win and θ a
    strength: how open its outcome is, times how little is known of their difference. (The first is the game's
    Fisher information on the difference; half the logarithm of one plus the product is about the information
    gained in the sense of D. V. Lindley, *On a measure of the information provided by an experiment*, Annals
    of Mathematical Statistics 27 (1956) 986-1005.) Of those with fewer than `newcomer_games` games, who has
    fewest chooses first, the one whom it would learn most from.

    Args:
        strengths: shape (entrants,), natural logarithms of odds.
        variances: of the differences of every two, shape (entrants, entrants).
        games: of each entrant.
        newcomer_games: the floor.
    """
    chances = expit(strengths[:, None] - strengths[None, :])
    gains = np.round(chances * (1 - chances) * variances, DIGITS)
    count = len(strengths)
    free = np.ones(count, dtype=bool)
    chosen: list[tuple[int, int]] = []
    newcomers = [at for at in range(count) if games[at] < newcomer_games]
    for one in sorted(newcomers, key=lambda at: (games[at], at)):
        others = free.copy()
        others[one] = False
        if free[one] and others.any():
            other = int(np.argmax(np.where(others, gains[one], -1.0)))
            chosen.append((one, other))
            free[[one, other]] = False
    left = np.flatnonzero(free)
    first, second = np.triu_indices(len(left), 1)
    pairs = gains[left[first], left[second]]
    for at in np.argsort(-pairs, kind="stable"):
        one, other = int(left[first[at]]), int(left[second[at]])
        if free[one] and free[other]:
            chosen.append((one, other))
            free[[one, other]] = False
    return chosen


def rated(numbers: list[int], counted: Sequence[Meeting], playing: list[int]) -> tuple[Floats, Floats]:
    """Strengths, and variances of their differences, of those who play; all have a normal prior."""
    place = {number: at for at, number in enumerate(numbers)}
    pairs = [_pair(each, place) for each in counted]
    model = Model(Counts.of(len(numbers), pairs), seat=False, draws=False, precision=PRIOR_DEVIATION**-2)
    strengths = maximise(model)
    covariance: Floats = np.asarray(np.linalg.inv(model.hessian(strengths)), dtype=np.float64)
    variances = difference_variances(Fit(strengths, covariance, None, None, "not connected"))
    chosen = [place[each] for each in playing]
    return strengths[chosen], variances[np.ix_(chosen, chosen)]


def _pair(meeting: Meeting, place: dict[int, int]) -> Pair:
    """The meeting's games as wins and losses and at most one draw: to a rating, two draws are as much."""
    (wins, draws), (losses, _) = (divmod(half, 2) for half in meeting.half_points)
    return Pair(place[meeting.first], place[meeting.second or 0], wins, draws, losses)
