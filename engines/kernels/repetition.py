"""How often a game came to each of its positions, without clearing anything between games.

`counts` has a `uint16` for each position. It holds ``floor + times`` for those that the present game came to,
and at most `floor` for all others, whichever game they were left by: each game begins with a higher floor.
"""

from __future__ import annotations

from engines.kernels.arithmetic import U64
from engines.kernels.jit import UInt16s, compiled

ONE = U64(1)
HIGHEST = U64((1 << 16) - 1)


@compiled
def times_seen(counts: UInt16s, position: int | U64, floor: U64) -> U64:
    """Count that the game came to `position` once more: how often it has by now (`uint64`)."""
    now = max(U64(counts[position]), floor) + ONE
    counts[position] = now
    return now - floor


@compiled
def next_floor(counts: UInt16s, floor: U64, most: U64) -> U64:
    """The floor for the next game (`uint64`), when no position is counted more than `most` times in a game.

    Once in many games the counts run out, and are cleared.
    """
    floor += most
    if floor + most <= HIGHEST:
        return floor
    counts[:] = 0
    return U64(0)
