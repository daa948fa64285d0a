"""From pairings to games."""

from __future__ import annotations

from arena.pairing.contract import Pairing
from arena.pairing.schedule import PlannedGame, expand


def test_pairings_take_turns_and_exchange_seats() -> None:
    """Two games an opening, from both seats; the same two rarely follow each other; a bye is no game."""
    pairings = (Pairing(1, 2, "A", 3, (5, 6)), Pairing(4, 3, "B", 2, (9,)), Pairing(7, None))
    assert list(expand(pairings, 8)) == [
        PlannedGame(8, 1, 2, 5, "A"),
        PlannedGame(8, 4, 3, 9, "B"),
        PlannedGame(8, 2, 1, 5, "A"),
        PlannedGame(8, 3, 4, 9, "B"),
        PlannedGame(8, 1, 2, 6, "A"),
    ]


def test_without_openings_games_begin_at_the_initial_position() -> None:
    """The opening's number is 0, and seats are still exchanged."""
    games = list(expand((Pairing(2, 1, "", 3),), 1))
    assert [(game.first, game.second, game.opening_number) for game in games] == [
        (2, 1, 0),
        (1, 2, 0),
        (2, 1, 0),
    ]


def test_nobody_meets_in_an_empty_round() -> None:
    """A round of byes only has no games."""
    assert list(expand((Pairing(1, None),), 1)) == []
