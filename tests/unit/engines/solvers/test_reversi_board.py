"""Boards of any sides: the same rules as the game's, and symmetries that leave them alone."""

from __future__ import annotations

from random import Random

import pytest

from engines.game import Move
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.reversi_board import Board, Position

WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (6, 6), (8, 8), (6, 4), (5, 6), (3, 7)])
@pytest.mark.parametrize("fewest", [False, True])
def test_a_board_is_played_as_the_game_is(columns: int, rows: int, fewest: bool) -> None:
    """In games at random, moves, positions, canonical forms and the final margin are the game's."""
    game, chance = ReversedReversi(columns, fewest, rows), Random(columns)
    board = Board.of(game)
    assert board == Board(rows, columns, fewest)
    for _ in range(5):
        state, position = game.initial(), board.start()
        while (outcome := game.outcome(state)) is None:
            assert (state.own, state.opp) == position
            assert board.moves(position) == tuple(game.legal_moves(state))
            assert board.canonical(position) == game.canonical(state)[:2]
            move = chance.choice(game.legal_moves(state))
            state, position = game.play(state, move), board.play(position, move)
        assert outcome.score is not None
        margin = outcome.score[state.seat] - outcome.score[1 - state.seat]
        assert board.moves(position) == ()
        assert board.final(position) == (-margin if fewest else margin)


def slow_turned(board: Board, position: Position, move: Move) -> int:
    """What a disc turns over, square by square."""
    turned = 0
    for down, right in WAYS:
        row, column, line = move // board.columns + down, move % board.columns + right, 0
        while 0 <= row < board.rows and 0 <= column < board.columns:
            disc = 1 << row * board.columns + column
            if position.own & disc:
                turned |= line
            if not position.opp & disc:
                break
            line |= disc
            row, column = row + down, column + right
    return turned


@pytest.mark.parametrize(("rows", "columns"), [(4, 6), (6, 4), (3, 5), (5, 8)])
def test_other_boards_are_played_as_square_by_square(rows: int, columns: int) -> None:
    """Moves and the discs that they turn over are those that looking along each line finds."""
    board, chance = Board(rows, columns, reversed=False), Random(rows)
    position = board.start()
    while moves := board.moves(position):
        if moves != (board.squares,):
            empty = [at for at in range(board.squares) if not (position.own | position.opp) >> at & 1]
            assert moves == tuple(at for at in empty if slow_turned(board, position, at))
        move = chance.choice(moves)
        after = board.play(position, move)
        if move != board.squares:
            assert after.own == position.opp & ~slow_turned(board, position, move)
        position = after


@pytest.mark.parametrize(("rows", "columns", "images"), [(4, 4, 8), (4, 6, 4)])
def test_what_a_symmetry_makes_of_a_position_has_the_same_form(rows: int, columns: int, images: int) -> None:
    """All turns and reflections of a position without symmetry have one canonical form, and it is its own."""
    board = Board(rows, columns, reversed=False)
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    own, opp = {(0, 0), (0, 1), (1, 2)}, {(2, 1), (3, 0), (0, 2)}
    found = set()
    for turn in (False, True) if rows == columns else (False,):
        for down in (False, True):
            for across in (False, True):
                image = []
                for discs in (own, opp):
                    moved = [(column, row) if turn else (row, column) for row, column in discs]
                    moved = [
                        (rows - 1 - y if down else y, columns - 1 - x if across else x) for y, x in moved
                    ]
                    image.append(sum(1 << squares.index(each) for each in moved))
                found.add(Position(*image))
    assert len(found) == images
    (form,) = {board.canonical(each) for each in found}
    assert form in found


def test_a_board_beyond_a_word_is_refused() -> None:
    """Sides are from 3 to 8."""
    with pytest.raises(ValueError, match="from 3 to 8"):
        Board(9, 4, reversed=False)
