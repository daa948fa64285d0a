"""The positions of rhombic chess by their stones, their numbers, and the graph of the moves between them.

A position's number is that of `engines.kernels.rhombic_graph`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import TYPE_CHECKING

from engines.games.rhombic_chess import FULL, NEIGHBOURS, POINTS, STONES, RhombicChess, State

if TYPE_CHECKING:
    from engines.solvers.retrograde import Graph

MAX_STONES = 2 * STONES


def layer_size(stones: int) -> int:
    """How many positions have so many stones, the mover's being half of them, rounded down."""
    return comb(POINTS, stones // 2) * comb(POINTS - stones // 2, stones - stones // 2)


LAYER_STARTS = tuple(
    sum(map(layer_size, range(stones + 1, MAX_STONES + 1))) for stones in range(MAX_STONES + 1)
)
"""The number of the first position with each number of stones; ten stones come first."""


def number_of(state: State) -> int:
    """The number of a position, whichever seat is to move."""
    own, opp, _ = state
    stones = own.bit_count() + opp.bit_count()
    sets = comb(POINTS - own.bit_count(), opp.bit_count())
    return LAYER_STARTS[stones] + _rank(own, FULL) * sets + _rank(opp, FULL & ~own)


def _rank(points: int, among: int) -> int:
    """How many sets of the same size come before `points` in the combinatorial number system."""
    number, size = 0, 1
    while points:
        low = points & -points
        number += comb((among & (low - 1)).bit_count(), size)
        points ^= low
        size += 1
    return number


def numbering(_game: RhombicChess) -> Callable[[State], int]:
    """How a best response numbers the positions."""
    return number_of


def graph_of() -> Graph:
    """The graph of rhombic chess."""
    import numpy as np

    from engines.kernels import rhombic_graph
    from engines.solvers.retrograde import Graph

    boards = rhombic_graph.positions()
    starts, successors = rhombic_graph.graph(boards, np.array(NEIGHBOURS, np.uint64))
    return Graph(starts, successors, np.full(len(boards), -1, np.int8))
