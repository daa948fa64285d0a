"""What every oracle must obey, whatever its game and however it was solved."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Game
from engines.games import GAMES, find_game
from engines.solvers import SolverError, Value, find_oracle, find_solver
from engines.solvers.oracle import before, rank

SOLVED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("circle_nim", {"rows": 2}),
    ("circle_nim", {"rows": 4}),
    ("heap_nim", {}),
    ("heap_nim", {"misere": True}),
    ("heap_nim", {"heaps": [1, 2, 2, 6]}),
    ("l_game", {}),
    ("reversed_reversi", {"size": 4}),
    ("reversed_reversi", {"size": 4, "reversed": False}),
    ("rhombic_chess", {}),
)
every_game = pytest.mark.parametrize(("name", "params"), SOLVED)


def a_state(game: Game[Any], choices: list[int]) -> Any:
    """The state after playing, of the legal moves, those that the numbers point at."""
    state = game.initial()
    for choice in choices:
        moves = game.legal_moves(state)
        if not moves:
            break
        state = game.play(state, moves[choice % len(moves)])
    return state


@every_game
@settings(max_examples=60)
@given(choices=st.lists(st.integers(0, 1000), max_size=30))
def test_a_value_follows_from_its_successors(name: str, params: dict[str, Any], choices: list[int]) -> None:
    """It is that of the best move; a finished game has its outcome's, at distance 0."""
    game = find_game(name, params)
    oracle, state = find_oracle(game), a_state(game, choices)
    outcome = game.outcome(state)
    if outcome is None:
        after = [oracle.value(game.play(state, move)) for move in game.legal_moves(state)]
        assert oracle.value(state) == before(max(after, key=rank))
    else:
        result = 0 if outcome.winner is None else 1 if outcome.winner == game.to_move(state) else -1
        value = oracle.value(state)
        assert value.result == result
        assert value.distance == 0 or value == Value(0, None)


@pytest.mark.parametrize(
    ("name", "params"), [(name, params) for name, params in SOLVED if name != "reversed_reversi"]
)  # half of the images of a position of Reversi cannot be reached from its first position
@settings(max_examples=60)
@given(choices=st.lists(st.integers(0, 1000), max_size=30))
def test_symmetric_positions_have_one_value(name: str, params: dict[str, Any], choices: list[int]) -> None:
    """A position is worth what the one that stands for all its images is worth."""
    game = find_game(name, params)
    oracle, state = find_oracle(game), a_state(game, choices)
    assert oracle.value(game.canonical(state)) == oracle.value(state)


def test_every_game_has_a_solver() -> None:
    """Whatever can be named can be asked for; a game without a solver is refused with those that have one."""
    assert all(row.solver for row in GAMES.values())
    with pytest.raises(SolverError, match="no solver for chess"):
        find_solver("chess")


def test_an_oracle_is_made_once() -> None:
    """Equal games share one oracle, and with it one table."""
    assert find_oracle(find_game("l_game")) is find_oracle(find_game("l_game"))
