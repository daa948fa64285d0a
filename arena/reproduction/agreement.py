"""The tests that compare a figure of a document with ours, and where that figure was to be expected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from scipy.stats import binom, binomtest, chi2, t

from arena.theory.statistics.shares import share_interval

COVERED = 0.95
LOWER, UPPER = (1 - COVERED) / 2, (1 + COVERED) / 2


class Agreement(NamedTuple):
    """Two-sided `p` if both describe the same, and the range that then holds the figure in 95 % of cases."""

    p: float
    low: float
    high: float


class Estimate(NamedTuple):
    """A mean over repeated record sets with its 95 % confidence interval, and the spread between sets.

    `between` is the standard deviation of the sets' true rates; 0 where the games' own chance explains all.
    """

    mean: float
    low: float
    high: float
    between: float


def binomial(wins: int, games: int, chance: float) -> Agreement:
    """Whether `wins` of `games` fit the win probability `chance`: the exact binomial test.

    The p-value adds up the probabilities of all outcomes that are at most as likely as the one observed.
    """
    low, high = binom.ppf([LOWER, UPPER], games, chance) / games
    return Agreement(float(binomtest(wins, games, chance).pvalue), float(low), float(high))


def proportion(wins: int, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a rate (Wilson)."""
    interval = share_interval(wins, games, COVERED, "wilson")
    return interval.low, interval.high


def deviation(printed: float, runs: int, expected: float) -> Agreement:
    """Whether the standard deviation of `runs` rates (divisor one less) fits the `expected` one of a rate.

    (runs - 1) s²/σ² is distributed as chi-square with runs - 1 degrees of freedom, for nearly normal rates.
    """
    freedom = runs - 1
    below = float(chi2.cdf(freedom * (printed / expected) ** 2, freedom))
    low, high = (expected * math.sqrt(each / freedom) for each in chi2.ppf([LOWER, UPPER], freedom))
    return Agreement(2 * min(below, 1 - below), low, high)


def estimate(wins: Sequence[int], games: int) -> Estimate:
    """The mean rate over record sets, each of which won so many of `games`.

    Raises:
        ValueError: fewer than two sets say nothing about their spread.
    """
    mean, variance = _moments(wins, games)
    half = float(t.ppf(UPPER, len(wins) - 1)) * math.sqrt(variance / len(wins))
    within = sum(won * (games - won) for won in wins) / len(wins) / games**2 / max(1, games - 1)
    return Estimate(mean, mean - half, mean + half, math.sqrt(max(0.0, variance - within)))


def prediction(observed: float, observed_games: int, wins: Sequence[int], games: int) -> Agreement:
    """Whether a rate `observed` in `observed_games` with one further record set fits these record sets.

    With s² the variance of the sets' rates, K sets and mean m, a further rate has the variance
    s² (1 + 1/K) + m (1 - m) (1/observed_games - 1/games): the first term is estimated with K - 1 degrees of
    freedom, the second known. The difference to m over its root is compared with Student's t, the degrees of
    freedom after Satterthwaite (Biometrics Bulletin 2, 1946); with games = observed_games it is exactly the
    two-sample t test of one against K.

    Raises:
        ValueError: there are fewer than two sets, or a set has fewer games than the observed one.
    """
    if games < observed_games:
        raise ValueError(f"sets of {games} games cannot stand for one of {observed_games}")
    mean, variance = _moments(wins, games)
    between = variance * (1 + 1 / len(wins))
    total = between + mean * (1 - mean) * (1 / observed_games - 1 / games)
    if total == 0:
        return Agreement(float(observed == mean), mean, mean)
    freedom = (len(wins) - 1) * (total / between) ** 2 if between else math.inf
    reach = float(t.ppf(UPPER, freedom)) * math.sqrt(total)
    p = 2 * float(t.sf(abs(observed - mean) / math.sqrt(total), freedom))
    return Agreement(p, mean - reach, mean + reach)


def _moments(wins: Sequence[int], games: int) -> tuple[float, float]:
    """Mean and variance (divisor one less) of the rates."""
    if len(wins) < 2:
        raise ValueError("the spread between record sets needs two of them")
    rates = [won / games for won in wins]
    mean = math.fsum(rates) / len(rates)
    return mean, math.fsum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1)
