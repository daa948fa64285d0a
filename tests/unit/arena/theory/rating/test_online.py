"""The online rating: by its published formulas, and what it promises and does not promise."""

from __future__ import annotations

import math
import random

import pytest

from arena.theory.rating.history_points import evenly
from arena.theory.rating.online import DYNAMICS, START_DEVIATION, Recorded, rate_online
from arena.theory.rating.scale import ELO

SCORES = (1.0, 0.5, 0.0)


def _by_hand(games: list[Recorded]) -> dict[int, tuple[float, float]]:
    """Weng and Lin's algorithm 1 for two players, written down from the paper, with gamma = sigma / c."""
    known: dict[int, tuple[float, float]] = {}
    for game in games:
        (one, var_one), (other, var_other) = (
            (known.get(entry, (0.0, START_DEVIATION))[0], known.get(entry, (0.0, START_DEVIATION))[1] ** 2)
            for entry in game[:2]
        )
        var_one, var_other = var_one + DYNAMICS**2, var_other + DYNAMICS**2
        c = math.sqrt(var_one + var_other + ELO**2)
        p = 1 / (1 + math.exp((other - one) / c))
        gain = SCORES[game.outcome] - p
        for entry, mean, variance, sign in ((game[0], one, var_one, 1), (game[1], other, var_other, -1)):
            shrink = math.sqrt(variance) / c * variance / c**2 * p * (1 - p)
            known[entry] = (mean + sign * variance / c * gain, math.sqrt(variance * (1 - shrink)))
    return known


def _games(seed: int, count: int) -> list[Recorded]:
    chance = random.Random(seed)
    games = []
    for _ in range(count):
        first, second = chance.sample(range(6), 2)
        games.append(Recorded(first, second, chance.choice((0, 1, 2))))
    return games


def test_games_move_ratings_by_the_published_formulas() -> None:
    """Ratings and deviations after 300 games are those of the paper's algorithm, by hand."""
    games = _games(1, 300)
    (found,) = rate_online(games, [300])
    by_hand = _by_hand(games)
    assert found.keys() == by_hand.keys()
    for entry, (rating, deviation) in by_hand.items():
        assert found[entry][:2] == pytest.approx((rating, deviation), abs=6e-4)


def test_a_draw_brings_two_together() -> None:
    """After a draw the one with the better rating has lost what the other one gained."""
    games = [Recorded(1, 2, 0), Recorded(1, 2, 1)]
    before, after = rate_online(games, [1, 2])
    assert 0 < after[1].rating < before[1].rating
    assert after[2].rating == -after[1].rating


def test_a_long_run_finds_the_odds() -> None:
    """Where one wins ten games of eleven, the difference settles near 400 Elo."""
    chance = random.Random(5)
    games = [Recorded(1, 2, 0 if chance.random() < 10 / 11 else 2) for _ in range(4000)]
    shown = rate_online(games, range(1000, 4001, 10))
    differences = [each[1].rating - each[2].rating for each in shown]
    assert sum(differences) / len(differences) == pytest.approx(400, abs=40)
    assert shown[-1][1].deviation < START_DEVIATION / 5


def test_the_order_of_the_games_changes_it() -> None:
    """The online rating depends on the order, as it says: the same games backwards give other numbers."""
    games = _games(2, 40)
    assert rate_online(games, [40]) != rate_online(games[::-1], [40])
    assert rate_online(games, [40]) == rate_online(games, [40])


def test_a_prefix_is_what_it_would_be_alone() -> None:
    """What is told after some games is told by those games alone; who has not played is left out."""
    games = _games(3, 60)
    assert rate_online(games, [10, 60])[0] == rate_online(games[:10], [10])[0]
    assert rate_online([], []) == []
    assert rate_online([Recorded(7, 9, 0)], [1])[0].keys() == {7, 9}
    assert sum(each.games for each in rate_online(games, [60])[0].values()) == 120


@pytest.mark.parametrize(
    ("total", "most", "points"),
    [(0, 5, []), (3, 5, [1, 2, 3]), (10, 5, [2, 4, 6, 8, 10]), (7, 3, [3, 5, 7]), (9, 1, [9])],
)
def test_points_are_spread_evenly(total: int, most: int, points: list[int]) -> None:
    """No more points than asked for, the last one at the end."""
    assert evenly(total, most) == points
