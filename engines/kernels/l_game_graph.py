"""The graph of the L-Game: every position a side to move can see, and where its moves lead.

A position is numbered ``pair * DISCS + discs``: the pair is that of the mover's placement and the other's
among the pairs that fit together, `discs` that of the two discs among the 28 on the eight squares left.
Moving the discs leads from one of the 28 to 13 of them, whatever the pair.
"""

from __future__ import annotations

import numpy as np

from engines.kernels.arithmetic import U64, popcount
from engines.kernels.jit import Int32s, Int64s, UInt16s, Words, compiled

DISCS = 28
FREE = 8
TAILS = 13
MAX_OTHERS = 17
"""So many placements besides the present one fit at most: 221 moves are the most that there are."""


@compiled
def pair_numbers(boards: Words) -> tuple[Int32s, int]:
    """The number of each pair (own, other) of placements that share no square, -1 for those that do."""
    numbers = np.full((boards.size, boards.size), -1, np.int32)
    count = 0
    for own in range(boards.size):
        for other in range(boards.size):
            if boards[own] & boards[other] == U64(0):
                numbers[own, other] = count
                count += 1
    return numbers, count


@compiled
def disc_numbers() -> tuple[Int32s, Int32s]:
    """The number of two discs by the ranks of their squares among the eight, and the 13 it can become."""
    numbers = np.zeros((FREE, FREE), np.int32)
    count = 0
    for one in range(FREE):
        for other in range(one + 1, FREE):
            numbers[one, other] = numbers[other, one] = count
            count += 1
    after = np.empty((DISCS, TAILS), np.int32)
    for one in range(FREE):
        for other in range(one + 1, FREE):
            row = after[numbers[one, other]]
            row[0] = numbers[one, other]
            tail = 1
            for square in range(FREE):
                if square not in (one, other):
                    row[tail] = numbers[square, other]
                    row[tail + 1] = numbers[one, square]
                    tail += 2
    return numbers, after


@compiled
def discs_among(free: U64) -> Words:
    """The 28 pairs of discs on the eight squares of `free`, as bitboards in the order of their numbers."""
    squares = np.empty(FREE, np.uint64)
    count = 0
    for square in range(16):
        if free >> U64(square) & U64(1):
            squares[count] = U64(1) << U64(square)
            count += 1
    boards = np.empty(DISCS, np.uint64)
    count = 0
    for one in range(FREE):
        for other in range(one + 1, FREE):
            boards[count] = squares[one] | squares[other]
            count += 1
    return boards


@compiled
def positions(boards: Words) -> UInt16s:
    """The bitboards (own L, other L, discs) of every position, an array (count, 3)."""
    numbers, pairs = pair_numbers(boards)
    bitboards = np.empty((pairs * DISCS, 3), np.uint16)
    for own in range(boards.size):
        for other in range(boards.size):
            if numbers[own, other] >= 0:
                discs = discs_among(U64(0xFFFF) & ~(boards[own] | boards[other]))
                first = numbers[own, other] * DISCS
                for each in range(DISCS):
                    bitboards[first + each, 0] = boards[own]
                    bitboards[first + each, 1] = boards[other]
                    bitboards[first + each, 2] = discs[each]
    return bitboards


@compiled
def graph(boards: Words) -> tuple[Int64s, Int32s]:
    """Where the successors of each position begin, and the successors, as the retrograde solver takes them.

    `boards` (48) are the placements' squares.
    """
    numbers, pairs = pair_numbers(boards)
    ranks, after = disc_numbers()
    starts = np.zeros(pairs * DISCS + 1, np.int64)
    successors = np.empty(pairs * DISCS * MAX_OTHERS * TAILS, np.int32)
    made = 0
    for own in range(boards.size):
        for other in range(boards.size):
            if numbers[own, other] < 0:
                continue
            discs = discs_among(U64(0xFFFF) & ~(boards[own] | boards[other]))
            for each in range(DISCS):
                taken = boards[other] | discs[each]
                for placed in range(boards.size):
                    if placed != own and boards[placed] & taken == U64(0):
                        free = ~(boards[other] | boards[placed])
                        low = discs[each] & (~discs[each] + U64(1))
                        one = popcount(free & (low - U64(1)))
                        two = popcount(free & (discs[each] - low - U64(1)))
                        first = numbers[other, placed] * DISCS
                        row = after[ranks[one, two]]
                        for tail in range(TAILS):
                            successors[made + tail] = first + row[tail]
                        made += TAILS
                starts[numbers[own, other] * DISCS + each + 1] = made
    return starts, successors[:made]
