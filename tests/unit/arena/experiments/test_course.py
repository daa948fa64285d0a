"""How a result came about: the points that are kept, and their intervals."""

from __future__ import annotations

import pytest

from arena.experiments.course import MAX_POINTS, extended, points
from arena.experiments.simulations import make_spec, strategy_player
from arena.theory.statistics.shares import share_interval
from engines.games import find_game
from workers.simulation.contract import SimulationSpec, Tally


def _spec(*, swap: bool) -> SimulationSpec:
    game = find_game("heap_nim", {"heaps": [1, 2, 3]})
    player = strategy_player("random", game)
    openings = (2, 1) if swap else (0, 0)
    return make_spec(game, (player, player), games=100, swap=swap, openings=openings)


def _tally(wins: int, games: int) -> Tally:
    return Tally(games=games, results=((wins, 0, games - wins), (0, 0, 0)), ends={"over": games})


def test_few_points_are_kept_and_the_last_one_always() -> None:
    """However many chunks come in there are at most so many, from early on to the end, in order."""
    course: list[list[int]] = []
    for chunk in range(1, 1001):
        course = extended(course, _tally(chunk, 10 * chunk))
        assert len(course) <= MAX_POINTS
        assert course[-1][:3] == [chunk, 0, 9 * chunk]
    games = [sum(point[:3]) for point in course]
    assert games == sorted(games)
    assert games[0] < 1000
    assert len(course) >= MAX_POINTS // 2


def test_points_have_the_intervals_of_the_experiment() -> None:
    """Without pairs that of a share of wins, by the method that was chosen; with them that of pairs."""
    course = extended([], _tally(60, 100))
    (point,) = points(_spec(swap=False), course, 0.99, "clopper-pearson")
    expected = share_interval(60, 100, 0.99, "clopper-pearson")
    assert point.games == 100
    assert point.score.mean == pytest.approx(0.6)
    assert point.score.interval == expected
    pairs = Tally(games=100, results=((30, 0, 20), (20, 0, 30)), ends={"over": 100}, pairs=(5, 0, 30, 0, 15))
    (paired,) = points(_spec(swap=True), extended([], pairs), 0.95, "wilson")
    assert paired.score.method == "pentanomial"
