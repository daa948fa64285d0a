"""Reversi's boards as bitboards: where a disc may be placed, and which ones it turns over.

Squares are numbered row by row from the top left; bit ``i`` of a board is square ``i``.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Geometry(NamedTuple):
    """The masks that the bitboards of one board need."""

    squares: int
    full: int
    shifts: tuple[tuple[int, int], ...]


@cache
def geometry(columns: int, rows: int | None = None) -> Geometry:
    """The masks for a board of so many columns and rows, as many rows as columns unless they are given.

    Each pair of `shifts` is a distance and the squares from which a step of that distance, up or down the
    bit order, cannot wrap around an edge.
    """
    rows = columns if rows is None else rows
    squares = columns * rows
    full = (1 << squares) - 1
    column_a = sum(1 << (row * columns) for row in range(rows))
    inner = full & ~column_a & ~(column_a << (columns - 1))
    shifts = ((1, inner), (columns, full), (columns - 1, inner), (columns + 1, inner))
    return Geometry(squares, full, shifts)


def centre(columns: int, rows: int) -> tuple[int, int]:
    """The discs of X and of O before the first move."""
    upper = (rows // 2 - 1) * columns + columns // 2 - 1
    lower = upper + columns
    return 1 << upper | 1 << lower + 1, 1 << upper + 1 | 1 << lower


def placements(own: int, opp: int, geo: Geometry) -> int:
    """A bitboard of the squares where the side of `own` may place a disc.

    In each direction the runs of `opp` next to `own` are followed until nothing is left of them. A
    parallel-prefix fill would take fewer steps on wide boards, but runs are short.
    """
    squares = 0
    for shift, mask in geo.shifts:
        inside = opp & mask
        run = (own << shift) & inside
        while run:
            run <<= shift
            squares |= run
            run &= inside
        run = (own >> shift) & inside
        while run:
            run >>= shift
            squares |= run
            run &= inside
    return squares & geo.full & ~(own | opp)


def flips(own: int, opp: int, square: int, geo: Geometry) -> int:
    """A bitboard of the discs of `opp` that a disc of `own` on `square` turns over."""
    disc = 1 << square
    turned = 0
    for shift, mask in geo.shifts:
        inside = opp & mask
        line = 0
        step = (disc << shift) & inside
        while step:
            line |= step
            step <<= shift
            if step & own:
                turned |= line
                break
            step &= inside
        line = 0
        step = (disc >> shift) & inside
        while step:
            line |= step
            step >>= shift
            if step & own:
                turned |= line
                break
            step &= inside
    return turned


def bits(board: int) -> list[int]:
    """The squares of a bitboard, ascending."""
    squares = []
    while board:
        low = board & -board
        squares.append(low.bit_length() - 1)
        board ^= low
    return squares
