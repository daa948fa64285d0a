"""How much better a player is, told after a sequential test has stopped: no share of points is fair then.

The log-likelihood ratio is taken for a Brownian motion between the test's bounds. Outcomes are ordered as D.
Siegmund does (*Sequential Analysis*, 1985, section 3.4): the sooner for `elo1` the higher, the sooner for
`elo0` the lower, undecided ones between by their ratio. The median estimate is the difference under which a
higher outcome is as likely as a lower one; the interval's ends leave half of what it misses beyond.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import log_ndtr

from arena.statistics.sprt import NORMALIZED, Sprt, logistic_score, moments, observed

Floats = NDArray[np.float64]

EDGE = 1e-9
"""How near to 0 and to 1 a mean score is looked for."""


class EloEstimate(NamedTuple):
    """A median estimate and an interval on the scale of the test."""

    median: float
    low: float
    high: float


class Motion(NamedTuple):
    """A Brownian motion from 0 between `low` and `high`, for as long as its variance is `spent`.

    In this time it would drift by `drift`.
    """

    low: float
    high: float
    spent: float
    drift: float

    def hits_high(self) -> float:
        """The probability of reaching `high`, and not `low` before."""
        width = self.high - self.low
        distances = self.high + 2 * width * self._reflections()
        return self._signed(distances, self.high, self.drift)

    def hits_low(self) -> float:
        """The probability of reaching `low`, and not `high` before."""
        return Motion(-self.high, -self.low, self.spent, -self.drift).hits_high()

    def stays_above(self, ratio: float) -> float:
        """The probability of reaching neither, and ending at `ratio` or above."""
        shifts = 2 * (self.high - self.low) * self._reflections()
        return float((self._ends(shifts, ratio) - self._ends(2 * self.high + shifts, ratio)).sum())

    def _reflections(self) -> Floats:
        """The numbers of the mirror images that matter."""
        most = math.ceil(8 * math.sqrt(self.spent) / (self.high - self.low)) + 2
        return np.arange(-most, most + 1, dtype=np.float64)

    def _signed(self, distances: Floats, goal: float, drift: float) -> float:
        """The sum of the images' first passages, each weighed by what the drift makes of its way."""
        far, deviation, lift = np.abs(distances), math.sqrt(self.spent), drift / self.spent
        one = lift * (goal - far) + log_ndtr((drift - far) / deviation)
        two = lift * (goal + far) + log_ndtr((-drift - far) / deviation)
        return float((np.sign(distances) * (np.exp(one) + np.exp(two))).sum())

    def _ends(self, sources: Floats, ratio: float) -> Floats:
        """What each image gives to the probability of ending between `ratio` and `high`."""
        deviation, lift = math.sqrt(self.spent), self.drift / self.spent
        from_, to = ((end - sources - self.drift) / deviation for end in (ratio, self.high))
        beyond = from_ + to > 0  # there both are taken from the other tail, where they do not cancel
        less, more = log_ndtr(np.where(beyond, -to, from_)), log_ndtr(np.where(beyond, -from_, to))
        return np.asarray(np.exp(lift * sources + more) * -np.expm1(less - more), dtype=np.float64)


def estimate(sprt: Sprt, counts: Sequence[int], confidence: float = 0.95) -> EloEstimate | None:
    """The difference that the games in `counts` make likely; None while all of them ended equally.

    Scores are taken to vary as much as they did.
    """
    if sum(count > 0 for count in counts) < 2:
        return None
    total, shares = observed(counts)
    _, deviation = moments(shares)
    null, other = (
        _score(sprt, sprt.elo0, deviation, len(shares)),
        _score(sprt, sprt.elo1, deviation, len(shares)),
    )
    ratio, (low, high) = sprt.ratio(counts), sprt.bounds
    pace = (other - null) / deviation**2

    def above(score: float) -> float:
        drift = total * pace * (score - (null + other) / 2)
        motion = Motion(low, high, total * (pace * deviation) ** 2, drift)
        if ratio >= high:
            return motion.hits_high()
        if ratio <= low:
            return 1 - motion.hits_low()
        return motion.hits_high() + motion.stays_above(ratio)

    tail = (1 - confidence) / 2
    scores = [_solved(above, level) for level in (0.5, tail, 1 - tail)]
    median, least, most = (_elo(sprt, score, deviation, len(shares)) for score in scores)
    return EloEstimate(median, least, most)


def _solved(above: Callable[[float], float], level: float) -> float:
    """The mean score under which the chance of a higher outcome is `level`, or the nearest that there is."""
    if above(EDGE) >= level:
        return EDGE
    if above(1 - EDGE) <= level:
        return 1 - EDGE
    return float(brentq(lambda score: above(score) - level, EDGE, 1 - EDGE, xtol=1e-12))


def _score(sprt: Sprt, elo: float, deviation: float, outcomes: int) -> float:
    if sprt.elo == "logistic":
        return logistic_score(elo)
    return 0.5 + elo / NORMALIZED * deviation * math.sqrt(2 if outcomes == 5 else 1)


def _elo(sprt: Sprt, score: float, deviation: float, outcomes: int) -> float:
    if sprt.elo == "logistic":
        return 400 * math.log10(score / (1 - score))
    return (score - 0.5) / (deviation * math.sqrt(2 if outcomes == 5 else 1)) * NORMALIZED
