"""Listing every position of a game: all of them, each once, with the oracle's values and the best moves."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.games import find_game
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers import SolverError, find_oracle, find_solver, reversed_reversi
from engines.solvers.l_game_positions import number_of as l_game_number
from engines.solvers.listing import RESULTS, entries
from engines.solvers.oracle import before
from engines.solvers.rhombic_positions import number_of

SMALL = [
    ("circle_nim", {"rows": 3}, 64),
    ("heap_nim", {"heaps": [2, 3, 1]}, 24),
    ("heap_nim", {"heaps": [2, 3, 1], "misere": True}, 24),
]


@pytest.mark.parametrize(("name", "params", "count"), SMALL)
def test_every_position_has_its_value_and_exactly_its_best_moves(
    name: str, params: dict[str, Any], count: int
) -> None:
    """Value and distance are the oracle's; a best move reaches them, and no other move does."""
    game = find_game(name, params)
    oracle = find_oracle(game)
    found = list(entries(game))
    assert len({str(entry.position) for entry in found}) == len(found) == count
    for entry in found:
        state = game.state_from_json(entry.position)
        value = oracle.value(state)
        assert (entry.value, entry.distance) == (RESULTS[value.result], value.distance)
        reached = {
            game.move_to_text(move): before(oracle.value(game.play(state, move)))
            for move in game.legal_moves(state)
        }
        assert set(entry.best) == {move for move, worth in reached.items() if worth == value}


def test_the_l_game_s_positions_are_numbered_as_its_table() -> None:
    """All 18,368, in the table's order; the drawn ones have best moves that keep the draw."""
    game = find_game("l_game")
    count, states = find_solver("l_game").all_positions(game)
    assert [l_game_number(state) for state in states] == list(range(count))
    oracle = find_oracle(game)
    _, again = find_solver("l_game").all_positions(game)
    counts = Counter(oracle.value(state).result for state in again)
    assert counts == {1: 8_048, -1: 232, 0: 10_088}


def test_the_positions_of_rhombic_chess_are_numbered_as_its_table() -> None:
    """Every position from ten stones to none once, in the table's order."""
    game = find_game("rhombic_chess")
    count, states = find_solver("rhombic_chess").all_positions(game)
    assert count == 72_072 + 90_090 * 2 + 60_060 + 34_320 + 12_870 + 4_290 + 858 + 156 + 13 + 1
    assert all(number_of(state) == number for number, state in enumerate(states))


@pytest.mark.parametrize("reversed_rule", [True, False])
def test_the_positions_of_small_reversi_are_numbered_as_its_table(reversed_rule: bool) -> None:
    """Each pair of bitboards that play can reach once, in the table's order, by either rule."""
    game = ReversedReversi(4, reversed_rule)
    oracle = reversed_reversi.find_oracle(game)
    count, states = find_solver("reversed_reversi").all_positions(game)
    listed = list(states)
    assert [oracle.number(state) for state in listed] == list(range(count))
    reached = {(state.own, state.opp) for state in reversed_reversi.graph_of(game).states}
    assert [(state.own, state.opp) for state in listed] == sorted(reached)
    assert count == len(reached) == 58_533


def test_too_many_positions_are_refused() -> None:
    """Three heaps of 199 have eight million."""
    with pytest.raises(SolverError, match="a table holds at most 5,000,000"):
        next(entries(find_game("heap_nim", {"heaps": [199] * 3})))
