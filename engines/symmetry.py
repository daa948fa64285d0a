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
    return _images(points, (True, False))


def _images(points: tuple[Point, ...], straight: tuple[bool, ...]) -> tuple[Permutation, ...]:
    """The four symmetries that keep each axis, if it is `straight`, and the four that swap both, if not."""
    number = {point: place for place, point in enumerate(points)}
    return tuple(
        tuple(number[(a * x, b * y) if keeps else (b * y, a * x)] for x, y in points)
        for keeps in straight
        for a in (1, -1)
        for b in (1, -1)
    )


@cache
def of_board(columns: int, rows: int | None = None) -> tuple[Permutation, ...]:
    """The symmetries of a board numbered row by row: eight of a square, as it is without `rows`, or four."""
    rows = columns if rows is None else rows
    points = tuple(
        (2 * column - columns + 1, 2 * row - rows + 1) for row in range(rows) for column in range(columns)
    )
    return of_square(points) if rows == columns else _images(points, (True,))
