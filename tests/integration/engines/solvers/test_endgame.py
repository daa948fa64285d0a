"""Endings of Reversi against the reference bot's search, which is another program, and plain recursion."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.reference.endgame import Endgame
from engines.game import Move
from engines.games.reversed_reversi import SIZES, ReversedReversi, State
from engines.solvers import SolverError
from engines.solvers.endgame import empty_squares, solve_endgame
from engines.stream import Stream
from engines.symmetry import moved, of_board

NO_HURRY = float("inf")
GAMES = [
    *(ReversedReversi(size, flag) for size in (4, 6, 8) for flag in (True, False)),
    ReversedReversi(6, rows=4),
    ReversedReversi(5, reversed=False, rows=6),
]


def ending(game: ReversedReversi, seed: int, empty: int) -> State:
    """A position with `empty` empty squares, or a finished one with more, after random moves."""
    stream, state = Stream("ending", seed), game.initial()
    while empty_squares(game, state) > empty and game.outcome(state) is None:
        state = game.play(state, stream.choice(game.legal_moves(state)))
    return state


def brute_margin(game: ReversedReversi, state: State) -> int:
    """The mover's discs less the other's at the end, by trying everything."""

    @cache
    def margin(state: State) -> int:
        if game.outcome(state) is not None:
            return state.own.bit_count() - state.opp.bit_count()
        best = min if game.reversed else max
        return best(-margin(game.play(state, move)) for move in game.legal_moves(state))

    return margin(state)


@pytest.mark.parametrize("game", GAMES, ids=str)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_the_margin_is_that_of_trying_everything(game: ReversedReversi, seed: int) -> None:
    """With few empty squares on any board and by either rule."""
    state = ending(game, seed, 7)
    assert solve_endgame(game, state).margin == brute_margin(game, state)


@pytest.mark.parametrize("reverse", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_the_margin_is_that_of_the_reference_bots_search(reverse: bool, seed: int) -> None:
    """With so many empty squares that order, table and narrow windows all matter."""
    game = ReversedReversi(8, reverse)
    state = ending(game, seed, 11)
    if game.outcome(state) is None and game.forced_pass(state) is None:
        _, value = Endgame(8, fewest=reverse).best(state.own, state.opp, NO_HURRY)
        assert solve_endgame(game, state).margin == (-value if reverse else value)


@pytest.mark.parametrize("game", GAMES, ids=str)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=10)
def test_the_line_is_legal_and_ends_with_the_score(game: ReversedReversi, seed: int) -> None:
    """Every move is a perfect one: from each position on the line the same end is the best."""
    state = ending(game, seed, 9)
    found = solve_endgame(game, state)
    mover, sign = state.seat, 1
    for move in found.line:
        state = game.play(state, move)
        sign = 1 if state.seat == mover else -1
        assert solve_endgame(game, state).margin == sign * found.margin
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.score == found.score
    assert found.margin == found.score[mover] - found.score[1 - mover]


@given(seed=st.integers(0, 10**6), turn=st.integers(0, 7))
@settings(max_examples=20)
def test_turning_the_board_changes_nothing(seed: int, turn: int) -> None:
    """A turned or reflected position has the same margin."""
    game = ReversedReversi(8)
    state = ending(game, seed, 10)
    permutation = of_board(8)[turn]
    turned = State(moved(state.own, permutation), moved(state.opp, permutation), state.seat)
    assert solve_endgame(game, turned).margin == solve_endgame(game, state).margin


def test_a_published_ending_of_twenty_empty_squares() -> None:
    """Number 40 of the FFO test suite: X wins by 38, and a2 is the move."""
    game = ReversedReversi(8, reversed=False)
    squares = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------".replace("-", ".")
    board = [squares[first : first + 8] for first in range(0, 64, 8)]
    state = game.state_from_json({"board": board, "to_move": "X"})
    found = solve_endgame(game, state)
    assert empty_squares(game, state) == 20
    assert (found.margin, game.move_to_text(found.line[0])) == (38, "a2")


def test_a_finished_game_has_no_line() -> None:
    """Its score is the outcome's, whatever squares are empty."""
    game = ReversedReversi(8)
    state = State(1, 0, 1)
    assert solve_endgame(game, state)[:3] == (1, (0, 1), ())


@pytest.mark.parametrize(("size", "message"), [(6, "here are 32"), (8, "here are 60"), (10, "not 10")])
def test_what_is_too_much_is_refused(size: int, message: str) -> None:
    """Too many empty squares, or a board that is too large, each with a reason."""
    assert size in SIZES
    game = ReversedReversi(size)
    with pytest.raises(SolverError, match=message):
        solve_endgame(game, game.initial())


def test_progress_counts_the_first_positions_moves() -> None:
    """It is told of each move of the position asked about, and of no later one."""
    game = ReversedReversi(8)
    state = ending(game, 1, 8)
    told: list[tuple[int, int]] = []
    solve_endgame(game, state, lambda *done: told.append(done))
    moves: tuple[Move, ...] = game.legal_moves(state)
    assert told == [(number, len(moves)) for number in range(1, len(moves) + 1)]
