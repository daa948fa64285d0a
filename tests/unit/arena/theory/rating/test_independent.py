"""Davidson's model against the likelihood written down game by game, and maximised by SciPy alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import minimize

from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.fit import fit
from arena.theory.rating.likelihood import Floats
from arena.theory.rating.superiority import difference_variances, superiority


def _games(entrants: int, seed: int) -> list[tuple[int, int, int]]:
    """Who moved first, who second, and whether that was won, drawn or lost: about 30 games of each."""
    chance = random.Random(seed)
    strengths = [chance.gauss(0, 0.8) for _ in range(entrants)]
    games = []
    for _ in range(15 * entrants):
        first, second = chance.sample(range(entrants), 2)
        lead = math.exp((strengths[first] - strengths[second] + 0.3) / 2)
        outcome = chance.choices((0, 1, 2), (lead, 0.6, 1 / lead))[0]
        games.append((first, second, outcome))
    return games


def _unlikelihood(games: list[tuple[int, int, int]]) -> Callable[[Floats], float]:
    """Minus the logarithm of the chance of all games; parameters: all strengths but the last, seat, ln nu."""

    def value(at: Floats) -> float:
        strengths = [*at[:-2], -sum(at[:-2])]
        total = 0.0
        for first, second, outcome in games:
            difference = strengths[first] - strengths[second] + at[-2]
            weights = (math.exp(difference / 2), math.exp(at[-1]), math.exp(-difference / 2))
            total -= math.log(weights[outcome] / sum(weights))
        return total

    return value


def _curvature(value: Callable[[Floats], float], at: Floats, width: float = 1e-3) -> Floats:
    """The second derivatives by differences."""
    size = len(at)
    found: Floats = np.zeros((size, size))
    steps = np.eye(size) * width
    for row in range(size):
        for column in range(size):
            corners = [
                sign * other * value(at + sign * steps[row] + other * steps[column])
                for sign in (-1, 1)
                for other in (-1, 1)
            ]
            found[row, column] = sum(corners) / (4 * width * width)
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_strengths_errors_and_covariances_are_those_of_the_likelihood(seed: int) -> None:
    """Every parameter, its error, and the variance of every difference follow from the games one by one."""
    entrants, games = 4, _games(4, seed)
    value = _unlikelihood(games)
    best = minimize(value, np.zeros(entrants + 1), method="BFGS", options={"gtol": 1e-7})
    inverse = np.linalg.inv(_curvature(value, best.x))
    pairs = [Pair(a, b, *(int(outcome == column) for column in range(3))) for a, b, outcome in games]
    found = fit(Counts.of(entrants, pairs))
    assert found.prior is None
    assert found.seat is not None
    assert found.draw is not None
    told = [*found.strengths[:-1], found.seat[0], found.draw[0]]
    assert told == pytest.approx(list(best.x), abs=2e-5)
    errors = [*found.errors[:-1], found.seat[1], found.draw[1]]
    assert errors == pytest.approx(list(np.sqrt(np.diag(inverse))), rel=1e-3)
    spread = difference_variances(found)
    by_hand = inverse[0, 0] + inverse[1, 1] - 2 * inverse[0, 1]
    assert spread[0, 1] == spread[1, 0] == pytest.approx(by_hand, rel=1e-3)
    last: Floats = np.array([2.0, 1.0, 1.0, 0.0, 0.0])
    assert spread[0, 3] == pytest.approx(last @ inverse @ last, rel=1e-3)
    assert spread[2, 2] == 0
    stronger = 0.5 * math.erfc((best.x[1] - best.x[0]) / math.sqrt(2 * by_hand))
    assert superiority(found)[0, 1] == pytest.approx(stronger, abs=1e-4)


def test_points_are_what_the_model_expects() -> None:
    """Every entrant made the points that the fitted chances add up to, and so did the first movers."""
    games = _games(5, 7)
    found = fit(
        Counts.of(
            5, [Pair(a, b, *(int(outcome == column) for column in range(3))) for a, b, outcome in games]
        )
    )
    assert found.seat is not None
    assert found.draw is not None
    expected, made = [0.0] * 5, [0.0] * 5
    for first, second, outcome in games:
        lead = math.exp((found.strengths[first] - found.strengths[second] + found.seat[0]) / 2)
        weights = (lead, math.exp(found.draw[0]), 1 / lead)
        share = (weights[0] + weights[1] / 2) / sum(weights)
        for entry, points, chance in ((first, 1 - outcome / 2, share), (second, outcome / 2, 1 - share)):
            made[entry] += points
            expected[entry] += chance
    assert expected == pytest.approx(made, abs=1e-6)
