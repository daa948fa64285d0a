"""Every position of heaps of which a move takes any number from one: outcomes, Grundy numbers, the XOR rule.

A position's index has a digit a heap, the first heap's the most significant. Instead of looking at all
successors of a position, each heap keeps what was met on the way down to its being empty, for all that the
less significant heaps can hold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engines.kernels.arithmetic import lowest
from engines.kernels.forward import turned
from engines.kernels.jit import Codes, Int64s, UInt16s, Words, compiled

U64 = np.uint64
WORD = 64
TOP = (1 << 16) - 1
"""The greatest value, as `engines.kernels.forward` defines values."""


class Walk(NamedTuple):
    """What a walk over all positions in the order of their indices needs.

    `sizes` are the full heaps, and `digits` what they hold where the walk has come to. Heap ``h`` keeps
    what it met in the entries ``starts[h]`` to ``starts[h + 1] - 1`` of whatever is kept.
    """

    sizes: Int64s
    digits: Int64s
    starts: Int64s


@compiled
def _advance(digits: Int64s, sizes: Int64s) -> None:
    """Go on to what the heaps hold at the next index."""
    heap = len(sizes) - 1
    while heap >= 0 and digits[heap] == sizes[heap]:
        digits[heap] = 0
        heap -= 1
    if heap >= 0:
        digits[heap] += 1


@compiled
def settle(values: UInt16s, lows: UInt16s, walk: Walk, first: int, last: int) -> None:
    """Settle positions `first`, where the walk is, to ``last - 1``; ``values[0]`` is filled in.

    `lows` keeps the least value on the way down.
    """
    sizes, digits, starts = walk
    for position in range(first, last):
        least = TOP + 1
        for heap in range(len(sizes)):
            stride = starts[heap + 1] - starts[heap]
            slot = starts[heap] + position % stride
            if digits[heap]:
                lows[slot] = min(lows[slot], values[position - stride])
                least = min(least, lows[slot])
            else:
                lows[slot] = TOP
        if position:
            values[position] = turned(least, TOP)
        _advance(digits, sizes)


@compiled
def _least_missing(seen: Words, slots: Int64s, digits: Int64s) -> int:
    """The least number that is in none of the sets in `slots`, of the heaps that are not empty."""
    words: int = seen.shape[1]
    for word in range(words):
        present = U64(0)
        for heap in range(len(digits)):
            if digits[heap]:
                present |= seen[slots[heap], word]
        if ~present:
            return word * WORD + int(lowest(~present))
    return words * WORD


@compiled
def count_other_numbers(seen: Words, walk: Walk, first: int, last: int) -> int:
    """How many positions from `first`, where the walk is, to ``last - 1`` have a Grundy number unlike XOR.

    `seen` keeps the numbers on the way down as sets of bits (a row an entry). A number that is too
    great for them is none that the XOR could be.
    """
    sizes, digits, starts = walk
    slots = np.zeros(len(sizes), np.int64)
    different = 0
    for position in range(first, last):
        xor = 0
        for heap in range(len(sizes)):
            xor ^= digits[heap]
            slots[heap] = starts[heap] + position % (starts[heap + 1] - starts[heap])
        number = _least_missing(seen, slots, digits)
        different += number != xor
        for heap in range(len(sizes)):
            if digits[heap] == 0:
                seen[slots[heap]] = U64(0)
            if number < WORD * seen.shape[1]:
                seen[slots[heap], number // WORD] |= U64(1) << U64(number % WORD)
        _advance(digits, sizes)
    return different


@compiled
def count_lost(codes: Codes, walk: Walk, misere: bool) -> tuple[int, int]:
    """How many positions are lost by their `codes`, and how many the XOR rule takes for something else.

    `codes` are those of `engines.solvers.oracle`, of every position; the walk is at its beginning. With
    `misere`, the rule is turned round where no heap holds more than one.
    """
    sizes, digits, _ = walk
    lost = different = 0
    for position in range(len(codes)):
        xor = most = 0
        for heap in range(len(sizes)):
            xor ^= digits[heap]
            most = max(most, digits[heap])
        safe = codes[position] % 2 == 0
        lost += safe
        different += safe != ((xor == 0) != (misere and most <= 1))
        _advance(digits, sizes)
    return lost, different
