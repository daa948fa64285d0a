"""Ratings as the program Ordo tells them, for comparing figures.

By its manual (M. A. Ballicora, 2015): a draw is half a point, and ratings are those with which as many points
are expected of everybody, and of the first movers, as they made; 202 points are an expectation of 76 %.
Draws, which change no rating, have Davidson's chances for that expectation, with the share between equals
that makes as many of them expected as there were.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from arena.theory.rating.counts import Counts, Ints
from arena.theory.rating.davidson import Model
from arena.theory.rating.fit import Fit, SeparatedError, UnratableError, covariance, maximise
from arena.theory.rating.graph import seats_compared, strongly_connected
from arena.theory.rating.likelihood import Floats
from arena.theory.rating.scale import ELO

Bools = NDArray[np.bool_]

SCALE = 202 / math.log(0.76 / 0.24) / ELO
"""How many of its points are one of ours."""

DRAWS = 0.5
"""The share of draws between equals, unless it is told to fit it."""

MIN_DRAWS, MAX_DRAWS = 1e-9, 1 - 1e-6
"""The shares of draws between equals that are looked for; where all games are drawn it is the last."""

NO_LESS = 1e-9
"""Draws that are so little fewer, as a part of them, than the most that can be expected are no fewer.

The share between equals is the last one then, as how draws grow with it is lost in rounding so near to it.
"""

FARTHEST = 50.0
"""Strengths, in natural logarithms of odds, beyond which nobody with a perfect score is looked for."""


def fit_ordo(counts: Counts, *, fitted: bool) -> Fit:
    """What Ordo makes of `counts`: its ``-W -D`` if `fitted`, else no advantage of moving first.

    Strengths and covariance are on its own scale; `draw` is the share of draws between equals. The errors
    are those that its simulations come to: with the results drawn anew by the fitted chances. Who has won or
    lost all games is left out, then put where the chance of that would be one half, without errors (nan).

    Raises:
        UnratableError: wins and draws do not lead from everybody else to every other.
    """
    perfect = _perfect(counts)
    rest = np.flatnonzero(~perfect)
    kept = _among(counts, rest)
    try:
        model = _model(kept, fitted=fitted)
        at = maximise(model)
        inverse = covariance(model, at)
    except SeparatedError:
        raise UnratableError(
            "these games have no ratings by Ordo: without those who won or lost all theirs, wins and draws "
            "do not lead from everybody to every other, or an infinite advantage would fit best"
        ) from None
    expected = expit(model.leads(at))
    share, error = _draws(kept, expected) if fitted else (DRAWS, 0.0)
    spread = _simulated(model, expected, _drawn(expected, share), inverse)
    strengths = np.zeros(counts.entrants)
    strengths[rest] = at[: len(rest)]
    advantage = float(at[-1]) if model.seat else 0.0
    _place(counts, perfect, strengths, advantage, share)
    whole = np.full((counts.entrants, counts.entrants), np.nan)
    whole[np.ix_(rest, rest)] = spread[: len(rest), : len(rest)]
    return Fit(
        strengths=strengths * SCALE,
        covariance=whole * SCALE**2,
        seat=(advantage * SCALE, math.sqrt(spread[-1, -1]) * SCALE) if model.seat else None,
        draw=(share, error),
        prior=None,
    )


def _perfect(counts: Counts) -> Bools:
    """Who has won, or lost, all games."""
    wins, draws, losses = counts.outcomes.T
    points = np.zeros(counts.entrants)
    np.add.at(points, counts.first, wins + draws / 2)
    np.add.at(points, counts.second, losses + draws / 2)
    return np.asarray((points == 0) | (points == counts.games_of_each), dtype=np.bool_)


def _among(counts: Counts, rest: Ints) -> Counts:
    """The games among `rest`, who are counted anew."""
    inside = np.isin(counts.first, rest) & np.isin(counts.second, rest)
    first, second = (np.searchsorted(rest, side[inside]) for side in (counts.first, counts.second))
    return Counts.of_arrays(len(rest), first, second, counts.outcomes[inside])


def _model(kept: Counts, *, fitted: bool) -> Model:
    """The likelihood of every game twice, a draw as one won and one lost: its maximum solves the equations.

    Raises:
        SeparatedError: wins and draws do not lead from everybody to every other.
    """
    if kept.entrants < 2 or not kept.games_of_each.all() or not strongly_connected(kept):
        raise SeparatedError("there are no ratings to be found")
    wins, draws, losses = kept.outcomes.T
    halves = np.stack([2 * wins + draws, 0 * draws, 2 * losses + draws], axis=1)
    seat = fitted and seats_compared(kept)
    return Model(Counts(kept.entrants, kept.first, kept.second, halves), seat, draws=False)


def _drawn(expected: Floats, share: float) -> Floats:
    """The chance of a draw where so many points are expected, by the share of draws between equals.

    Of Davidson's D = nu √(W L), with W = e - D/2, L = 1 - e - D/2 and nu = 2 share / (1 - share).
    """
    return 4 * expected * (1 - expected) / _divisor(expected, share) if share else np.zeros_like(expected)


def _won(expected: Floats, share: float) -> Floats:
    """The logarithm of the chance of a win: that of `expected` without half a draw, however small."""
    if not share:
        return np.log(expected)
    left = 2 + 4 * (1 - expected) * _bend(share) / _divisor(expected, share)
    return 2 * np.log(expected) + np.log(left / _divisor(expected, share))


def _divisor(expected: Floats, share: float) -> Floats:
    return np.asarray(1 + np.sqrt(1 + 4 * expected * (1 - expected) * _bend(share)), dtype=np.float64)


def _bend(share: float) -> float:
    """4 / nu² - 1."""
    return ((1 - share) / share) ** 2 - 1


def _draws(kept: Counts, expected: Floats) -> tuple[float, float]:
    """The share of draws between equals, and its error, the ratings being known."""
    games, drawn = kept.games, float(kept.outcomes[:, 1].sum())
    if drawn == 0:
        return 0.0, 0.0
    if games @ _drawn(expected, MAX_DRAWS) * (1 - NO_LESS) <= drawn:
        return MAX_DRAWS, 0.0
    share = _root(lambda one: float(games @ _drawn(expected, one)) - drawn, MIN_DRAWS, MAX_DRAWS)
    chance, width = _drawn(expected, share), 1e-4 * share * (1 - share)
    slope = games @ (_drawn(expected, share + width) - _drawn(expected, share - width)) / (2 * width)
    return share, float(math.sqrt(games @ (chance * (1 - chance))) / slope)


def _simulated(model: Model, expected: Floats, drawn: Floats, inverse: Floats) -> Floats:
    """The covariance of the parameters when points are drawn by the chances of wins, draws and losses.

    `inverse` is that of the model, in which every game counts twice.
    """
    bread = 2 * inverse
    return np.asarray(bread @ model.curved(model.games / 2 * (expected * (1 - expected) - drawn / 4)) @ bread)


def _place(counts: Counts, perfect: Bools, strengths: Floats, advantage: float, share: float) -> None:
    """Put those who won or lost all games where the chance of that is one half; each the next one's rival.

    Until then they are at the mean, as they are for the program, which takes them in the order of its file.
    """
    for one in np.flatnonzero(perfect):
        as_first, as_second = counts.first == one, counts.second == one
        games = np.concatenate([counts.games[as_first], counts.games[as_second]])
        against = np.concatenate(
            [strengths[counts.second[as_first]] - advantage, strengths[counts.first[as_second]] + advantage]
        )
        won = counts.outcomes[as_first, 0].sum() + counts.outcomes[as_second, 2].sum()
        strengths[one] = _root(_surplus(games, against, share, 1 if won else -1), -FARTHEST, FARTHEST)


def _surplus(games: Ints, against: Floats, share: float, sign: int) -> Callable[[float], float]:
    """How far the logarithm of the chance to win (`sign` 1) or lose (-1) all `games` is above that of ½."""

    def value(strength: float) -> float:
        return float(games @ _won(expit(sign * (strength - against)), share)) + math.log(2)

    return value


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(function, low, high, xtol=1e-12))
