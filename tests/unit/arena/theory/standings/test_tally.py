"""What one game is worth."""

from __future__ import annotations

from typing import Any

from arena.store.models import Result
from arena.theory.standings.tally import Tally, rated, tally


def _result(first: int, second: int, *losers: int, **more: Any) -> Result:
    forfeits = [{"seat": seat, "code": "crash"} for seat in losers]
    seats = [{"wall_ns": 5}, {"wall_ns": 7}]
    return Result(
        first_half_points=first,
        second_half_points=second,
        first_score=10,
        second_score=6,
        forfeits=forfeits,
        seats=seats,
        **{"kind": "played"} | more,
    )


def test_a_win_gives_two_half_points() -> None:
    """The winner's and the loser's tallies, each with its own score and time."""
    won, lost = tally(_result(0, 2), 1), tally(_result(0, 2), 0)
    assert won == Tally(games=1, played=1, half_points=2, wins=1, score_own=6, score_other=10, wall_ns=7)
    assert lost == Tally(games=1, played=1, losses=1, score_own=10, score_other=6, wall_ns=5)


def test_a_draw_gives_a_half_point_each() -> None:
    """Without a winner and without a forfeit it is a draw."""
    assert [tally(_result(1, 1), seat).half_points for seat in (0, 1)] == [1, 1]
    assert tally(_result(1, 1), 0).draws == 1


def test_a_double_forfeit_is_two_losses() -> None:
    """When both forfeit nobody has a point, and each has a loss and a forfeit; that rates nobody."""
    both = [tally(_result(0, 0, 0, 1), seat) for seat in (0, 1)]
    assert [(each.half_points, each.draws, each.losses, each.forfeits) for each in both] == [(0, 0, 1, 1)] * 2
    assert not rated(_result(0, 0, 0, 1))
    assert rated(_result(0, 2, 0))


def test_losing_without_a_game_is_a_forfeit() -> None:
    """Who was not there forfeits, the other wins a game, and that rates nobody.

    Nobody played, so neither has discs or time of it.
    """
    walkover = _result(0, 2, kind="forfeit")
    assert tally(walkover, 1) == Tally(games=1, half_points=2, wins=1)
    assert tally(walkover, 0) == Tally(games=1, losses=1, forfeits=1)
    assert [tally(walkover, seat).forfeits for seat in (0, 1)] == [1, 0]
    assert tally(walkover, 1).wins == 1
    assert not rated(walkover)
