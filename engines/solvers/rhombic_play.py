"""The play graph of rhombic chess."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engines.games.rhombic_chess import RhombicChess
from engines.kernels import play_graph as kernel
from engines.kernels import rhombic_graph
from engines.solvers import rhombic_positions
from engines.solvers.play_graph import PlayGraph


@lru_cache
def find_graph(game: RhombicChess) -> PlayGraph:
    """Every position of it."""
    boards = rhombic_graph.positions()
    starts, successors, ends = rhombic_positions.graph_of()
    moves = kernel.rhombic_moves(boards, starts, successors)
    first = rhombic_positions.number_of(game.initial())
    return PlayGraph(first, starts, successors, moves, ends, np.zeros(len(boards), np.bool_))
