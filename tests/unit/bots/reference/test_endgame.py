"""The endgame solver against a search that only knows the engine's rules."""

from __future__ import annotations

import time
from functools import cache

import pytest

from bots.reference.endgame import Endgame, OutOfTimeError
from engines.games.reversed_reversi import ReversedReversi, State
from tests.unit.bots.reference.questions import endings

NO_HURRY = float("inf")


def brute(game: ReversedReversi, state: State) -> int:
    """The mover's final advantage in discs, by trying everything."""

    @cache
    def value(state: State) -> int:
        if game.outcome(state) is not None:
            margin = state.own.bit_count() - state.opp.bit_count()
            return -margin if game.reversed else margin
        return max(-value(game.play(state, move)) for move in game.legal_moves(state))

    return value(state)


@pytest.mark.parametrize(
    "game",
    [
        ReversedReversi(size=4),
        ReversedReversi(size=4, reversed=False),
        ReversedReversi(size=6),
        ReversedReversi(),
        ReversedReversi(reversed=False),
        ReversedReversi(size=10),
    ],
    ids=str,
)
def test_value_and_square_are_perfect(game: ReversedReversi) -> None:
    """The value is the brute one, its square reaches it, and the narrow window tells who wins."""
    for state in endings(game, 8, empty=7):
        solver = Endgame(game.size, fewest=game.reversed)
        square, value = solver.best(state.own, state.opp, NO_HURRY)
        assert value == brute(game, state)
        assert -brute(game, game.play(state, square)) == value
        _, bound = Endgame(game.size, fewest=game.reversed).best(state.own, state.opp, NO_HURRY, -1, 1)
        assert (bound > 0, bound < 0) == (value > 0, value < 0)


def test_the_smallest_board_is_solved_from_its_start() -> None:
    """On 4 by 4 the second player wins the ordinary game by 8 discs."""
    game = ReversedReversi(size=4, reversed=False)
    own, opp, _ = game.initial()
    assert Endgame(4, fewest=False).best(own, opp, NO_HURRY)[1] == -8


def test_the_deadline_ends_the_search() -> None:
    """A search that cannot end in time says so."""
    own, opp, _ = ReversedReversi().initial()
    with pytest.raises(OutOfTimeError):
        Endgame(8, fewest=True).best(own, opp, time.monotonic() + 0.01)
