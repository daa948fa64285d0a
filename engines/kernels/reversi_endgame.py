"""Reversi solved to its end on boards of up to 64 squares: exact scores where few squares are empty.

Principal variation search (Marsland and Campbell, *Parallel search of strongly ordered game trees*, Computing
Surveys 1982) on bitboards, with a table of positions already searched. Moves that leave the other side few
answers are tried first, and of them those in a quarter of the board with an odd number of empty squares. An
answer in a corner counts twice; where fewer discs win it counts for nothing, and a move that turns many discs
over comes later.

Every board lies in the top left of 8 by 8 squares, bit ``8 * row + column``; squares outside the board are
not empty and nobody's, so that no line crosses them. A score is the mover's final advantage in discs times
`sign`, which is -1 where fewer discs win. Squares that stay empty count for nobody.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engines.kernels.arithmetic import leading, lowest, mix, popcount
from engines.kernels.jit import Words, compiled

U64 = np.uint64
WIDTH = 8
Score = int | np.int64  # which are one where they are compiled
INFINITE: Score = 100

FEW = 5
"""With at most so many empty squares they are tried as they come: looking for the best order costs more."""

MAX_MOVES = 34
"""Room for the moves of any position."""

HIGHEST = U64(1 << 63)
INNER = U64(0x7E7E7E7E7E7E7E7E)
QUARTERS = np.array([0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F << 32, 0xF0F0F0F0 << 32], np.uint64)
CORNERS = U64(0x8100000000000081)
BYTE = U64(255)
NO_SQUARE = U64(WIDTH * WIDTH)


class Position(NamedTuple):
    """The mover's discs, the other side's, and the empty squares of the board."""

    own: np.uint64
    opp: np.uint64
    empty: np.uint64


class Memory(NamedTuple):
    """What a search keeps.

    `known` (a power of two, 3) has the mover's discs and the other's and, in eight bits each, bounds of the
    score (plus `INFINITE`) and the best square. `boards` (65, `MAX_MOVES`, 4) has room for the moves at
    each number of empty squares. ``nodes[0]`` counts the positions searched before few squares are left;
    beyond ``nodes[1]`` of them a search is given up: what it returns, and what is known then, say nothing.
    """

    known: Words
    boards: Words
    nodes: Words


def _rays() -> Words:
    """For each square the squares that lie beyond it in four directions up the bit order and four down it."""
    rays = np.zeros((WIDTH * WIDTH, 8), np.uint64)
    ways = ((0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1))
    for square in range(WIDTH * WIDTH):
        for number, (down, right) in enumerate(ways):
            row, column = square // WIDTH + down, square % WIDTH + right
            while 0 <= row < WIDTH and 0 <= column < WIDTH:
                rays[square, number] |= U64(1 << row * WIDTH + column)
                row, column = row + down, column + right
    return rays


RAYS = _rays()


@compiled
def flips(own: U64, opp: U64, square: U64) -> U64:
    """The discs of `opp` that a disc of `own` on `square` turns over."""
    flipped = U64(0)
    for way in range(4):
        ray = RAYS[square, way]
        end = ray & ~opp
        end &= (~end + U64(1)) & own
        flipped |= ray & (end - U64(end != 0))
    for way in range(4, 8):
        ray = RAYS[square, way]
        end = HIGHEST >> leading(ray & ~opp | U64(1)) & own & ray
        flipped |= ray & (~(end << U64(1)) + U64(1))
    return flipped


@compiled
def _along(own: U64, inside: U64, shift: U64) -> U64:
    """The squares one beyond a run of `inside` that begins next to `own`, both ways along one line."""
    double = shift + shift
    up = inside & own << shift
    up |= inside & up << shift
    down = inside & own >> shift
    down |= inside & down >> shift
    pairs = inside & inside << shift
    low_pairs = pairs >> shift
    up |= pairs & up << double
    down |= low_pairs & down >> double
    up |= pairs & up << double
    down |= low_pairs & down >> double
    return up << shift | down >> shift


@compiled
def placements(own: U64, opp: U64, empty: U64) -> U64:
    """The empty squares where the side of `own` may place a disc."""
    inside = opp & INNER
    squares = _along(own, inside, U64(1)) | _along(own, inside, U64(7)) | _along(own, inside, U64(9))
    return (squares | _along(own, opp, U64(8))) & empty


@compiled
def _final(position: Position, sign: int) -> Score:
    """The score of a board on which nothing more is placed."""
    return sign * (np.int64(popcount(position.own)) - np.int64(popcount(position.opp)))


@compiled
def _odd_quarters(empty: U64) -> U64:
    """The quarters that have an odd number of empty squares."""
    odd = U64(0)
    for quarter in QUARTERS:
        if popcount(empty & quarter) & U64(1):
            odd |= quarter
    return odd


@compiled
def _few(position: Position, alpha: Score, beta: Score, sign: int) -> Score:
    """As `search`, trying the squares as they come, those of odd quarters first."""
    own, opp, empty = position
    best = -INFINITE
    odd = empty & _odd_quarters(empty)
    for some in (odd, empty ^ odd):
        rest = some
        while rest:
            square = lowest(rest)
            disc = U64(1) << square
            rest ^= disc
            turned = flips(own, opp, square)
            if turned:
                after = Position(opp ^ turned, own | turned | disc, empty ^ disc)
                if empty == disc:
                    return -_final(after, sign)
                best = max(best, -_few(after, -beta, -max(alpha, best), sign))
                if best >= beta:
                    return best
    if best > -INFINITE:
        return best
    if placements(opp, own, empty) == 0:
        return _final(position, sign)
    return -_few(Position(opp, own, empty), -beta, -alpha, sign)


@compiled
def _sorted_moves(position: Position, moves: U64, first: U64, sign: int, boards: Words) -> int:
    """Fill rows of `boards` with the moves, the most promising first; how many there are.

    The square `first` comes before all. A row has the move's order, its square, and the boards of the other
    side and of the mover after it.
    """
    own, opp, empty = position
    odd = _odd_quarters(empty)
    count = 0
    while moves:
        square = lowest(moves)
        disc = U64(1) << square
        moves ^= disc
        turned = flips(own, opp, square)
        theirs, mine = opp ^ turned, own | turned | disc
        answers = placements(theirs, mine, empty ^ disc)
        order = U64(2) * popcount(answers) + U64(odd & disc == 0)
        if sign > 0:
            order += U64(2) * popcount(answers & CORNERS)
        else:
            order += (popcount(turned) >> U64(1)) - U64(2) * popcount(answers & CORNERS)
        if square == first:
            order = U64(0)
        at = count
        while at > 0 and boards[at - 1, 0] > order:
            boards[at] = boards[at - 1]
            at -= 1
        boards[at, 0] = order
        boards[at, 1] = square
        boards[at, 2] = theirs
        boards[at, 3] = mine
        count += 1
    return count


@compiled
def _recall(entry: Words, position: Position) -> tuple[Score, Score, U64]:
    """The bounds of the position's score and the square that was best, as far as they are known."""
    if entry[0] != position.own or entry[1] != position.opp:
        return -INFINITE, INFINITE, NO_SQUARE
    low = np.int64(entry[2] & BYTE) - INFINITE
    high = np.int64(entry[2] >> U64(8) & BYTE) - INFINITE
    return low, high, entry[2] >> U64(16)


@compiled
def _remember(entry: Words, position: Position, low: Score, high: Score, first: U64) -> None:
    """Keep them for next time, instead of what the entry had."""
    entry[0] = position.own
    entry[1] = position.opp
    entry[2] = U64(low + INFINITE) | U64(high + INFINITE) << U64(8) | first << U64(16)


@compiled
def search(position: Position, alpha: Score, beta: Score, sign: int, memory: Memory) -> Score:
    """The mover's score with perfect play, or a bound of it where it lies outside `alpha` to `beta`.

    It means nothing once more positions were searched than `memory` allows.
    """
    own, opp, empty = position
    memory.nodes[0] += U64(1)
    moves = placements(own, opp, empty)
    if moves == 0:
        if placements(opp, own, empty) == 0:
            return _final(position, sign)
        return -search(Position(opp, own, empty), -beta, -alpha, sign, memory)
    left = np.int64(popcount(empty))
    if left <= FEW:
        return _few(position, alpha, beta, sign)
    entry = memory.known[np.int64(mix(own ^ mix(opp)) & U64(len(memory.known) - 1))]
    low, high, first = _recall(entry, position)
    if low >= min(beta, high) or memory.nodes[0] > memory.nodes[1]:
        return low
    if high <= alpha:
        return high
    boards = memory.boards[left]
    best = -INFINITE
    for at in range(_sorted_moves(position, moves, first, sign, boards)):
        after = Position(boards[at, 2], boards[at, 3], empty & ~(boards[at, 2] | boards[at, 3]))
        floor = max(alpha, best)
        scouting = at > 0 and beta - floor > 1
        value = -search(after, -floor - 1 if scouting else -beta, -floor, sign, memory)
        if scouting and floor < value < beta:
            value = -search(after, -beta, -value, sign, memory)
        if value > best:
            best, first = value, boards[at, 1]
        if best >= beta:
            break
    _remember(entry, position, best if best > alpha else low, best if best < beta else high, first)
    return best
