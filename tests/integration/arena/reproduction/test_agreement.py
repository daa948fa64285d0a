"""The tests of agreement against other formulas, and their size on data that do agree."""

from __future__ import annotations

import random

import pytest
from scipy.stats import binom, ttest_ind

from arena.reproduction.agreement import binomial, deviation, estimate, prediction


def test_binomial_adds_up_what_is_at_most_as_likely() -> None:
    """The p-value is the sum of the probabilities of all outcomes no likelier than the one observed."""
    chances = [binom.pmf(wins, 50, 0.3) for wins in range(51)]
    told = binomial(21, 50, 0.3)
    assert told.p == pytest.approx(sum(each for each in chances if each <= chances[21] * (1 + 1e-7)))
    wins = [round(limit * 50) for limit in told[1:]]
    assert sum(chances[: wins[0]]) <= 0.025 < sum(chances[: wins[0] + 1])
    assert sum(chances[wins[1] + 1 :]) <= 0.025 < sum(chances[wins[1] :])


def test_with_sets_of_the_same_size_prediction_is_the_t_test_of_one_against_many() -> None:
    """One further rate among rates of the same number of games is Student's two-sample t test."""
    wins = (1510, 1482, 1533, 1547, 1496, 1501)
    rates = [won / 3000 for won in wins]
    told = prediction(0.53, 3000, wins, 3000)
    assert told.p == pytest.approx(ttest_ind([0.53], rates).pvalue)
    assert told.low < min(rates)
    assert told.high > max(rates)


def test_prediction_rejects_about_as_often_as_it_says() -> None:
    """Of 400 documents that play the same game, near five in a hundred are below 0.05."""
    chance, rejected = random.Random(5), 0
    for _ in range(400):
        *rates, one = (chance.gauss(0.6, 0.02) for _ in range(13))
        wins = [sum(chance.random() < rate for _ in range(400)) for rate in rates]
        observed = sum(chance.random() < one for _ in range(200)) / 200
        rejected += prediction(observed, 200, wins, 400).p < 0.05
    assert 8 <= rejected <= 36


def test_prediction_needs_sets_as_large_as_what_it_judges() -> None:
    """Fewer games a set than the document had are refused, and so is a single set."""
    with pytest.raises(ValueError, match="cannot stand for"):
        prediction(0.5, 3000, (10, 12), 20)
    with pytest.raises(ValueError, match="two of them"):
        prediction(0.5, 10, (10,), 20)


def test_without_any_spread_only_the_same_rate_agrees() -> None:
    """Where every set wins every game, a document that does too agrees and any other differs."""
    assert prediction(1.0, 10, (10, 10), 10).p == 1
    assert prediction(0.9, 10, (10, 10), 10).p == 0


def test_deviation_finds_its_own_expectation_usual_and_extremes_not() -> None:
    """A standard deviation as expected has a large p, one much too small or too large a small one."""
    assert deviation(0.01, 5, 0.01).p > 0.5
    assert deviation(0.001, 5, 0.01).p < 0.01
    assert deviation(0.04, 5, 0.01).p < 0.001
    usual = deviation(0.01, 5, 0.01)
    assert deviation(usual.low, 5, 0.01).p == pytest.approx(0.05)
    assert deviation(usual.high, 5, 0.01).p == pytest.approx(0.05)


def test_estimate_tells_the_spread_between_sets_from_the_games_chance() -> None:
    """Sets with rates 0.4 and 0.6 have that spread whatever the games; equal sets have none."""
    spread = estimate((4000, 6000) * 20, 10_000)
    assert spread.mean == pytest.approx(0.5)
    assert spread.between == pytest.approx(0.1, rel=0.05)
    assert estimate((5000,) * 10, 10_000).between == 0
    assert spread.low < 0.5 < spread.high
