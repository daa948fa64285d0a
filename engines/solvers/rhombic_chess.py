"""Rhombic chess solved: every position from the empty board to ten stones, one byte each.

The ten-stone positions, where play can go in circles, and the nine layers of placing before them are one
graph, solved in one go. A position's number is that of `engines.solvers.rhombic_positions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engines.games.rhombic_chess import FULL, POINTS, RhombicChess, State
from engines.solvers.oracle import Oracle, Progress, Solution, Value, decoded, no_progress
from engines.solvers.rhombic_positions import MAX_STONES, graph_of, layer_size, number_of
from engines.solvers.tables import open_table

CONTENT = "values-1"


class RhombicOracle(Oracle[State]):
    """Values from the table."""

    def __init__(self, table: memoryview) -> None:
        self.codes = table

    def value(self, state: State) -> Value:
        """The value of any position whose stones were placed in turn."""
        return decoded(self.codes[number_of(state)])


def find_oracle(game: RhombicChess, progress: Progress = no_progress) -> RhombicOracle:
    """The exact values of rhombic chess."""
    return RhombicOracle(open_table(game, CONTENT, _build, progress))


def all_positions(_game: RhombicChess) -> tuple[int, Iterator[State]]:
    """How many positions there are up to the seats, and each of them, from ten stones to none.

    Seat 0 has placed as many stones as seat 1 when it is to move, and with all ten placed it is.
    """
    states = (
        State(own, other, 0 if stones % 2 == 0 else 1)
        for stones in range(MAX_STONES, -1, -1)
        for own in _sets(FULL, stones // 2)
        for other in _sets(FULL & ~own, stones - stones // 2)
    )
    return sum(map(layer_size, range(MAX_STONES + 1))), states


def _sets(among: int, size: int) -> Iterator[int]:
    """All sets of so many of these points, in the order of `_rank`."""
    points = [1 << point for point in range(POINTS - 1, -1, -1) if among >> point & 1]
    chosen = (sum(each) for each in combinations(points, size))
    return iter(sorted(chosen))


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
