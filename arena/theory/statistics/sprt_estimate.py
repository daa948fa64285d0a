"""How much better a player is, told after a sequential test has stopped: no share of points is fair then.

The log-likelihood ratio is taken for a Brownian motion between the test's bounds: with n observations of mean
m and variance v, and mean scores s0 and s1 under the two hypotheses, it is n (s1 - s0) (m - (s0 + s1) / 2) /
v; under a true mean s it drifts by as much with s in place of m, and its variance is n (s1 - s0)² / v:
M. Van den Bergh's note on approximating the GSPRT, which the testers of Stockfish use. A motion that is
beyond a bound at the end is taken to have come there at an even pace. Outcomes are ordered as D. Siegmund
does (*Sequential Analysis*, 1985, section 3.4): the sooner for `elo1` the higher, the sooner for `elo0` the
lower, undecided ones between by their ratio. The median estimate is the difference under which a higher
outcome is as likely as a lower one; the interval's ends leave half of what it misses beyond.

The variance v is the observed one whatever s is. Of two motions with one variance that are driven by the same
chance, the one that drifts higher ends higher, so that a greater difference never makes a higher outcome less
likely, and every chance belongs to one difference. With the likeliest variance under s, v + (s - m)², a high
outcome becomes less likely again far from m, and an interval may have no end there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import log_ndtr

from arena.theory.statistics.sprt import MAX_ELO, NORMALIZED, Scale, Sprt, logistic_score, moments, observed

Floats = NDArray[np.float64]

STEP = 0.5
"""What is looked at first beside the observed mean, in logistic Elo; then ever twice as far."""


class EloEstimate(NamedTuple):
    """A median estimate and an interval; `superiority` is the likelihood that the difference is above 0.

    That is the chance of an outcome that is lower, were the players equal.
    """

    median: float
    low: float
    high: float
    superiority: float


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


class Outcome(NamedTuple):
    """What a test came to: its ratio, within its bounds, after observations of a mean and a deviation."""

    sprt: Sprt
    hypotheses: tuple[float, float]
    mean: float
    deviation: float
    total: float
    ratio: float

    @classmethod
    def of(cls, sprt: Sprt, counts: Sequence[int]) -> Self:
        """The outcome of `counts`; a motion beyond a bound was at it after as many as it took there."""
        total, shares = observed(counts)
        mean, deviation = moments(shares)
        null, other = (_score(sprt, elo, deviation, len(shares)) for elo in (sprt.elo0, sprt.elo1))
        low, high = sprt.bounds
        ratio = total * (other - null) * (mean - (null + other) / 2) / deviation**2
        if not low <= ratio <= high:
            bound = low if ratio < low else high
            total, ratio = total * bound / ratio, bound
        return cls(sprt, (null, other), mean, deviation, total, ratio)

    def chance_above(self, elo: float) -> float:
        """The chance of a higher outcome, or the same, if that were the difference in logistic Elo."""
        null, other = self.hypotheses
        drift = self.total * (other - null) * (logistic_score(elo) - (null + other) / 2) / self.deviation**2
        spent = self.total * (other - null) ** 2 / self.deviation**2
        motion = Motion(*self.sprt.bounds, spent, drift)
        return motion.hits_high() + motion.stays_above(self.ratio)


def estimate(
    sprt: Sprt, counts: Sequence[int], confidence: float = 0.95, scale: Scale | None = None
) -> EloEstimate | None:
    """The difference that the games in `counts` make likely; None while all of them ended equally.

    It is told on `scale`, that of the test unless another is given: which one it is does not matter for what
    is found. Nothing beyond `MAX_ELO` is told.
    """
    if sum(count > 0 for count in counts) < 2:
        return None
    seen = Outcome.of(sprt, counts)
    tail = (1 - confidence) / 2
    elos = [_solved(seen.chance_above, level, _logistic(seen.mean)) for level in (0.5, tail, 1 - tail)]
    if (scale or sprt.elo) == "normalized":
        elos = [_normalized(elo, seen.deviation, len(counts)) for elo in elos]
    median, least, most = elos
    return EloEstimate(median, least, most, superiority=1 - seen.chance_above(0.0))


def _solved(above: Callable[[float], float], level: float, near: float) -> float:
    """The logistic Elo next to `near` where the chance of a higher outcome is `level`, or the farthest."""
    start = max(-MAX_ELO, min(MAX_ELO, near))
    rises = above(start) < level
    step, end = STEP, MAX_ELO if rises else -MAX_ELO
    inner = start
    while inner != end:
        outer = max(-MAX_ELO, min(MAX_ELO, start + (step if rises else -step)))
        if (above(outer) >= level) == rises:
            return float(brentq(lambda elo: above(elo) - level, inner, outer, xtol=1e-9))
        inner, step = outer, 2 * step
    return end


def _score(sprt: Sprt, elo: float, deviation: float, outcomes: int) -> float:
    if sprt.elo == "logistic":
        return logistic_score(elo)
    return 0.5 + elo / NORMALIZED * deviation * math.sqrt(2 if outcomes == 5 else 1)


def _logistic(score: float) -> float:
    return 400 * math.log10(score / (1 - score))


def _normalized(elo: float, deviation: float, outcomes: int) -> float:
    return (logistic_score(elo) - 0.5) / (deviation * math.sqrt(2 if outcomes == 5 else 1)) * NORMALIZED
