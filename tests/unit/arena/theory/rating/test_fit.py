"""Ratings by maximum likelihood: by hand, against another implementation, and on simulated games."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import check_grad

from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.davidson import Model
from arena.theory.rating.fit import PRIOR_DEVIATION, fit, maximise
from arena.theory.rating.likelihood import Floats

CYCLE = [Pair(0, 1, 3, 1, 1), Pair(1, 2, 3, 1, 1), Pair(2, 0, 3, 1, 1)]


def _random_counts(entrants: int, seed: int, *, draws: bool = True) -> Counts:
    chance = random.Random(seed)
    pairs = [
        Pair(a, b, chance.randint(0, 4), chance.randint(0, 2) if draws else 0, chance.randint(0, 4))
        for a in range(entrants)
        for b in range(entrants)
        if a != b
    ]
    return Counts.of(entrants, pairs)


def test_two_bots_by_hand() -> None:
    """With exchanged seats and no draws, strengths and seat follow from the logarithms of the odds."""
    found = fit(Counts.of(2, [Pair(0, 1, 8, 0, 2), Pair(1, 0, 5, 0, 5)]))
    assert found.strengths == pytest.approx([math.log(4) / 4, -math.log(4) / 4])
    assert found.seat is not None
    assert found.seat[0] == pytest.approx(math.log(4) / 2)
    information = 10 * 0.8 * 0.2, 10 * 0.5 * 0.5
    assert found.seat[1] == pytest.approx(math.sqrt(sum(1 / each for each in information)) / 2)
    assert found.errors == pytest.approx([math.sqrt(sum(1 / each for each in information)) / 4] * 2)
    assert (found.draw, found.prior) == (None, None)


def test_draws_by_hand() -> None:
    """Where two bots do equally well, nu is the draws over the mean of wins and losses."""
    found = fit(Counts.of(2, [Pair(0, 1, 5, 8, 5), Pair(1, 0, 5, 8, 5)]))
    assert found.strengths == pytest.approx([0, 0], abs=1e-9)
    assert found.draw is not None
    assert math.exp(found.draw[0]) == pytest.approx(8 / 5)


def test_a_cycle_leaves_everybody_equal() -> None:
    """Three that beat each other in a circle are equally strong, and what is left is the seat's."""
    found = fit(Counts.of(3, CYCLE))
    assert found.strengths == pytest.approx([0, 0, 0], abs=1e-9)
    assert found.seat is not None
    assert found.seat[0] == pytest.approx(math.log(3))


@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize("precision", [0.0, 0.25])
def test_the_derivatives_are_those_of_the_function(draws: bool, precision: float) -> None:
    """Gradient and second derivatives agree with differences of the function and of the gradient."""
    model = Model(_random_counts(5, 3, draws=draws), seat=True, draws=draws, precision=precision)
    at = np.random.default_rng(1).normal(0, 1, model.size)
    error = check_grad(lambda x: model.value_and_gradient(x)[0], lambda x: model.value_and_gradient(x)[1], at)
    assert error < 1e-4
    width = 1e-6
    for place, row in enumerate(model.hessian(at)):
        step: Floats = np.zeros(model.size)
        step[place] = width
        ahead, behind = model.value_and_gradient(at + step)[1], model.value_and_gradient(at - step)[1]
        assert (ahead - behind) / (2 * width) == pytest.approx(row, abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_without_draws_it_is_bradley_and_terry_as_a_logistic_regression(seed: int) -> None:
    """Strengths, seat and errors are those of statsmodels' binomial GLM with the strengths' sum held at 0."""
    counts = _random_counts(6, seed, draws=False)
    rows: Floats = np.zeros((len(counts.first), 6))
    for row, first, second in zip(rows, counts.first, counts.second, strict=True):
        row[:5] = [int(first == k) - int(second == k) - int(first == 5) + int(second == 5) for k in range(5)]
        row[5] = 1
    glm = sm.GLM(counts.outcomes[:, [0, 2]], rows, family=sm.families.Binomial()).fit(tol=1e-12)
    found = fit(counts)
    assert found.seat is not None
    assert [*found.strengths[:5], found.seat[0]] == pytest.approx(list(glm.params), abs=1e-8)
    assert [*found.errors[:5], found.seat[1]] == pytest.approx(list(glm.bse), abs=1e-8)
    last = glm.cov_params()[:5, :5].sum()
    assert found.covariance[5, 5] == pytest.approx(last, abs=1e-8)


def test_simulated_strengths_are_found_again() -> None:
    """The true parameters of many simulated games lie within four errors of those that are found."""
    chance = np.random.default_rng(5)
    true, seat, tie = chance.normal(0, 1, 60), 0.3, math.log(0.5)
    true -= true.mean()
    pairs = []
    for a in range(60):
        for b in range(60):
            if a != b:
                half = (true[a] - true[b] + seat) / 2
                weights = np.array([math.exp(half), math.exp(tie), math.exp(-half)])
                pairs.append(Pair(a, b, *map(int, chance.multinomial(20, weights / weights.sum()))))
    found = fit(Counts.of(60, pairs))
    assert np.abs((found.strengths - true) / found.errors).max() < 4
    assert 0.7 < np.std((found.strengths - true) / found.errors) < 1.3
    assert found.seat is not None
    assert found.draw is not None
    assert abs(found.seat[0] - seat) < 4 * found.seat[1]
    assert abs(found.draw[0] - tie) < 4 * found.draw[1]


@pytest.mark.parametrize("entrants", [6, 70])
def test_the_maximum_is_one(entrants: int) -> None:
    """In what is found the gradient is nought, from either start, and the strengths add up to 0."""
    model = Model(_random_counts(entrants, 1), seat=True, draws=True)
    found = maximise(model)
    assert np.abs(model.value_and_gradient(found)[1]).max() < 1e-6
    assert found[:entrants].sum() == pytest.approx(0, abs=1e-9)
    assert maximise(model, found + 0.1) == pytest.approx(found, abs=1e-7)


def test_no_order_of_arrival_changes_a_bit() -> None:
    """Results that come shuffled and one by one give the same numbers to the last bit."""
    pairs = [
        one
        for a, b, wins, draws, losses in CYCLE
        for one in [Pair(a, b, 1, 0, 0)] * wins
        + [Pair(a, b, 0, 1, 0)] * draws
        + [Pair(a, b, 0, 0, 1)] * losses
    ]
    random.Random(2).shuffle(pairs)
    together, apart = fit(Counts.of(3, CYCLE)), fit(Counts.of(3, pairs))
    assert together.strengths.tobytes() == apart.strengths.tobytes()
    assert together.covariance.tobytes() == apart.covariance.tobytes()


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([Pair(0, 1, 3, 0, 0), Pair(1, 0, 0, 0, 2)], "not connected"),
        ([Pair(0, 1, 3, 0, 2), Pair(2, 3, 1, 0, 4), Pair(3, 2, 1, 0, 1)], "not connected"),
        ([Pair(0, 1, 4, 0, 0), Pair(1, 0, 4, 0, 0)], "separated"),
        ([Pair(0, 1, 1, 1, 0), Pair(1, 0, 0, 1, 1)], "separated"),
        ([Pair(0, 1, 0, 5, 0)], "separated"),
    ],
)
def test_where_games_do_not_tell_there_is_a_prior(pairs: list[Pair], reason: str) -> None:
    """Unbeaten, apart, always won by the first mover, never lost, always drawn: the reason is told."""
    found = fit(Counts.of(1 + max(max(pair[:2]) for pair in pairs), pairs))
    assert found.prior == reason
    assert np.isfinite(found.strengths).all()
    assert np.isfinite(found.errors).all()
    assert found.strengths.sum() == pytest.approx(0, abs=1e-9)
    assert found.errors.max() <= PRIOR_DEVIATION


@pytest.mark.parametrize(
    "pairs",
    [
        [Pair(0, 1, 0, 0, 5), Pair(1, 0, 1, 0, 4)],
        [Pair(0, 1, 0, 1, 3), Pair(1, 0, 2, 2, 0)],
        [
            Pair(0, 1, 1, 0, 0),
            Pair(0, 2, 3, 0, 0),
            Pair(1, 2, 2, 0, 3),
            Pair(2, 0, 1, 0, 4),
            Pair(2, 1, 1, 0, 0),
        ],
    ],
)
def test_strengths_that_are_infinite_with_the_advantage_have_a_prior(pairs: list[Pair]) -> None:
    """Who moves first against some bot always wins, or always loses: no figure of billions of Elo is told."""
    found = fit(Counts.of(1 + max(max(pair[:2]) for pair in pairs), pairs))
    assert found.prior == "separated"
    assert found.errors.max() <= PRIOR_DEVIATION


def test_the_prior_is_what_it_says() -> None:
    """An unbeaten bot's strength solves the equation of likelihood and normal prior."""
    found = fit(Counts.of(2, [Pair(0, 1, 4, 0, 0), Pair(1, 0, 0, 0, 4)]))
    strength = found.strengths[0]
    assert 8 / (1 + math.exp(2 * strength)) == pytest.approx(strength / PRIOR_DEVIATION**2)


def test_seats_that_were_never_exchanged_say_nothing_about_the_first_move() -> None:
    """Where one bot always moved first there is no advantage, and the difference is that of the shares."""
    found = fit(Counts.of(2, [Pair(0, 1, 6, 0, 2)]))
    assert found.seat is None
    assert found.strengths[0] == pytest.approx(math.log(3) / 2)


@pytest.mark.parametrize(
    ("entrants", "pairs"), [(2, []), (3, [Pair(0, 1, 1, 1, 1)]), (1, []), (2, [Pair(0, 1, 0, 0, 0)])]
)
def test_without_games_there_are_no_ratings(entrants: int, pairs: list[Pair]) -> None:
    """Nobody is rated without a game."""
    with pytest.raises(ValueError, match="a game of each"):
        fit(Counts.of(entrants, pairs))


@pytest.mark.parametrize(
    "pairs", [[Pair(0, 0, 1, 0, 0)], [Pair(0, 2, 1, 0, 0)], [Pair(0, 1, -1, 0, 0)], [Pair(-1, 1, 1, 0, 0)]]
)
def test_impossible_counts_are_refused(pairs: list[Pair]) -> None:
    """Nobody meets itself or somebody who is not there, or plays less than no game."""
    with pytest.raises(ValueError, match=r"entrant"):
        Counts.of(2, pairs)
