"""A solved game as a graph to be played on: numbered positions, and what each legal move leads to.

A position is one of a side to move, whichever seat that is, and every ply passes the turn on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engines.game import Game
from engines.games import find_row
from engines.plugin import load


class PlayGraph(NamedTuple):
    """The moves of position ``p`` are `moves` from ``starts[p]`` to ``starts[p + 1]``, in legal order.

    They lead to `successors`. `first` is the number of the initial position. `ends` is the result (1, 0, -1)
    for the side to move where there are no moves, and `scores` there its score and the other side's, None in
    a game that only knows 1 for the winner and 0 for the loser. In a `forced` position the only move is a
    pass, and nobody is asked. Shapes: `starts` (positions + 1,) int64; `successors`, `moves` (moves,) int32;
    `ends` (positions,) int8; `scores` (positions, 2) int16; `forced` (positions,) bool.
    """

    first: int
    starts: npt.NDArray[np.int64]
    successors: npt.NDArray[np.int32]
    moves: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int8]
    forced: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.int16] | None = None


def find_play_graph(game: Game[Any]) -> PlayGraph | None:
    """The graph of `game`; None where there is none, or none that fits into memory."""
    solver = find_row(game.name).solver
    graph: PlayGraph | None = load(solver.graph)(game) if solver and solver.graph else None
    return graph
