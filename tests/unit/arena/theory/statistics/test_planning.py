"""How many games are needed."""

from __future__ import annotations

import math

import pytest
from statsmodels.stats.proportion import power_proportions_2indep, samplesize_confint_proportion

from arena.theory.statistics.intervals import wilson
from arena.theory.statistics.planning import LEAST, games_for_half_width, games_to_detect, variance
from arena.theory.statistics.scores import effective_interval


@pytest.mark.parametrize("half_width", [0.1, 0.05, 0.01, 0.001])
@pytest.mark.parametrize("score", [0.5, 0.3, 0.95])
def test_the_games_are_just_enough(half_width: float, score: float) -> None:
    """So many give the interval asked for, one less does not; statsmodels' normal formula is close."""
    games = games_for_half_width(half_width, 0.95, score)
    assert wilson(score * games, games).half_width <= half_width
    assert wilson(score * (games - 1), games - 1).half_width > half_width
    normal = samplesize_confint_proportion(score, half_width, 0.05)
    assert games == pytest.approx(normal, rel=0.01, abs=12)


def test_a_known_number() -> None:
    """To within a thousandth it is z²/(4·0.001²) - z² games: Wilson's interval at one half, solved."""
    z = 1.959963984540054
    assert games_for_half_width(0.001) == math.ceil(z * z / 4e-6 - z * z)


def test_draws_save_games() -> None:
    """Half of the games drawn, half as many games are needed, and no fewer."""
    games = games_for_half_width(0.01, draws=0.5)
    assert games == pytest.approx(games_for_half_width(0.01) / 2, rel=1e-3)
    for number, enough in ((games, True), (games - 1, False)):
        error = math.sqrt(variance(0.5, 0.5) / number)
        assert (effective_interval(0.5, error, number).half_width <= 0.01) is enough


@pytest.mark.parametrize(("score", "difference"), [(0.5, 0.01), (0.6, 0.1), (0.9, -0.05), (0.2, 0.3)])
@pytest.mark.parametrize("power", [0.8, 0.9])
def test_the_power_is_that_of_statsmodels(score: float, difference: float, power: float) -> None:
    """So many games have the power asked for by an independent formula, and a few less have not."""
    games = games_to_detect(difference, power, 0.95, score)
    for number, enough in ((games, True), (games * 0.99 - 1, False)):
        theirs = power_proportions_2indep(difference, score, number, alpha=0.05, return_results=False)
        assert bool(theirs >= power - 1e-6) is enough


def test_a_power_of_one_half_is_a_border_case() -> None:
    """With power one half, the difference is just what the test's critical value is."""
    games = games_to_detect(0.1, 0.5, 0.95, 0.45)
    assert games == math.ceil(1.959963984540054**2 * 2 * 0.25 / 0.01)


def test_the_variance_with_draws() -> None:
    """A win ¼, a draw ½, a loss ¼ of the time: the score's variance is one eighth."""
    assert variance(0.5, 0.5) == pytest.approx(1 / 8)
    assert variance(0.7) == pytest.approx(0.21)


@pytest.mark.parametrize(
    "wrong",
    [
        {"half_width": 0.0},
        {"half_width": 1e-200},
        {"half_width": 0.5},
        {"half_width": -1.0},
        {"half_width": 0.1, "draws": 1.5},
    ],
)
def test_impossible_widths_are_refused(wrong: dict[str, float]) -> None:
    """A share's interval reaches neither nothing, nor so little that floats cannot tell, nor everything."""
    with pytest.raises(ValueError, match=r"half width|cannot be"):
        games_for_half_width(**wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"difference": 0.0},
        {"difference": -1e-300},
        {"difference": 0.6},
        {"difference": 0.1, "power": 1.0},
        {"difference": 0.1, "score": 0.9, "draws": 0.3},
    ],
)
def test_impossible_differences_are_refused(wrong: dict[str, float]) -> None:
    """Scores beyond 1, no difference at all, and certainty are refused with a reason."""
    with pytest.raises(ValueError, match=r"cannot|power"):
        games_to_detect(**wrong)


def test_the_least_that_is_planned_for_is_right() -> None:
    """Down to the smallest width and difference the numbers are those of the formulas."""
    z = 1.959963984540054
    assert games_for_half_width(LEAST) == pytest.approx(z * z / (4 * LEAST**2), rel=1e-4)
    assert games_to_detect(LEAST, 0.5) == pytest.approx(z * z / (2 * LEAST**2), rel=1e-4)
