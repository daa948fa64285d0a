"""The random player of circle Nim's document."""

from __future__ import annotations

import pytest

from engines.games.circle_nim import CircleNim, State, lines
from engines.strategies import find_strategy
from engines.strategies.circle_nim import kinds, options, untouched
from tests.unit.engines.strategies.scripted import Scripted


def bits(moves: int) -> list[int]:
    """The moves of a set, ascending."""
    return [move for move in range(moves.bit_length()) if moves >> move & 1]


@pytest.mark.parametrize("rows", range(2, 8))
def test_a_set_of_moves_follows_the_rules(rows: int) -> None:
    """In positions of every size the options are the legal moves; taking a line leaves the untouched ones."""
    game = CircleNim(rows)
    assert [mask.bit_count() for mask in lines(rows).masks] == [
        1 + [move in bits(kind) for kind in kinds(rows)].index(True) for move in range(len(lines(rows).masks))
    ]
    for left in range(1, 1 << game.circles, 1 + (1 << game.circles) // 300):
        state = State(left, 0)
        moves = options(rows, left)
        assert tuple(bits(moves)) == game.legal_moves(state)
        move = game.legal_moves(state)[-1]
        assert options(rows, game.play(state, move).left) == moves & untouched(rows)[move]


@pytest.mark.parametrize(
    ("left", "numbers", "move", "bounds"),
    [
        ("1 2 3 4 5 6", (0, 5), "6", [3, 6]),
        ("1 2 3 4 5 6", (1, 0), "1-2", [3, 9]),
        ("1 2 3 4 5 6", (2, 2), "4-5-6", [3, 3]),
        ("1 2 3", (0, 1), "2", [2, 3]),
        ("1 2 3", (1, 2), "2-3", [2, 3]),
        ("1 4 6", (2,), "6", [3]),
        ("5", (0,), "5", [1]),
    ],
)
def test_it_draws_how_many_circles_and_then_which(
    left: str, numbers: tuple[int, ...], move: str, bounds: list[int]
) -> None:
    """The number is drawn only where there is a choice, the line always, counted in ascending order."""
    game = CircleNim(3)
    state = State(sum(1 << int(number) - 1 for number in left.split()), 0)
    stream = Scripted(numbers)
    assert game.move_to_text(find_strategy("random", game).choose(state, (), stream)) == move
    assert stream.bounds == bounds
