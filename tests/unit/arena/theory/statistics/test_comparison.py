"""Two experiments side by side."""

from __future__ import annotations

import math
import random

import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from arena.theory.statistics.comparison import Comparison, compare
from arena.theory.statistics.scores import score_estimate

Counts = tuple[int, int, int]


def _compare(one: Counts, other: Counts) -> Comparison:
    return compare(one, other, estimates=(score_estimate(one), score_estimate(other)))


@pytest.mark.parametrize(
    ("one", "other"), [((520, 480), (470, 530)), ((40, 60), (140, 160)), ((99_000, 1000), (98_800, 1200))]
)
def test_shares_are_compared_as_statsmodels_does(one: tuple[int, int], other: tuple[int, int]) -> None:
    """Without draws it is the pooled z-test of two shares, which is also the χ² test of the table."""
    found = _compare((one[0], 0, one[1]), (other[0], 0, other[1]))
    _, p_value = proportions_ztest([one[0], other[0]], [sum(one), sum(other)])
    assert found.test == "z (pooled variance)"
    assert found.p_value == pytest.approx(p_value)
    assert found.p_value == pytest.approx(stats.chi2_contingency([one, other], correction=False).pvalue)
    assert found.difference == pytest.approx(one[0] / sum(one) - other[0] / sum(other))
    low, high = found.interval
    assert (low + high) / 2 == pytest.approx(found.difference)


def test_few_losses_are_compared_exactly() -> None:
    """Where fewer than ten losses are expected, Fisher's exact test is used, and named."""
    found = _compare((1000, 0, 0), (991, 0, 9))
    assert found.test == "Fisher"
    assert found.p_value == pytest.approx(stats.fisher_exact([[1000, 0], [991, 9]]).pvalue)


def test_means_with_draws_are_compared_by_their_errors() -> None:
    """The z-test with each mean's own error is Welch's test of the scores, with so many games."""
    one, other = (3000, 4000, 3000), (2800, 4100, 3100)
    scores = [[1.0] * wins + [0.5] * draws + [0.0] * losses for wins, draws, losses in (one, other)]
    found = _compare(one, other)
    assert found.test == "z (own standard errors)"
    assert found.p_value == pytest.approx(stats.ttest_ind(*scores, equal_var=False).pvalue, rel=0.01)


def test_games_that_all_ended_equally_are_compared_exactly() -> None:
    """All draws against all draws differ by nothing; against all wins, by more the more there are."""
    assert _compare((0, 5, 0), (0, 9, 0)).p_value == 1
    found = _compare((0, 5, 0), (5, 0, 0))
    assert found.test == "Fisher"
    assert found.p_value == pytest.approx(2 / math.comb(10, 5))


def test_pairs_count_by_their_own_error() -> None:
    """An estimate from pairs of games is compared by the error of the pairs."""
    estimates = score_estimate((100, 0, 100), (5, 0, 90, 0, 5)), score_estimate((90, 0, 110))
    found = compare((100, 0, 100), (90, 0, 110), estimates=estimates)
    assert found.test == "z (own standard errors)"
    assert found.error == pytest.approx(math.hypot(estimates[0].error, estimates[1].error))
    z = found.difference / found.error
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)))


def test_equal_players_seldom_differ() -> None:
    """Under the null hypothesis about one comparison in twenty has p below 0.05."""
    chance = random.Random(2)
    alarms = 0
    for _ in range(1000):
        one, other = (sum(chance.random() < 0.4 for _ in range(300)) for _ in range(2))
        alarms += _compare((one, 0, 300 - one), (other, 0, 300 - other)).p_value < 0.05
    assert 25 < alarms < 80
