"""Games that only go forward, solved from their ends: every position is settled once, after its successors.

While it works, a value is one unsigned integer whose order is the order of preference of the side to move: a
loss at distance ``d`` is ``d``, a draw is half of the greatest number, a win is that number less ``d``. The
mover takes the least of what its moves leave to the other side, and `turned` says what that is worth to it.
"""

from __future__ import annotations

import numpy as np

from engines.kernels.jit import Bytes, Int32s, Int64s, UInt16s, compiled

LOW = 6
"""Sets that differ only in so many of their first elements lie together and are settled in one go."""


@compiled
def turned(least: int, top: int) -> int:
    """What a position is worth whose best move leads to a position of value `least` for the other side."""
    return top - 1 - least if least <= top // 2 else top + 1 - least


@compiled
def settle(values: UInt16s, starts: Int64s, successors: Int32s, top: int) -> None:
    """Settle a graph whose every position comes after its successors; one without any keeps its value.

    The successors of position ``p`` are ``successors[starts[p]:starts[p + 1]]``, `top` is the greatest value.
    """
    for position in range(len(values)):
        least = top + 1
        for at in range(starts[position], starts[position + 1]):
            least = min(least, values[successors[at]])
        if least <= top:
            values[position] = turned(least, top)


@compiled
def _inside(masks: Int64s, size: int) -> tuple[Int64s, Int64s]:
    """The masks that each set within the first block has, in one list, and where each set's begin."""
    starts = np.zeros(size + 1, np.int64)
    inside = np.empty(size * len(masks), np.int64)
    filled = 0
    for low in range(size):
        for mask in masks:
            if mask & low == mask:
                inside[filled] = mask
                filled += 1
        starts[low + 1] = filled
    return starts, inside


@compiled
def settle_sets(values: Bytes, masks: Int64s, first: int, last: int) -> None:
    """Settle sets from which a move takes a subset that is one of `masks`; the empty set has its value.

    `values` (one byte a set, ``values[0]`` filled in) is indexed by the sets as bit masks. Blocks `first` to
    ``last - 1`` are settled, of ``1 << LOW`` sets each, or all there are. A mask that needs none of the first
    `LOW` elements is taken from a whole block at a time, one that needs some from the sets that have these.
    """
    size = min(1 << LOW, len(values))
    starts, inside = _inside(masks, size)
    for block in range(first, last):
        base = block * size
        best = values[base : base + size]
        best[0 if base else 1 :] = 255
        for mask in masks:
            rest = mask & (size - 1)
            if rest == mask or mask - rest & ~base:
                continue
            source = values[base ^ (mask - rest) : (base ^ (mask - rest)) + size]
            if rest == 0:
                for low in range(size):
                    best[low] = min(best[low], source[low])
            else:
                for low in range(rest, size):
                    if low & rest == rest:
                        best[low] = min(best[low], source[low ^ rest])
        for low in range(0 if base else 1, size):
            least = int(best[low])
            for at in range(starts[low], starts[low + 1]):
                least = min(least, int(best[low ^ inside[at]]))
            best[low] = turned(least, 255)
