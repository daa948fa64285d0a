"""The play graph of heap Nim."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np

from engines.games.heap_nim import HeapNim
from engines.kernels import play_graph as kernel
from engines.solvers import heap_nim
from engines.solvers.play_graph import PlayGraph


@lru_cache(maxsize=4)
def find_graph(game: HeapNim) -> PlayGraph | None:
    """It, if it fits into memory."""
    positions, count = heap_nim.positions(game), heap_nim.moves(game)
    if not heap_nim.fits_a_graph(game):
        return None
    strides = [prod(size + 1 for size in game.heaps[heap + 1 :]) for heap in range(len(game.heaps))]
    starts = np.zeros(positions + 1, np.int64)
    successors, moves = np.empty(count, np.int32), np.empty(count, np.int32)
    kernel.heap_moves(np.array(game.heaps), np.array(strides), starts, successors, moves)
    ends = np.full(positions, 1 if game.misere else -1, np.int8)
    return PlayGraph(positions - 1, starts, successors, moves, ends, np.zeros(positions, np.bool_))
