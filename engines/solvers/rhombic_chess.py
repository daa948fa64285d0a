"""Rhombic chess solved: every position from the empty board to ten stones, one byte each.

The ten-stone positions, where play can go in circles, and the nine layers of placing before them are one
graph, solved in one go. A position's number is that of `engines.kernels.rhombic_graph`.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from engines.games.rhombic_chess import FULL, NEIGHBOURS, POINTS, STONES, RhombicChess, State
from engines.solvers.oracle import Oracle, Progress, Solution, Value, decoded, no_progress
from engines.solvers.tables import open_table

if TYPE_CHECKING:
    from engines.solvers.retrograde import Graph

CONTENT = "values-1"
MOST_STONES = 2 * STONES


def layer_size(stones: int) -> int:
    """How many positions have so many stones, the mover's being half of them, rounded down."""
    return comb(POINTS, stones // 2) * comb(POINTS - stones // 2, stones - stones // 2)


LAYER_STARTS = tuple(
    sum(map(layer_size, range(stones + 1, MOST_STONES + 1))) for stones in range(MOST_STONES + 1)
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


class RhombicOracle(Oracle[State]):
    """Values from the table."""

    def __init__(self, table: memoryview) -> None:
        self._table = table

    def value(self, state: State) -> Value:
        """The value of any position whose stones were placed in turn."""
        return decoded(self._table[number_of(state)])


def find_oracle(game: RhombicChess, progress: Progress = no_progress) -> RhombicOracle:
    """The exact values of rhombic chess."""
    return RhombicOracle(open_table(game, CONTENT, _build, progress))


def graph_of() -> Graph:
    """The graph of rhombic chess."""
    import numpy as np

    from engines.kernels import rhombic_graph
    from engines.solvers.retrograde import Graph

    boards = rhombic_graph.positions()
    starts, successors = rhombic_graph.graph(boards, np.array(NEIGHBOURS, np.uint64))
    return Graph(starts, successors, np.full(len(boards), -1, np.int8))


def analyse(game: RhombicChess, *, progress: Progress = no_progress) -> Solution:
    """The document's table, exact and by other rules: see `engines.solvers.rhombic_layers`."""
    from engines.solvers.rhombic_layers import layers

    return layers(game, progress)


def _build(progress: Progress) -> memoryview:
    from engines.solvers.retrograde import solve

    progress(0, 2)
    graph = graph_of()
    progress(1, 2)
    codes = solve(graph)
    progress(2, 2)
    return memoryview(codes.data)
