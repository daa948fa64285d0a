"""The best response to the random player, against plain expectations over the rules."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.game import Game
from engines.games import find_game
from engines.solvers import SolverError
from engines.solvers.best_response import find_response
from engines.solvers.play_graph import find_play_graph
from engines.strategies import StrategyError, find_strategy
from engines.strategies.circle_nim import kinds, options


def _chances(game: Game[Any], state: Any) -> dict[int, Fraction]:
    """How likely the random player takes each move."""
    legal = game.legal_moves(state)
    if game.name != "circle_nim":
        return {move: Fraction(1, len(legal)) for move in legal}
    legal_set = options(game.params["rows"], state.left)
    there = [legal_set & kind for kind in kinds(game.params["rows"]) if legal_set & kind]
    return {
        move: Fraction(1, len(there) * kind.bit_count())
        for kind in there
        for move in legal
        if kind >> move & 1
    }


def exact(game: Game[Any], seat: int) -> tuple[Fraction, set[int]]:
    """The greatest score that the player in `seat` can expect from the start, and the best first moves."""

    @cache
    def worth(state: Any) -> tuple[Fraction, Fraction]:
        outcome = game.outcome(state)
        if outcome is not None:
            score = Fraction(1, 2) if outcome.winner is None else Fraction(outcome.winner == seat)
            return score, Fraction(0)
        after = {move: worth(game.play(state, move)) for move in game.legal_moves(state)}
        if game.to_move(state) == seat:
            score, plies = max((score, -plies) for score, plies in after.values())
            return score, 1 - plies
        chances = _chances(game, state)
        return (
            sum((chances[move] * after[move][0] for move in after), Fraction(0)),
            1 + sum((chances[move] * after[move][1] for move in after), Fraction(0)),
        )

    start = game.initial()
    after = {move: worth(game.play(start, move)) for move in game.legal_moves(start)}
    best = max((score, -plies) for score, plies in after.values())
    return worth(start)[0], {move for move, (score, plies) in after.items() if (score, -plies) == best}


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("heap_nim", {}),
        ("heap_nim", {"heaps": [5, 4, 1], "misere": True}),
        ("circle_nim", {"rows": 2}),
        ("circle_nim", {"rows": 3}),
    ],
    ids=str,
)
def test_it_is_the_greatest_expectation(name: str, params: dict[str, Any]) -> None:
    """Fractions over all that can happen give the same scores in either seat, and the same first moves."""
    game = find_game(name, params)
    table = find_response(game)
    (first, moves), (second, _) = exact(game, 0), exact(game, 1)
    assert table.scores == pytest.approx((float(first), float(second)), abs=1e-12)
    assert set(table.best(game.initial())) == moves


@pytest.mark.parametrize(("rows", "wins"), [(3, 0.900), (4, 0.998)])
def test_it_wins_more_than_the_perfect_player(rows: int, wins: float) -> None:
    """Of circle Nim with 3 and 4 rows it wins .900 and .998, where perfect wins .892 and .976."""
    assert find_response(find_game("circle_nim", {"rows": rows})).scores[0] == pytest.approx(wins, abs=5e-4)


@pytest.mark.parametrize(("name", "params"), [("l_game", {}), ("reversed_reversi", {"size": 4})], ids=str)
def test_no_single_move_would_do_better(name: str, params: dict[str, Any]) -> None:
    """Its play evaluated as a Markov chain has its score, and no other move anywhere would raise it."""
    graph, table = find_play_graph(find_game(name, params)), find_response(find_game(name, params))
    assert graph is not None
    starts, moves = table.arrays()
    held = np.flatnonzero(np.diff(graph.starts))
    mine, theirs = (graph.ends + 1) / 2, (1 - graph.ends) / 2
    mine[held] = theirs[held] = 0.5
    chosen = np.isin(
        np.repeat(np.arange(len(starts) - 1), np.diff(graph.starts)) * 2**20 + graph.moves,
        np.repeat(np.arange(len(starts) - 1), np.diff(starts)) * 2**20 + moves,
    )
    counts = np.diff(graph.starts)[held]
    best = np.add.reduceat(chosen.astype(float), graph.starts[held])
    for _ in range(2000):
        old = mine.copy()
        theirs[held] = np.add.reduceat(mine[graph.successors], graph.starts[held]) / counts
        mine[held] = np.add.reduceat(theirs[graph.successors] * chosen, graph.starts[held]) / best
        if np.abs(mine - old).max() < 1e-11:
            break
    assert table.scores == pytest.approx((mine[graph.first], theirs[graph.first]), abs=1e-9)
    greatest = np.maximum.reduceat(theirs[graph.successors], graph.starts[held])
    assert np.abs(greatest - mine[held]).max() < 1e-8


def test_what_it_cannot_play_is_refused() -> None:
    """With a word on what it can, and no parameters are taken."""
    for name, params in (
        ("circle_nim", {"rows": 7}),
        ("heap_nim", {"heaps": [500] * 3}),
        ("reversed_reversi", {}),
    ):
        with pytest.raises(SolverError):
            find_response(find_game(name, params))
    with pytest.raises(StrategyError, match="no parameters"):
        find_strategy("best_response:3", find_game("heap_nim"))


@pytest.mark.parametrize(
    ("row", "name", "params"),
    [
        ("heap Nim 3,4,5", "heap_nim", {}),
        ("L-Game", "l_game", {}),
        ("rhombic chess", "rhombic_chess", {}),
        ("Reversi, 4 by 4", "reversed_reversi", {"size": 4}),
        ("Reversi, 4 by 4, more discs win", "reversed_reversi", {"size": 4, "reversed": False}),
    ],
)
def test_the_documented_scores_are_those_of_the_tables(row: str, name: str, params: dict[str, Any]) -> None:
    """Both seats, to the digits that are printed."""
    told = (Path(__file__).parents[4] / "docs/solving.md").read_text("utf-8")
    line = next(line for line in told.split("\n") if line.startswith(f"| {row} |"))
    printed = line.split("|")[2:4]
    for each, score in zip(printed, find_response(find_game(name, params)).scores, strict=True):
        digits = len(each.strip().partition(".")[2])
        assert round(score, digits) == float(each), (row, score)
