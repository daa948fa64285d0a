"""Who tells most about the ratings: the inner part of a ladder, apart because SciPy takes long to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.theory.pairing.contract import Meeting
from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.davidson import Model
from arena.theory.rating.fit import PRIOR_DEVIATION, Fit, maximise
from arena.theory.rating.likelihood import Floats
from arena.theory.rating.superiority import difference_variances

Ints = NDArray[np.int64]

DIGITS = 9
"""Gains that agree so far are equal, whatever machine they were computed on."""


class Rated(NamedTuple):
    """Strengths, shape (entrants,), and variances of their differences, shape (entrants, entrants).

    In natural logarithms of odds; `draw` is how likely draws are, Davidson's nu, 0 without any.
    """

    strengths: Floats
    variances: Floats
    draw: float = 0.0


def choose(known: Rated, games: Sequence[int] | Ints, newcomer_games: int) -> list[tuple[int, int]]:
    """Pairs of entrants, by their places, nobody twice: newcomers first, then the most telling.

    What a game between i and j tells grows with the variance of its points (1, a half, or 0) by the model of
    the ratings times Var(θi-θj), where θ is a strength: how open its outcome is, times how little is known of
    their difference. (The first is the game's Fisher information on the difference, p(1-p) where no game is
    drawn; half the logarithm of one plus the product is about the information gained in the sense of D. V.
    Lindley, *On a measure of the information provided by an experiment*, Annals of Mathematical Statistics 27
    (1956) 986-1005.) Of those with fewer than `newcomer_games` games, who has fewest chooses first, the one
    whom it would learn most from.
    """
    gains = np.round(_openness(known) * known.variances, DIGITS)
    count = len(known.strengths)
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


def _openness(known: Rated) -> Floats:
    """The variance of the points of a game between every two, in Davidson's model."""
    half = (known.strengths[:, None] - known.strengths[None, :]) / 2
    size = np.abs(half)
    lost = np.exp(-2 * size)
    drawn = known.draw * np.exp(-size)
    total = 1 + lost + drawn
    lean = (1 - lost) / total
    openness: Floats = (1 - drawn / total - lean * lean) / 4
    return openness


def rated(numbers: list[int], counted: Sequence[Meeting], playing: list[int]) -> Rated:
    """What is known of those who play; all have a normal prior."""
    place = {number: at for at, number in enumerate(numbers)}
    counts = Counts.of(len(numbers), [_pair(each, place) for each in counted])
    draws = bool(counts.outcomes[:, 1].any())
    model = Model(counts, seat=False, draws=draws, precision=PRIOR_DEVIATION**-2)
    likeliest = maximise(model)
    strengths = likeliest[: len(numbers)]
    inverse: Floats = np.asarray(np.linalg.inv(model.hessian(likeliest)), dtype=np.float64)
    covariance = inverse[: len(numbers), : len(numbers)]
    variances = difference_variances(Fit(strengths, covariance, None, None, "not connected"))
    chosen = [place[each] for each in playing]
    return Rated(
        strengths[chosen], variances[np.ix_(chosen, chosen)], float(np.exp(likeliest[-1])) if draws else 0.0
    )


def _pair(meeting: Meeting, place: dict[int, int]) -> Pair:
    """The games won, drawn and lost that were played; if only points are told, as few draws as make them."""
    one, other = place[meeting.first], place[meeting.second or 0]
    if (told := meeting.detail) is None:
        first, second = meeting.half_points
        return Pair(one, other, first // 2, first % 2, second // 2)
    wins, losses = (won - free for won, free in zip(told.wins, told.walkovers, strict=True))
    return Pair(one, other, wins, told.played - wins - losses, losses)
