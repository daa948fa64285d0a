"""Reversi on bitboards for bots that search: the same rules as the engine's, arranged for speed in Python.

Boards are integers as in `engines.games.reversed_reversi`: bit ``i`` is square ``i``, row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Flipper = Callable[[int, int, int], int]
Finder = Callable[[int, int], int]
Rays = tuple[tuple[int, int], ...]


@cache
def flipper(size: int) -> Flipper:
    """A function of (own, opp, square): the discs of `opp` that a disc of `own` on `square` turns over.

    The square must be empty; the answer is 0 where nothing is bracketed.
    """
    rays = [(_rays(size, square, 1), _rays(size, square, -1)) for square in range(size * size)]

    def turned(own: int, opp: int, square: int) -> int:
        up, down = rays[square]
        found = 0
        for neighbour, ray in up:
            if opp & neighbour:
                end = ray & ~opp
                end &= -end
                if end & own:
                    found |= ray & (end - 1)
        for neighbour, ray in down:
            if opp & neighbour:
                end = 1 << (ray & ~opp).bit_length()
                if end & own << 1:
                    found |= ray & -end
        return found

    return turned


def _rays(size: int, square: int, way: int) -> Rays:
    """For each direction up (`way` 1) or down (-1) the bit order, long enough to bracket: its first square
    and all its squares.
    """  # noqa: D205
    row, column = divmod(square, size)
    found = []
    for down, right in ((0, way), (way, -1), (way, 0), (way, 1)):
        squares = []
        at = (row + down, column + right)
        while 0 <= at[0] < size and 0 <= at[1] < size:
            squares.append(1 << (at[0] * size + at[1]))
            at = (at[0] + down, at[1] + right)
        if len(squares) > 1:
            found.append((squares[0], sum(squares)))
    return tuple(found)


@cache
def finder(size: int) -> Finder:
    """A function of (own, opp): the squares where the side of `own` may place a disc."""
    full = (1 << size * size) - 1
    column_a = sum(1 << row * size for row in range(size))
    inner = full & ~column_a & ~(column_a << size - 1)
    below, diagonal, other = size, size + 1, size - 1

    def placements(own: int, opp: int) -> int:
        inside = opp & inner
        found = 0
        run = own << 1 & inside
        while run:
            run <<= 1
            found |= run
            run &= inside
        run = own >> 1 & inside
        while run:
            run >>= 1
            found |= run
            run &= inside
        run = own << diagonal & inside
        while run:
            run <<= diagonal
            found |= run
            run &= inside
        run = own >> diagonal & inside
        while run:
            run >>= diagonal
            found |= run
            run &= inside
        run = own << other & inside
        while run:
            run <<= other
            found |= run
            run &= inside
        run = own >> other & inside
        while run:
            run >>= other
            found |= run
            run &= inside
        run = own << below & opp
        while run:
            run <<= below
            found |= run
            run &= opp
        run = own >> below & opp
        while run:
            run >>= below
            found |= run
            run &= opp
        return found & full & ~(own | opp)

    return placements
