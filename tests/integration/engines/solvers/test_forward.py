"""The forward solver against plain recursion, and its shortcut for sets against its general form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.game import Game
from engines.games.circle_nim import CircleNim, lines
from engines.games.heap_nim import HeapNim
from engines.games.reversed_reversi import ReversedReversi
from engines.kernels import forward as kernel
from engines.solvers.forward import explore, runs, solve, solve_sets
from engines.solvers.oracle import decoded
from engines.solvers.reversed_reversi import graph_of
from tests.integration.engines.solvers.brute import brute_values


@pytest.mark.parametrize(
    ("game", "index"),
    [
        (CircleNim(2), lambda state: state.left),
        (CircleNim(4), lambda state: state.left.bit_count()),
        (HeapNim((3, 4, 5)), lambda state: sum(state.heaps)),
        (HeapNim((2, 3, 4), misere=True), lambda state: sum(state.heaps)),
    ],
    ids=["rows=2", "rows=4", "normal", "misere"],
)
def test_values_are_those_of_plain_recursion(game: Game[Any], index: Callable[[Any], int]) -> None:
    """Every position that play can reach is found, once, with its result and its distance."""
    graph = explore(game, index)
    codes = solve(game, graph).tolist()
    assert {state: decoded(codes[graph.numbers[state]]) for state in graph.states} == brute_values(game)
    assert len(graph.states) == len(codes)


@pytest.mark.parametrize("reverse", [pytest.param(True, marks=pytest.mark.long), False])
def test_draws_and_passes_are_solved_too(reverse: bool) -> None:
    """On the smallest board of Reversi there are both, and every value is that of plain recursion."""
    game = ReversedReversi(4, reverse)
    graph = graph_of(game)
    codes = solve(game, graph).tolist()
    values = {state: decoded(codes[number]) for state, number in graph.numbers.items()}
    assert values == brute_values(game)
    assert 0 in {value.result for value in values.values()}
    assert any(game.forced_pass(state) is not None for state in graph.states)


def test_successors_come_first_and_in_the_order_of_the_moves() -> None:
    """A graph lists what the legal moves lead to, and numbers it below the position itself."""
    game = CircleNim(3)
    graph = explore(game, lambda state: state.left)
    for number, state in enumerate(graph.states):
        after = graph.successors[graph.starts[number] : graph.starts[number + 1]].tolist()
        expected = [game.play(state, move) for move in game.legal_moves(state)]
        assert [graph.states[each] for each in after] == expected
        assert all(each < number for each in after)


def test_an_index_that_does_not_fall_is_refused() -> None:
    """Without a falling index nothing says that play ends, and no order settles its positions."""
    with pytest.raises(ValueError, match="does not fall"):
        explore(CircleNim(2), lambda state: state.seat)


@pytest.mark.parametrize("rows", [2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_sets_are_solved_as_their_graph_is(rows: int) -> None:
    """Taking whole blocks at a time gives every set the code that the general solver gives it."""
    game = CircleNim(rows)
    graph = explore(game, lambda state: state.left.bit_count())
    codes = solve_sets(game.circles, lines(rows).masks).tolist()
    assert [codes[state.left] for state in graph.states] == solve(game, graph).tolist()
    assert len(codes) == 1 << game.circles


@given(st.sets(st.integers(1, 2**9 - 1), max_size=12))
def test_any_family_of_subsets_can_be_taken(family: set[int]) -> None:
    """With single elements and any further sets as moves, every value follows from its successors."""
    masks = sorted({1 << element for element in range(9)} | family)
    codes = solve_sets(9, masks).tolist()
    assert decoded(codes[0]) == (1, 0)
    for left in range(1, 1 << 9):
        after = [decoded(codes[left ^ mask]) for mask in masks if mask & left == mask]
        lost = [each.distance or 0 for each in after if each.result < 0]
        expected = (1, 1 + min(lost)) if lost else (-1, 1 + max(each.distance or 0 for each in after))
        assert decoded(codes[left]) == expected


@pytest.mark.parametrize("total", [1, 63, 64, 65, 1000])
def test_runs_cover_everything_once_and_tell_how_far_they_are(total: int) -> None:
    """They follow on each other, and progress ends with all done."""
    told: list[tuple[int, int]] = []
    covered = [
        each for first, last in runs(total, lambda *done: told.append(done)) for each in range(first, last)
    ]
    assert covered == list(range(total))
    assert told[-1] == (total, total)


def test_the_order_of_values_is_the_movers_order() -> None:
    """The least that a move leaves is the most that a mover can have: wins come first, losses last."""
    top = 255
    left = [0, 3, top // 2, top - 4, top]  # the other side's: lost at 0 and 3, drawn, won at 4 and 0
    mine = [int(kernel.turned(value, top)) for value in left]
    assert mine == [top - 1, top - 4, top // 2, 5, 1]
