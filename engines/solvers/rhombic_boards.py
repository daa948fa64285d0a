"""Other boards that rhombic chess could be played on, judged by the row of ten stones that they give.

The document's drawing of the board is missing. Its text says that the board has 13 points where lines meet,
and its table how many positions with ten stones are won, lost and drawn. Here are all boards on the 13 places
of `engines.games.rhombic_chess` whose lines look the same from all four sides and in a mirror, and join
places that are neighbours: side by side, or one step along a diagonal.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from engines.games.rhombic_chess import NEIGHBOURS, PLACES, POINTS, SYMMETRIES
from engines.kernels import rhombic_graph
from engines.solvers.retrograde import Graph, solve
from engines.solvers.rhombic_positions import layer_size

TEN = 10
FARTHEST = 2
"""The square of the longest distance that a line joins."""

Lines = tuple[int, ...]
"""For each point the bitboard of those that a line joins it to."""


class Board(NamedTuple):
    """Lines, and the positions with ten stones that are won, lost and drawn for the side to move."""

    lines: Lines
    won: int
    lost: int
    drawn: int


def orbits() -> list[frozenset[tuple[int, int]]]:
    """The lines that the symmetries take to each other, a set for each kind."""
    pairs = {
        (one, other)
        for one in range(POINTS)
        for other in range(one)
        if (PLACES[one][0] - PLACES[other][0]) ** 2 + (PLACES[one][1] - PLACES[other][1]) ** 2 <= FARTHEST
    }
    kinds = {
        frozenset((max(each[a], each[b]), min(each[a], each[b])) for each in SYMMETRIES) for a, b in pairs
    }
    return sorted(kinds, key=sorted)


def boards() -> list[Lines]:
    """All of them on which every point has a line."""
    kinds = orbits()
    all_boards = []
    for number in range(1, len(kinds) + 1):
        for chosen in combinations(kinds, number):
            lines = [0] * POINTS
            for one, other in frozenset().union(*chosen):
                lines[one] |= 1 << other
                lines[other] |= 1 << one
            if all(lines):
                all_boards.append(tuple(lines))
    return all_boards


def judged(lines: Lines) -> Board:
    """A board with its row of ten stones."""
    starts, successors = rhombic_graph.graph(rhombic_graph.positions(), np.array(lines, np.uint64))
    count = layer_size(TEN)
    graph = Graph(starts[: count + 1], successors[: starts[count]], np.full(count, -1, np.int8))
    codes = solve(graph)
    won, drawn = int((codes % 2 == 1).sum()), int((codes == 0).sum())
    return Board(lines, won, count - won - drawn, drawn)


def is_ours(board: Board) -> bool:
    """Whether it is the board of `engines.games.rhombic_chess`."""
    return board.lines == NEIGHBOURS
