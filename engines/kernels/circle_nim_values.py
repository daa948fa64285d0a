"""Exact chances in circle Nim, set by set: what random play comes to, and random play against perfect play.

Sets of circles are bit masks. All that the triangle's symmetries make of a set has the same chances, so
they are kept for one of them, the least. The random player is the document's: first the number of circles,
each that there is equally likely, then the line, so that its average is one of averages.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.kernels.arithmetic import lowest, popcount
from engines.kernels.jit import Bytes, Floats, Int64s, Words, compiled

U64 = np.uint64
WORD_BITS = 6
PIECE_BITS = 7
SYMMETRIES = 6
WORST = 256
"""No position that can be moved into has a greater rank."""


class Triangle(NamedTuple):
    """A triangle's shapes, the sets that stand for all that the symmetries make of them, and its lines.

    `words` has a bit a set, 1 for a shape; shapes are numbered in ascending order, and `before` is how many
    there are before each word. ``pieces[g, p, b]`` is where symmetry ``g`` takes the circles ``b`` of the
    ``p``-th seven, and ``lines[n, g]`` where it takes line ``n``;
    the first symmetry is the identity. Lines of one circle come first, then those of two and of three:
    ``kinds[k]`` is where each kind begins, the last entry where the last ends.
    """

    words: Words
    before: Int64s
    pieces: Int64s
    lines: Int64s
    kinds: Int64s


@compiled
def _turned(left: int | np.int64, pieces: Int64s, symmetry: int) -> int:
    """Where a symmetry takes the set `left`."""
    turned = 0
    for piece in range(pieces.shape[1]):
        turned |= pieces[symmetry, piece, left >> PIECE_BITS * piece & (1 << PIECE_BITS) - 1]
    return turned


@compiled
def mark_shapes(words: Words, pieces: Int64s, sets: int, first: int, last: int) -> None:
    """Fill the words `first` to ``last - 1`` of a triangle with so many `sets`."""
    for word in range(first, last):
        marks = U64(0)
        for left in range(word << WORD_BITS, min(sets, word + 1 << WORD_BITS)):
            symmetry = 1
            while symmetry < SYMMETRIES and _turned(left, pieces, symmetry) >= left:
                symmetry += 1
            if symmetry == SYMMETRIES:
                marks |= U64(1) << U64(left - (word << WORD_BITS))
        words[word] = marks


@compiled
def _number_after(whole: Int64s, line: int, triangle: Triangle) -> Any:  # of entries
    """The number of the shape that is left of the set that symmetries take to `whole`, less a line."""
    least = whole[0]
    for symmetry in range(SYMMETRIES):
        least = min(least, whole[symmetry] ^ triangle.lines[line, symmetry])
    word = least >> WORD_BITS
    below = (U64(1) << U64(least - (word << WORD_BITS))) - U64(1)
    return triangle.before[word] + np.int64(popcount(triangle.words[word] & below))


@compiled
def _at_random(values: Floats, whole: Int64s, triangle: Triangle) -> float:
    """The average of `values` after a move of the random player."""
    mean = 0.0
    counts = 0
    for kind in range(len(triangle.kinds) - 1):
        total = 0.0
        fitting = 0
        for line in range(triangle.kinds[kind], triangle.kinds[kind + 1]):
            if triangle.lines[line, 0] & ~whole[0] == 0:
                total += values[_number_after(whole, line, triangle)]
                fitting += 1
        if fitting:
            mean += total / fitting
            counts += 1
    return mean / counts


@compiled
def _rank(code: int) -> int:
    """A number for a code of `engines.solvers.oracle`: the less, the better it is to have moved there."""
    return WORST - code // 2 if code & 1 else code // 2


@compiled
def _at_best(values: Floats, codes: Bytes, whole: Int64s, triangle: Triangle) -> float:
    """The average of `values` after the best moves by the `codes` of all sets."""
    total = 0.0
    count = 0
    best = WORST
    for line in range(len(triangle.lines)):
        mask = triangle.lines[line, 0]
        if mask & ~whole[0] == 0:
            rank = _rank(int(codes[whole[0] ^ mask]))
            if rank < best:
                best = rank
                total = 0.0
                count = 0
            if rank == best:
                total += values[_number_after(whole, line, triangle)]
                count += 1
    return total / count


@compiled
def among_random(values: Floats, sign: float, triangle: Triangle, first: int, last: int) -> None:
    """Fill `values` (shapes) with 1 plus `sign` times the average of what random moves lead to.

    With -1 that is the chance of the side to move to win, with 1 the mean number of plies to the end. The
    shapes of the words `first` to ``last - 1`` are filled; the empty set has its value.
    """
    whole = np.zeros(SYMMETRIES, np.int64)
    for word in range(first, last):
        rest = triangle.words[word]
        number = triangle.before[word]
        while rest:
            left = (word << WORD_BITS) + np.int64(lowest(rest))
            rest &= rest - U64(1)
            if left:
                for symmetry in range(SYMMETRIES):
                    whole[symmetry] = _turned(left, triangle.pieces, symmetry)
                values[number] = 1.0 + sign * _at_random(values, whole, triangle)
            number += 1


@compiled
def against_perfect(values: Floats, codes: Bytes, triangle: Triangle, first: int, last: int) -> None:
    """Fill `values` (2, shapes) of a perfect side against a random one: the perfect to move, and the random.

    A value is the average of what the moves lead to, and 1 more unless the empty set's two values differ: if
    the second is 1 and the first 0 it is the random side's chance to win, if both are 0 the mean number of
    plies to the end. `codes` (sets) say which moves are best; each of them is equally likely.
    """
    plus = 1.0 if values[0, 0] == values[1, 0] else 0.0
    whole = np.zeros(SYMMETRIES, np.int64)
    for word in range(first, last):
        rest = triangle.words[word]
        number = triangle.before[word]
        while rest:
            left = (word << WORD_BITS) + np.int64(lowest(rest))
            rest &= rest - U64(1)
            if left:
                for symmetry in range(SYMMETRIES):
                    whole[symmetry] = _turned(left, triangle.pieces, symmetry)
                values[0, number] = plus + _at_best(values[1], codes, whole, triangle)
                values[1, number] = plus + _at_random(values[0], whole, triangle)
            number += 1
