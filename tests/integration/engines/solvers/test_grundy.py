"""Grundy numbers: the general solver, heaps taken together, and what theory says of both."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.games.heap_nim import STRIDE, HeapNim, State
from engines.solvers.forward import explore, solve
from engines.solvers.grundy import grundy_numbers
from engines.solvers.heaps import grundy_against_xor
from engines.solvers.oracle import decoded

small_heaps = st.lists(st.integers(1, 5), min_size=3, max_size=4).map(tuple)


@given(small_heaps)
@settings(max_examples=20)
def test_a_number_is_the_least_that_no_successor_has(heaps: tuple[int, ...]) -> None:
    """Every number follows from those of the position's successors."""
    graph = explore(HeapNim(heaps), lambda state: sum(state.heaps))
    numbers = grundy_numbers(graph).tolist()
    for number, state in enumerate(graph.states):
        after = {numbers[each] for each in graph.successors[graph.starts[number] : graph.starts[number + 1]]}
        assert numbers[number] not in after, state
        assert set(range(numbers[number])) <= after, state


@given(small_heaps)
@settings(max_examples=20)
def test_the_general_solver_finds_xor_and_winner(heaps: tuple[int, ...]) -> None:
    """The number is the XOR of the heaps, and the side to move loses where it is 0."""
    game = HeapNim(heaps)
    graph = explore(game, lambda state: sum(state.heaps))
    numbers, codes = grundy_numbers(graph).tolist(), solve(game, graph).tolist()
    assert numbers == [reduce(xor, state.heaps) for state in graph.states]
    assert [decoded(code).result < 0 for code in codes] == [number == 0 for number in numbers]


@pytest.mark.parametrize("heaps", [(3, 4, 5), (1, 1, 1), (70, 3, 130), (2,) * 10, (500, 2, 1)])
def test_no_position_of_heaps_differs_from_its_xor(heaps: tuple[int, ...]) -> None:
    """Counted over every position, sets of more than one word included."""
    assert grundy_against_xor(heaps) == 0


def test_a_game_that_is_not_nim_has_other_numbers() -> None:
    """Where at most two may be taken from a heap, numbers repeat with period three: the check can fail."""
    graph = explore(TakeOneOrTwo((7, 1, 1)), lambda state: sum(state.heaps))
    numbers = grundy_numbers(graph).tolist()
    expected = [reduce(xor, (held % 3 for held in state.heaps)) for state in graph.states]
    assert numbers == expected
    assert numbers != [reduce(xor, state.heaps) for state in graph.states]


class TakeOneOrTwo(HeapNim):
    """Heap Nim in which a move takes at most two."""

    def legal_moves(self, state: State) -> tuple[int, ...]:
        """Those of heap Nim that take one or two."""
        return tuple(move for move in super().legal_moves(state) if move % STRIDE <= 2)
