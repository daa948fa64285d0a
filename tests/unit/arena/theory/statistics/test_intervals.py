"""Intervals for shares."""

from __future__ import annotations

import math

import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from arena.theory.statistics.exact import clopper_pearson, fisher
from arena.theory.statistics.intervals import METHODS, quantile, wilson
from arena.theory.statistics.shares import share_interval

CASES = [(0, 10), (1, 10), (5, 10), (10, 10), (81, 263), (3, 100_000), (123_456, 1_000_000)]


@pytest.mark.parametrize(("count", "games"), CASES)
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_both_methods_agree_with_statsmodels(count: int, games: int, confidence: float) -> None:
    """Wilson's and Clopper and Pearson's intervals are those of an independent implementation."""
    for method, theirs in (("wilson", "wilson"), ("clopper-pearson", "beta")):
        low, high = proportion_confint(count, games, alpha=1 - confidence, method=theirs)
        found = share_interval(count, games, confidence, method)  # type: ignore[arg-type]  # both are names
        assert found == pytest.approx((low, high), abs=1e-12)


def test_published_intervals() -> None:
    """81 of 263 and 15 of 148, of R. G. Newcombe, *Statistics in Medicine* 17 (1998) 857-872, table I."""
    for count, games, score, exact in (
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ):
        assert wilson(count, games) == pytest.approx(score, abs=5e-5)
        assert clopper_pearson(count, games) == pytest.approx(exact, abs=5e-5)


@pytest.mark.parametrize("count", range(0, 31, 3))
def test_what_the_methods_promise(count: int) -> None:
    """Wilson's borders are where the score test just rejects, the other's where binomial tails are 2.5 %."""
    games, z = 30, quantile(0.95)
    for border in wilson(count, games):
        if 0 < border < 1:
            assert abs(count / games - border) == pytest.approx(z * math.sqrt(border * (1 - border) / games))
    low, high = clopper_pearson(count, games)
    if count:
        assert stats.binom.sf(count - 1, games, low) == pytest.approx(0.025)
    if count < games:
        assert stats.binom.cdf(count, games, high) == pytest.approx(0.025)


@pytest.mark.parametrize(("count", "games"), [(-1, 10), (11, 10), (0, 0)])
def test_what_is_no_share_is_refused(count: int, games: int) -> None:
    """There are games, and no more wins than games."""
    for method in METHODS:
        with pytest.raises(ValueError, match="no share"):
            share_interval(count, games, 0.95, method)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, -0.5])
def test_a_confidence_is_a_probability(confidence: float) -> None:
    """95 is not meant as 0.95."""
    for method in METHODS:
        with pytest.raises(ValueError, match=r"such as 0\.95"):
            share_interval(1, 2, confidence, method)


def test_the_quantile_is_the_normal_one() -> None:
    """1.959964 standard errors hold 95 % of a normal distribution."""
    assert quantile(0.95) == pytest.approx(1.959963984540054)
    assert quantile(0.99) == pytest.approx(2.5758293035489004)


def test_fishers_tea() -> None:
    """The lady who tells three of four cups right: two-sided p = 34/70 (Fisher, *Design of Experiments*)."""
    assert fisher((3, 1), (1, 3)) == pytest.approx(34 / 70)
