"""Kernels of players that choose by position, against games played plainly."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from engines.games import find_game
from engines.kernels import Batch, circle_nim_best, find_kernel
from engines.solvers.best_response import numbering
from engines.solvers.play_graph import find_play_graph
from engines.strategies import players_of
from engines.stream import run_key
from tests.integration.engines.kernels.playing import check_cuts, check_same

RUN = run_key(12, 3)
CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("heap_nim", {}, "perfect", "random"),
    ("heap_nim", {"misere": True}, "xor", "random"),
    ("heap_nim", {}, "xor", "perfect"),
    ("heap_nim", {"heaps": [9, 1, 7, 2]}, "xor", "xor"),
    ("heap_nim", {"heaps": [30, 20, 10], "misere": True}, "random", "perfect"),
    ("heap_nim", {"misere": True}, "best_response", "random"),
    ("circle_nim", {"rows": 2}, "perfect", "random"),
    ("circle_nim", {"rows": 3}, "best_response", "random"),
    ("circle_nim", {}, "perfect", "random"),
    ("circle_nim", {}, "best_response", "perfect"),
    ("circle_nim", {"rows": 6}, "random", "perfect"),
    ("l_game", {}, "perfect", "random"),
    ("l_game", {}, "best_response", "random"),
    ("rhombic_chess", {}, "random", "perfect"),
    ("rhombic_chess", {}, "best_response", "perfect"),
    ("reversed_reversi", {"size": 4}, "perfect", "random"),
    ("reversed_reversi", {"size": 4, "reversed": False}, "best_response", "random"),
]

REPEATED = [each for number, each in enumerate(CASES) if each[0] in {other[0] for other in CASES[:number]}]
"""All but the first of each game."""


def _named(value: object) -> str:
    return str(value)


@pytest.mark.parametrize(
    ("name", "params", "first", "second"),
    [pytest.param(*each, marks=[pytest.mark.long] * (each in REPEATED)) for each in CASES],
    ids=_named,
)
def test_games_are_those_of_plain_play(name: str, params: dict[str, Any], first: str, second: str) -> None:
    """Every move, end and score of 300 games with exchanged seats is that of the rules and the players."""
    game = find_game(name, params)
    batch = Batch(RUN, 1000, 300, swap=True, repetition=3, max_plies=60, keep_moves=True)
    played = check_same(game, batch, first, second)
    assert {each.end for each in played} <= ({0, 1, 2} if game.can_repeat else {0})
    check_cuts(game, batch, first, second)


@pytest.mark.parametrize(("name", "params", "first", "second"), CASES[::3], ids=_named)
def test_a_ply_limit_draws_what_has_not_ended(
    name: str, params: dict[str, Any], first: str, second: str
) -> None:
    """Also where a kernel would stop playing because the rest is known."""
    game = find_game(name, params)
    for limit in (1, 3, 6):
        batch = Batch(RUN, 0, 60, repetition=2, max_plies=limit, keep_moves=True)
        played = check_same(game, batch, first, second)
        assert max(len(each.moves) for each in played) <= limit


def test_seven_rows_are_played_from_the_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no table of best lines is kept they are found move by move; with six rows that is the same."""
    monkeypatch.setattr(circle_nim_best, "MAX_SETS", 0)
    batch = Batch(RUN, 0, 40, swap=True, keep_moves=True)
    check_same(find_game("circle_nim", {"rows": 6}), batch, "perfect", "random")


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("heap_nim", {"heaps": [4, 3, 2]}),
        ("l_game", {}),
        ("rhombic_chess", {}),
        ("reversed_reversi", {"size": 4}),
    ],
    ids=_named,
)
def test_a_graph_has_the_legal_moves(name: str, params: dict[str, Any]) -> None:
    """Along the first moves, the last moves and those in the midst, each leads where the rules say."""
    game = find_game(name, params)
    graph, number = find_play_graph(game), numbering(game)
    assert graph is not None
    for which in (0, -1, 5):
        state, position = game.initial(), graph.first
        for _ in range(30):
            legal = game.legal_moves(state)
            here = slice(graph.starts[position], graph.starts[position + 1])
            assert number(state) == position
            assert tuple(graph.moves[here].tolist()) == legal
            if not legal:
                break
            chosen = which % len(legal)
            state, position = game.play(state, legal[chosen]), int(graph.successors[here][chosen])


NEVER = {"person", "learner", "algo3_vs_hum", "mcts"}
ALGORITHMS, KNOWING = {"algo1", "algo2", "algo3"}, {"perfect", "best_response"}
QUICKLY_MADE = {**dict.fromkeys(ALGORITHMS | {"algo3_vs_hum"}, ":100"), "learner": ":0"}
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("circle_nim", {"rows": 3}),
    ("heap_nim", {}),
    ("l_game", {}),
    ("reversed_reversi", {"size": 4}),
    ("rhombic_chess", {}),
]


@pytest.mark.parametrize(("name", "params"), GAMES, ids=_named)
def test_who_has_a_kernel_is_as_the_documentation_says(name: str, params: dict[str, Any]) -> None:
    """All pairs of named players but those with one of three, and an algorithm with one that knows values."""
    game = find_game(name, params)
    players = list(players_of(name))
    for pair in product(players, repeat=2):
        first, second = (each + QUICKLY_MADE.get(each, "") for each in pair)
        knowing = bool(ALGORITHMS & set(pair)) and bool(KNOWING & set(pair))
        assert (find_kernel(game, first, second) is None) == (knowing or bool(NEVER & set(pair))), pair
    told = (Path(__file__).parents[4] / "docs/simulation.md").read_text("utf-8")
    row = next(line for line in told.split("\n") if line.startswith("| named, and there is a kernel"))
    assert set(re.findall(r"`(\w+)`", row)) == NEVER | KNOWING | {"random"}


def test_heaps_without_a_graph_have_no_kernel() -> None:
    """They are played move by move; two random players need no graph."""
    game = find_game("heap_nim", {"heaps": [500] * 10})
    assert find_kernel(game, "xor", "random") is None
    assert find_kernel(game, "random", "random") is not None
