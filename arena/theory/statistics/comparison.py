"""Whether two experiments differ by more than chance."""

from __future__ import annotations

import math
from typing import NamedTuple

from arena.theory.statistics.intervals import Interval, quantile
from arena.theory.statistics.scores import Estimate

MIN_EXPECTED = 10
"""Below so many wins or losses expected in one of the two, the normal approximation is not used."""


class Comparison(NamedTuple):
    """The first mean score less the second, with error and interval, and the two-sided p-value of `test`."""

    difference: float
    error: float
    interval: Interval
    p_value: float
    test: str


def compare(
    one: tuple[int, int, int],
    other: tuple[int, int, int],
    *,
    estimates: tuple[Estimate, Estimate],
    confidence: float = 0.95,
) -> Comparison:
    """Compare two independent experiments by their wins, draws and losses, and their mean scores.

    - Without draws and with few wins or losses: Fisher's exact test.
    - Without draws: the z-test of two shares with pooled variance (J. L. Fleiss, B. Levin and M. C. Paik,
      *Statistical Methods for Rates and Proportions*, 2003, section 3.2, without continuity correction).
    - With draws or pairs: the z-test with each mean's own standard error.
    - If neither error says anything, since all games of each ended equally: Fisher's test of these ends.

    The interval is the difference ± z standard errors, each mean's own.
    """
    difference = estimates[0].mean - estimates[1].mean
    error = math.hypot(estimates[0].error, estimates[1].error)
    reach = quantile(confidence) * error
    interval = Interval(difference - reach, difference + reach)
    p_value, test = _test(
        one, other, difference, error, paired=any(e.method == "pentanomial" for e in estimates)
    )
    return Comparison(difference, error, interval, p_value, test)


def _test(
    one: tuple[int, int, int], other: tuple[int, int, int], difference: float, error: float, *, paired: bool
) -> tuple[float, str]:
    from arena.theory.statistics.exact import fisher  # noqa: PLC0415 - SciPy takes long to read

    if paired or one[1] or other[1]:
        if error > 0:
            return _normal(difference / error), "z (own standard errors)"
        same = difference == 0
        return (1.0 if same else fisher((sum(one), 0), (0, sum(other)))), "Fisher"
    games = sum(one), sum(other)
    shares = [(one[column] + other[column]) / sum(games) for column in (0, 2)]
    if min(shares) * min(games) < MIN_EXPECTED:
        return fisher((one[0], one[2]), (other[0], other[2])), "Fisher"
    pooled = math.sqrt(shares[0] * shares[1] * (1 / games[0] + 1 / games[1]))
    return _normal(difference / pooled), "z (pooled variance)"


def _normal(z: float) -> float:
    """The probability of a normal deviate at least that far from 0."""
    return math.erfc(abs(z) / math.sqrt(2))
