"""The moves of solved games by their positions' numbers, each position's in the order of the legal moves."""

from __future__ import annotations

import numpy as np

from engines.games.heap_nim import STRIDE
from engines.games.l_game import SQUARES, TAILS
from engines.games.rhombic_chess import POINTS
from engines.kernels.arithmetic import U64, lowest
from engines.kernels.jit import Codes, Int32s, Int64s, UInt16s, Words, compiled


@compiled
def l_game_moves(boards: UInt16s, placements: Words, starts: Int64s, successors: Int32s) -> Int32s:
    """The move that each successor is reached by.

    `boards` are the positions of `engines.kernels.l_game_graph`, `placements` the squares of the Ls.
    """
    moves = np.empty(len(successors), np.int32)
    for position in range(len(boards)):
        discs = U64(boards[position, 2])
        for at in range(starts[position], starts[position + 1]):
            after = boards[successors[at]]
            placed = 0
            while placements[placed] != U64(after[1]):
                placed += 1
            moved = U64(after[2])
            move = placed * TAILS
            if moved != discs:
                start, end = int(lowest(discs & ~moved)), int(lowest(moved & ~discs))
                move += 1 + start * SQUARES + end
            moves[at] = move
    return moves


@compiled
def rhombic_moves(boards: UInt16s, starts: Int64s, successors: Int32s) -> Int32s:
    """The move that each successor is reached by; `boards` are those of `engines.kernels.rhombic_graph`."""
    moves = np.empty(len(successors), np.int32)
    for position in range(len(boards)):
        own = U64(boards[position, 0])
        for at in range(starts[position], starts[position + 1]):
            mine = U64(boards[successors[at], 1])
            move = int(lowest(mine & ~own))
            if own & ~mine:
                move += POINTS + int(lowest(own & ~mine)) * POINTS
            moves[at] = move
    return moves


@compiled
def heap_moves(sizes: Int64s, strides: Int64s, starts: Int64s, successors: Int32s, moves: Int32s) -> None:
    """Fill the graph of heaps of `sizes`, numbered with a digit a heap; `strides` are the digits' worth."""
    digits = np.zeros(len(sizes), np.int64)
    made = 0
    for position in range(len(starts) - 1):
        for heap in range(len(sizes)):
            for taken in range(1, digits[heap] + 1):
                successors[made] = position - taken * strides[heap]
                moves[made] = heap * STRIDE + taken
                made += 1
        starts[position + 1] = made
        heap = len(sizes) - 1
        while heap >= 0 and digits[heap] == sizes[heap]:
            digits[heap] = 0
            heap -= 1
        if heap >= 0:
            digits[heap] += 1


@compiled
def put_in_order(starts: Int64s, successors: Int32s, moves: Int32s) -> None:
    """Sort each position's successors by their moves."""
    for position in range(len(starts) - 1):
        for at in range(starts[position] + 1, starts[position + 1]):
            move, successor = moves[at], successors[at]
            place = at
            while place > starts[position] and moves[place - 1] > move:
                moves[place], successors[place] = moves[place - 1], successors[place - 1]
                place -= 1
            moves[place], successors[place] = move, successor


@compiled
def _rank(code: np.unsignedinteger) -> int:
    """A number for a code of `engines.solvers.oracle`: the greater, the better it is to have moved there."""
    if code == 0:
        return 0
    distance = (int(code) - 1) // 2
    return distance - (1 << 20) if code % 2 else (1 << 20) - distance


@compiled
def best_moves(starts: Int64s, successors: Int32s, codes: Codes, promise: Int64s) -> tuple[Int64s, Int64s]:
    """Where each position's best moves begin in a list, and the list: places in `successors`, ascending.

    `promise` (positions, 2) is a fraction for each position, by which the perfect player chooses among moves
    into drawn positions; without any it has no rows.
    """
    bests = np.zeros(len(starts), np.int64)
    places = np.empty(len(successors), np.int64)
    made = 0
    for position in range(len(starts) - 1):
        highest = -(1 << 30)
        top, whole = 0, 1
        for at in range(starts[position], starts[position + 1]):
            after = successors[at]
            rank = _rank(codes[after])
            some, all_ = 0, 1
            if len(promise) and rank == 0:
                some, all_ = promise[after, 0], promise[after, 1]
            if rank > highest or (rank == highest and some * whole > top * all_):
                made = bests[position]
                highest, top, whole = rank, some, all_
            if rank == highest and some * whole == top * all_:
                places[made] = at
                made += 1
        bests[position + 1] = made
    return bests, places[:made]


@compiled
def places_of(starts: Int64s, moves: Int32s, wanted_starts: Int64s, wanted: Int32s) -> Int64s:
    """The places in `moves` of the `wanted` ones, position by position; both ascend within a position."""
    places = np.empty(len(wanted), np.int64)
    for position in range(len(starts) - 1):
        at = starts[position]
        for each in range(wanted_starts[position], wanted_starts[position + 1]):
            while moves[at] != wanted[each]:
                at += 1
            places[each] = at
    return places
