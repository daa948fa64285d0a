"""Exact methods for counts: no normal approximation, however few the games. They need SciPy."""

from __future__ import annotations

from scipy.special import betaincinv
from scipy.stats import fisher_exact

from arena.theory.statistics.intervals import Interval, quantile


def clopper_pearson(count: int, games: int, confidence: float = 0.95) -> Interval:
    """The interval that covers the true share with at least that confidence, whatever the share is.

    C. J. Clopper and E. S. Pearson, *The use of confidence or fiducial limits illustrated in the case of the
    binomial*, Biometrika 26 (1934) 404-413, by quantiles of the beta distribution.

    Raises:
        ValueError: there are no games, or not 0 to `games` of them are counted.
    """
    quantile(confidence)
    if games <= 0 or not 0 <= count <= games:
        raise ValueError(f"{count} of {games} games is no share")
    tail = (1 - confidence) / 2
    low = 0.0 if count == 0 else float(betaincinv(count, games - count + 1, tail))
    high = 1.0 if count == games else float(betaincinv(count + 1, games - count, 1 - tail))
    return Interval(low, high)


def fisher(one: tuple[int, int], other: tuple[int, int]) -> float:
    """The two-sided p-value of Fisher's exact test that two pairs of counts have the same shares.

    R. A. Fisher, *On the interpretation of χ² from contingency tables, and the calculation of P*, Journal of
    the Royal Statistical Society 85 (1922) 87-94.
    """
    return float(fisher_exact([one, other]).pvalue)
