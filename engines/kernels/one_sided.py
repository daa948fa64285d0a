"""A player of Reversed Reversi whose search places discs of one side only, and its games with random.

That is the program of a class (`bots.reference.group8` tells of it and gives its weights). It is compiled so
that its results can be judged from thousands of games. Boards are of 8 by 8 squares, bit ``8 * row +
column``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engines.kernels.arithmetic import U64, below, game_state, lowest, nth_set, popcount
from engines.kernels.jit import Int16s, Int64s, compiled
from engines.kernels.reversi_eight import flips, placements

INFINITE = 1_000_000
ZERO, ONE = U64(0), U64(1)
X_AT_FIRST = ONE << U64(27) | ONE << U64(36)
O_AT_FIRST = ONE << U64(28) | ONE << U64(35)


@compiled
def _sum(board: U64, weights: Int64s) -> int:
    """The weights of a board's squares."""
    total = 0
    while board:
        total += weights[lowest(board)]
        board &= board - ONE
    return total


@compiled
def _marked(own: U64, opp: U64) -> U64:
    """The squares that the program takes for playable after a move of `own`: the other side's, if any."""
    marked = placements(opp, own, ~(own | opp))
    return marked or placements(own, opp, ~(own | opp))


@compiled
def _value(
    board: tuple[U64, U64, int], weights: Int64s, sign: int, depth: int, floor: int
) -> Any:  # of entries
    """What a board is worth `depth` levels (at least one) on, or a bound of it that is at most `floor`.

    `board` is the own discs, the others' and the own weights minus theirs; `sign` is 1 where the first level
    wants much of that and -1 where it wants little. The levels are kept on a stack of their own, for Numba
    cannot read a function that calls itself from its cache.
    """
    boards, sums = np.empty((depth, 3), np.uint64), np.empty(depth, np.int64)
    bounds = np.empty((depth, 3), np.int64)  # alpha, beta, and the best so far
    boards[0, 0], boards[0, 1], sums[0] = board
    boards[0, 2] = _marked(boards[0, 0], boards[0, 1])
    if not boards[0, 2]:
        return sign * sums[0]
    bounds[0, 0], bounds[0, 1], bounds[0, 2] = floor, INFINITE, -INFINITE
    level = 0
    while True:
        own, opp, marked = boards[level]
        alpha, beta, best = bounds[level]
        if not marked or best >= beta:
            if not level:
                return best
            level -= 1
            bounds[level, 2] = max(bounds[level, 2], -best)
            continue
        boards[level, 2] = marked & (marked - ONE)
        square = lowest(marked)
        line = flips(own, opp, square)
        after = sums[level] + weights[square] + 2 * _sum(line, weights)
        own, opp, deeper = own | line | ONE << square, opp ^ line, level + 1
        marked = _marked(own, opp) if deeper < depth else ZERO
        if marked:
            boards[deeper, 0], boards[deeper, 1], boards[deeper, 2] = own, opp, marked
            bounds[deeper, 0], bounds[deeper, 1], bounds[deeper, 2] = -beta, -max(alpha, best), -INFINITE
            sums[deeper], level = after, deeper
        else:
            bounds[level, 2] = max(best, (-sign if level % 2 else sign) * after)


@compiled
def choose(own: U64, opp: U64, is_x: bool, weights: Int64s, depth: int) -> tuple[U64, int]:
    """The square that the program plays, the first of the highest score, and that score."""
    weight = _sum(own, weights) - _sum(opp, weights)
    marked = placements(own, opp, ~(own | opp))
    best, chosen = -INFINITE, ZERO
    sign = -1 if is_x else 1
    while marked:
        square = lowest(marked)
        line = flips(own, opp, square)
        after = weight + weights[square] + 2 * _sum(line, weights)
        board = own | line | ONE << square, opp ^ line, after
        score = _value(board, weights, sign, depth, best)
        if score > best:
            best, chosen = score, square
        marked &= marked - ONE
    return chosen, best


@compiled
def play(weights: Int64s, depth: int, seat: int, run: U64, discs: Int16s) -> None:
    """Games of the program in `seat` (0 is X) against random moves: the discs of both in the rows of `discs`.

    Game ``i`` draws from the stream of that game in the run; a draw is made for each random move.
    """
    for game in range(len(discs)):
        state = game_state(run, U64(game))
        own, opp, turn, passed = X_AT_FIRST, O_AT_FIRST, 0, False
        while True:
            marked = placements(own, opp, ~(own | opp))
            if marked:
                if turn == seat:
                    square, _ = choose(own, opp, turn == 0, weights, depth)
                else:
                    number, state = below(state, popcount(marked))
                    square = lowest(nth_set(marked, number))
                line = flips(own, opp, square)
                own, opp = own | line | ONE << square, opp ^ line
            elif passed:
                break
            passed = not marked
            own, opp, turn = opp, own, 1 - turn
        mine, other = (own, opp) if turn == seat else (opp, own)
        discs[game, 0], discs[game, 1] = popcount(mine), popcount(other)


def games(weights: Sequence[int] | Int64s, depth: int, seat: int, run: int, count: int) -> Int16s:
    """The program's discs and the other side's after each of so many games, an array (count, 2)."""
    discs = np.zeros((count, 2), np.int16)
    play(np.array(weights, np.int64), depth, seat, U64(run), discs)
    return discs
