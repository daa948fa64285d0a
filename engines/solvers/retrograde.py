"""Any game whose positions can be numbered, solved backwards from its ends; play may go in circles.

A game gives its graph: numbered positions, each from the side of whoever is to move there, and where every
move leads. Every move passes the turn on. What play can hold for ever is a draw.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from engines.game import Game
from engines.solvers.oracle import NO_POSITION, SolverError

S = TypeVar("S", bound=Hashable)


class Graph(NamedTuple):
    """The successors of position ``i`` are ``successors[starts[i] : starts[i + 1]]``.

    Shapes: `starts` (positions + 1,) int64, `successors` (moves,) int32, `ends` (positions,) int8: the
    result (1, 0, -1) for the side to move of a position without successors, anything where there are some.
    """

    starts: npt.NDArray[np.int64]
    successors: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int8]


def solve(graph: Graph) -> npt.NDArray[np.uint8]:
    """The code of every position's value, as `engines.solvers.oracle` defines it.

    Raises:
        SolverError: a game is so long that a byte cannot tell its distance.
    """
    from engines.kernels import retrograde

    codes = retrograde.solve(*graph)
    if codes.max(initial=0) >= NO_POSITION:
        raise SolverError("a position lies too far from the end for a table of bytes (126 plies)")
    return np.asarray(codes, np.uint8)


def moves_into(graph: Graph, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """How many moves of each position lead to a `chosen` one."""
    counted = np.concatenate(([0], np.cumsum(chosen[graph.successors])))
    return np.asarray(counted[graph.starts[1:]] - counted[graph.starts[:-1]], np.int64)


def explore(game: Game[S], most: int) -> tuple[dict[S, int], Graph]:
    """The graph of whatever can be reached by the game's own rules, up to symmetry, and each state's number.

    Raises:
        SolverError: there are more than `most` positions, or a side moves twice in turn.
    """
    numbers = {game.canonical(game.initial()): 0}
    waiting = list(numbers)
    starts, successors, ends = [0], [], []
    for state in waiting:  # it grows while it is read
        for move in game.legal_moves(state):
            after = game.canonical(game.play(state, move))
            if game.to_move(after) == game.to_move(state):
                raise SolverError("in %(game)s a side can move twice in turn", game=game.name)
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            successors.append(numbers[after])
        if len(numbers) > most:
            raise SolverError("%(game)s has more than %(most)s positions", game=game.name, most=most)
        starts.append(len(successors))
        outcome = game.outcome(state)
        winner = None if outcome is None else outcome.winner
        ends.append(0 if winner is None else 1 if winner == game.to_move(state) else -1)
    graph = Graph(np.array(starts, np.int64), np.array(successors, np.int32), np.array(ends, np.int8))
    return numbers, graph
