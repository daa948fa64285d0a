"""The graph of rhombic chess: every position from the empty board to ten stones, and where its moves lead.

Positions are numbered layer by layer, ten stones first. In a layer the mover has half of the stones,
rounded down. A position's number is ``first + rank(own) * C(13 - own stones, other stones) + rank(other)``,
where the rank of a set of points counts those of its size before it (in the combinatorial number system),
and the other's points are counted among those that the mover leaves free.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.kernels.arithmetic import U64, lowest, popcount
from engines.kernels.jit import Int32s, Int64s, UInt16s, Words, compiled

POINTS = 13
STONES = 10
ALL = U64((1 << POINTS) - 1)


@compiled
def choose() -> Int64s:
    """Pascal's triangle: how many sets of each size (column) there are of so many points (row)."""
    ways = np.zeros((POINTS + 1, POINTS + 1), np.int64)
    for points in range(POINTS + 1):
        ways[points, 0] = 1
        for size in range(1, points + 1):
            ways[points, size] = ways[points - 1, size - 1] + ways[points - 1, size]
    return ways


@compiled
def layer_starts(ways: Int64s) -> Int64s:
    """The number of the first position with each number of stones, and, at 11, how many there are in all."""
    starts = np.zeros(STONES + 2, np.int64)
    total = 0
    for stones in range(STONES, -1, -1):
        starts[stones] = total
        total += ways[POINTS, stones // 2] * ways[POINTS - stones // 2, stones - stones // 2]
    starts[STONES + 1] = total
    return starts


@compiled
def rank(points: U64, among: U64, ways: Int64s) -> int:
    """How many sets of the same size come before `points`, both taken among the points of `among`."""
    number = 0
    size = 1
    while points:
        low = points & (~points + U64(1))
        number += ways[popcount(among & (low - U64(1))), size]
        points ^= low
        size += 1
    return number


@compiled
def index(own: U64, other: U64, starts: Int64s, ways: Int64s) -> Any:  # of entries
    """The number of a position."""
    mine, theirs = popcount(own), popcount(other)
    sets = ways[U64(POINTS) - mine, theirs]
    return starts[mine + theirs] + rank(own, ALL, ways) * sets + rank(other, ALL & ~own, ways)


@compiled
def positions() -> UInt16s:
    """The bitboards (own, other) of every position, an array (count, 2)."""
    ways = choose()
    starts = layer_starts(ways)
    bitboards = np.empty((starts[STONES + 1], 2), np.uint16)
    for own in range(1 << POINTS):
        for other in range(1 << POINTS):
            mine, theirs = popcount(U64(own)), popcount(U64(other))
            if own & other == 0 and mine + theirs <= STONES and mine == (mine + theirs) // U64(2):
                place = index(U64(own), U64(other), starts, ways)
                bitboards[place, 0] = own
                bitboards[place, 1] = other
    return bitboards


@compiled
def graph(boards: UInt16s, neighbours: Words) -> tuple[Int64s, Int32s]:
    """Where the successors of each position begin, and the successors, as the retrograde solver takes them.

    `boards` are all `positions`; `neighbours` (13) are the points joined to each.
    """
    ways = choose()
    starts = layer_starts(ways)
    places = np.zeros(len(boards) + 1, np.int64)
    successors = np.empty(len(boards) * POINTS, np.int32)
    made = 0
    for position in range(len(boards)):
        own, other = U64(boards[position, 0]), U64(boards[position, 1])
        empty = ALL & ~(own | other)
        left = own if popcount(own | other) == U64(STONES) else U64(1)
        while left:
            stone = left & (~left + U64(1))
            left ^= stone
            moving = popcount(own | other) == U64(STONES)
            ends = empty & neighbours[lowest(stone)] if moving else empty
            while ends:
                end = ends & (~ends + U64(1))
                ends ^= end
                mine = (own ^ stone if moving else own) | end
                successors[made] = index(other, mine, starts, ways)
                made += 1
        places[position + 1] = made
    return places, successors[:made]
