"""Symmetries of boards: the ways in which a board's places can change and leave its rules as they are.

A permutation says where each place goes: place ``i`` goes to ``permutation[i]``. The symmetries of a board
form a group, the identity first.
"""

from __future__ import annotations

from functools import cache

Permutation = tuple[int, ...]
Point = tuple[int, int]


def moved(board: int, permutation: Permutation) -> int:
    """The bitboard with every place where `permutation` takes it."""
    image = 0
    while board:
        low = board & -board
        image |= 1 << permutation[low.bit_length() - 1]
        board ^= low
    return image


def of_square(points: tuple[Point, ...]) -> tuple[Permutation, ...]:
    """The eight turns and reflections of a square, for places at `points` around the centre (0, 0).

    The points must be a set that all eight take to itself.
    """
    number = {point: place for place, point in enumerate(points)}
    return tuple(
        tuple(number[(a * x, b * y) if straight else (b * y, a * x)] for x, y in points)
        for straight in (True, False)
        for a in (1, -1)
        for b in (1, -1)
    )


@cache
def of_board(size: int) -> tuple[Permutation, ...]:
    """The eight symmetries of `size` by `size` squares numbered row by row."""
    points = [(2 * column - size + 1, 2 * row - size + 1) for row in range(size) for column in range(size)]
    return of_square(tuple(points))
