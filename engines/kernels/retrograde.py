"""Retrograde analysis of a game's graph: from the finished positions backwards, each move looked at once.

The method is Thompson's (*Retrograde analysis of certain endgames*, ICCA Journal 1986) with a count of the
successors not yet known to be won, so that a lost position is found when its last hope is gone.
"""

from __future__ import annotations

import numpy as np

from engines.kernels.jit import Int8s, Int32s, Int64s, compiled


@compiled
def predecessors(starts: Int64s, successors: Int32s) -> tuple[Int64s, Int32s]:
    """The graph backwards: of each position the places in `sources` and, there, the positions before it."""
    count = starts.size - 1
    places = np.zeros(count + 1, np.int64)
    for move in range(successors.size):
        places[successors[move] + 1] += 1
    for position in range(count):
        places[position + 1] += places[position]
    sources = np.empty(successors.size, np.int32)
    free = places[:-1].copy()
    for position in range(count):
        for move in range(starts[position], starts[position + 1]):
            after = successors[move]
            sources[free[after]] = position
            free[after] += 1
    return places, sources


@compiled
def solve(starts: Int64s, successors: Int32s, ends: Int8s) -> Int32s:
    """The code of every position (see `engines.solvers.oracle`).

    `starts` (count + 1) says where the successors of each position begin in `successors`;
    `ends` (count) is the result for the side to move where there are none, and not read elsewhere.
    Positions are taken up in the order of their distance, so the first lost successor of a position is the
    nearest, and the last won one the farthest.
    """
    count = starts.size - 1
    places, sources = predecessors(starts, successors)
    codes = np.zeros(count, np.int32)
    unknown = np.empty(count, np.int32)
    queue = np.empty(count, np.int32)
    known = 0
    for position in range(count):
        unknown[position] = starts[position + 1] - starts[position]
        if unknown[position] == 0 and ends[position] != 0:
            codes[position] = 1 if ends[position] > 0 else 2
            queue[known] = position
            known += 1
    taken = 0
    while taken < known:
        code = codes[queue[taken]]
        first, last = places[queue[taken]], places[queue[taken] + 1]
        taken += 1
        for place in range(first, last):
            before = sources[place]
            unknown[before] -= 1
            if codes[before] == 0 and (code % 2 == 0 or unknown[before] == 0):
                codes[before] = code + 1 if code % 2 == 0 else code + 3
                queue[known] = before
                known += 1
    return codes
