"""Heaps solved by their index, against the general solver."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.games.heap_nim import HeapNim, State
from engines.solvers.forward import explore, solve
from engines.solvers.heap_nim import lost
from engines.solvers.heaps import rule_against_codes, solve_heaps

heap_lists = st.lists(st.integers(1, 6), min_size=3, max_size=4).map(tuple)


@given(heap_lists, st.booleans())
@settings(max_examples=30)
def test_codes_are_those_of_the_general_solver(heaps: tuple[int, ...], misere: bool) -> None:
    """Every position has the code that its graph gives it, whatever the heaps, by either rule."""
    game = HeapNim(heaps, misere)
    graph = explore(game, lambda state: sum(state.heaps))
    codes = solve_heaps(heaps, misere=misere).reshape([size + 1 for size in heaps])
    assert [codes[state.heaps] for state in graph.states] == solve(game, graph).tolist()


@pytest.mark.parametrize("misere", [False, True])
def test_distances_beyond_a_byte_are_kept(misere: bool) -> None:
    """With two equal heaps the loser takes one at a time, and the game lasts as long as it can."""
    codes = solve_heaps((200, 200, 1), misere=misere)
    index = 200 * 201 * 2 + 200 * 2
    assert int(codes[index]) == 2 * (400 - misere) + 2


@given(heap_lists, st.booleans())
@settings(max_examples=20)
def test_the_rule_is_counted_position_by_position(heaps: tuple[int, ...], misere: bool) -> None:
    """Lost positions are those of the rule in plain Python, and a wrong code is one more difference."""
    codes = solve_heaps(heaps, misere=misere)
    shape = [size + 1 for size in heaps]
    expected = sum(lost(held, misere=misere) for held in np.ndindex(*shape))
    assert rule_against_codes(heaps, codes, misere=misere) == (expected, 0)
    codes[prod(shape) // 2] += 1
    assert rule_against_codes(heaps, codes, misere=misere)[1] == 1


def test_the_index_counts_from_the_last_heap() -> None:
    """The first heap's digit is the most significant, as the oracle reads it."""
    codes = solve_heaps((1, 2, 3), misere=False).tolist()
    game = HeapNim((1, 2, 3))
    after = {State(held, 0): codes[number] for number, held in enumerate(np.ndindex(2, 3, 4))}
    graph = explore(game, lambda state: sum(state.heaps))
    values = dict(zip(graph.states, solve(game, graph).tolist(), strict=True))
    assert all(after[State(state.heaps, 0)] == code for state, code in values.items())
