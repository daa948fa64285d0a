"""Heap Nim solved: the analysis, and the rule that stands in where there is no table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.games.heap_nim import HeapNim, State
from engines.solvers import SolverError, Value, find_oracle
from engines.solvers.heap_nim import MAX_ANALYSED, MAX_IN_A_TABLE, RuleOracle, analyse, positions
from engines.strategies.perfect import best_moves
from tests.integration.engines.solvers.brute import brute_values


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("heaps", [(3, 4, 5), (1, 1, 1), (1, 2, 3), (2, 2, 2, 3)])
def test_the_analysis_counts_what_plain_recursion_finds(heaps: tuple[int, ...], misere: bool) -> None:
    """Winner, distance, winning moves, safe and unsafe positions; the XOR rule is never wrong."""
    game = HeapNim(heaps, misere)
    values, found, start = brute_values(game), analyse(game), game.initial()
    by_heaps = {state.heaps: value for state, value in values.items()}
    safe = sum(value.result < 0 for value in by_heaps.values())
    assert found["positions"] == {"all": len(by_heaps), "safe": safe, "unsafe": len(by_heaps) - safe}
    assert found["winner"] == ("first" if values[start].result > 0 else "second")
    assert found["distance"] == values[start].distance
    assert (found["rule_wrong"], found["grundy_not_xor"]) == (0, 0)
    winning = [move for move in game.legal_moves(start) if values[game.play(start, move)].result < 0]
    assert [each["move"] for each in found["winning_moves"]] == [game.move_to_text(move) for move in winning]


def test_the_documents_example() -> None:
    """From 3, 4 and 5 the only winning move takes two from the first heap, which leaves one."""
    found = analyse(HeapNim())
    assert found["winning_moves"] == [{"move": "1:2", "heap": 1, "left": 1, "distance": found["distance"]}]
    assert found["xor"] == 2


def test_too_many_positions_are_refused_with_the_rules_answer() -> None:
    """The message names the limit, and says who wins by the rule."""
    with pytest.raises(SolverError, match=r"125,751,501 positions.*100,000,000.*the first player wins"):
        analyse(HeapNim((500, 500, 500)))
    with pytest.raises(SolverError, match="the second player wins"):
        analyse(HeapNim((500, 500, 499, 499)))


heap_lists = st.lists(st.integers(0, 7), min_size=3, max_size=4)


@given(heap_lists.filter(any), st.booleans())
@settings(max_examples=100)
def test_the_rule_wins_where_the_table_does(held: Sequence[int], misere: bool) -> None:
    """Results agree; the rule's best moves win where any does, and it knows no distance."""
    game = HeapNim((7,) * len(held), misere)
    table, rule, state = find_oracle(game), RuleOracle(game), State(tuple(held), 0)
    assert rule.value(state) == Value(table.value(state).result, None)
    for move in best_moves(game, rule, state):
        assert table.value(game.play(state, move)).result == -table.value(state).result


@pytest.mark.parametrize("misere", [False, True])
def test_large_heaps_are_played_by_the_rule(misere: bool) -> None:
    """Winning it takes as many as it can, losing one at a time."""
    game = HeapNim((500, 500, 500), misere)
    oracle = find_oracle(game)
    assert positions(game) > MAX_ANALYSED > MAX_IN_A_TABLE
    assert isinstance(oracle, RuleOracle)
    start = game.initial()
    assert {game.move_to_text(move) for move in best_moves(game, oracle, start)} == {
        "1:500",
        "2:500",
        "3:500",
    }
    lost = State((500, 500, 0), 0)
    assert {game.move_to_text(move) for move in best_moves(game, oracle, lost)} == {"1:1", "2:1"}


def test_the_table_ends_where_it_says() -> None:
    """The largest heaps that have a table are solved with distances."""
    game = HeapNim((255, 255, 255))
    assert positions(game) == math.prod([256] * 3) == MAX_IN_A_TABLE
    assert find_oracle(game).value(State((0, 0, 255), 1)) == Value(1, 1)
