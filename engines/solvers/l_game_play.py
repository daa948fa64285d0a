"""The play graph of the L-Game."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engines.games.l_game import LGame
from engines.kernels import l_game_graph
from engines.kernels import play_graph as kernel
from engines.solvers import l_game_positions
from engines.solvers.play_graph import PlayGraph


@lru_cache
def find_graph(game: LGame) -> PlayGraph:
    """Every position of it."""
    placements = l_game_positions.boards_of_placements()
    starts, successors, ends = l_game_positions.graph_of()
    boards = l_game_graph.positions(placements)
    moves = kernel.l_game_moves(boards, placements, starts, successors)
    kernel.put_in_order(starts, successors, moves)
    first = l_game_positions.number_of(game.initial())
    return PlayGraph(first, starts, successors, moves, ends, np.zeros(len(boards), np.bool_))
