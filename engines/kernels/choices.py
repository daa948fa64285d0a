"""What each player of a solved game chooses from, position by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engines.game import Game
from engines.kernels import Kernel
from engines.kernels import play_graph as kernel
from engines.kernels.jit import Codes, Int32s, Int64s, compiled
from engines.kernels.walks import Choices, Walks, all_moves, choices
from engines.solvers import find_oracle
from engines.solvers.play_graph import PlayGraph, find_play_graph
from engines.strategies import Strategy, find_strategy
from engines.strategies.best_response import BestResponse
from engines.strategies.heap_nim import ExclusiveOr
from engines.strategies.perfect import Perfect
from engines.strategies.random import Uniform


def find_walks(game: Game[Any], first: str, second: str) -> Kernel | None:
    """The kernel between two players that choose by position; None for others, and without a graph.

    Raises:
        StrategyError: one of the two is no player of this game.
        SolverError: one of the two is a player of solved games only, and this one is not solved.
    """
    players = find_strategy(first, game), find_strategy(second, game)
    if not all(isinstance(player, Uniform | Perfect | ExclusiveOr | BestResponse) for player in players):
        return None
    graph = find_play_graph(game)
    if graph is None:
        return None
    chosen = [choices_of(game, graph, player) for player in players]
    return Walks.between(game, graph, chosen[0], chosen[1])


def choices_of(game: Game[Any], graph: PlayGraph, player: Strategy) -> Choices:
    """What the random player chooses from, `xor`, a best response; else what the perfect player does."""
    if isinstance(player, Uniform):
        return all_moves(graph)
    if isinstance(player, ExclusiveOr):
        return _by_exclusive_or(graph, game.heaps)  # type: ignore[attr-defined]  # it plays heap Nim only
    if isinstance(player, BestResponse):
        starts, moves = player.table.arrays()
        return choices(starts, kernel.places_of(graph.starts, graph.moves, starts, moves))
    codes, promise = _worth(game)
    return choices(*kernel.best_moves(graph.starts, graph.successors, codes, promise))


def _worth(game: Game[Any]) -> tuple[Codes, Int64s]:
    """The codes of all positions, and the promise of each where the oracle has any, as that of the L-Game."""
    oracle: Any = find_oracle(game)  # what it keeps is each game's own affair
    codes = np.asarray(oracle.codes)
    if not hasattr(oracle, "wrong"):
        return codes, np.empty((0, 2), np.int64)
    return codes, np.stack([np.asarray(oracle.wrong), np.asarray(oracle.moves)], axis=1).astype(np.int64)


def _by_exclusive_or(graph: PlayGraph, sizes: Sequence[int]) -> Choices:
    """The move that leaves 0; all moves, one of them drawn, where the exclusive or of the heaps is 0."""
    xors = np.zeros(1, np.int64)
    for size in sizes:
        xors = (xors[:, None] ^ np.arange(size + 1)).ravel()
    starts, places = _first_to_zero(graph.starts, graph.successors, xors)
    return choices(starts, places, xors == 0)


@compiled
def _first_to_zero(starts: Int64s, successors: Int32s, xors: Int64s) -> tuple[Int64s, Int64s]:
    """Where each position's places begin in a list, and the list."""
    begin = np.zeros(len(starts), np.int64)
    places = np.empty(len(successors), np.int64)
    made = 0
    for position in range(len(xors)):
        for at in range(starts[position], starts[position + 1]):
            if xors[position] == 0 or xors[successors[at]] == 0:
                places[made] = at
                made += 1
                if xors[position]:
                    break
        begin[position + 1] = made
    return begin, places[:made]
