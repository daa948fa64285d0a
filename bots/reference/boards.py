"""Reversi on bitboards for bots that search: the same rules as the engine's, arranged for speed in Python.

Boards are integers as in `engines.games.reversed_reversi`: bit ``i`` is square ``i``, row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Flipper = Callable[[int, int, int], int]
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


class Finder:
    """Finds where a side may place a disc, on one board or on several at once.

    Several boards are packed into one integer, `lane` bits apart: big integers cost Python little more
    than small ones, so that the children of a position are looked at for the price of one or two.
    """

    def __init__(self, size: int) -> None:
        squares = size * size
        column_a = sum(1 << row * size for row in range(size))
        full = (1 << squares) - 1
        self.lane = squares + size + 1  # room for a step over the edge, which then meets no disc
        self._steps = size // 2 - 2
        self._vertical = size
        self._slanting = (1, size - 1, size + 1)
        most = squares + 1
        self._full = [sum(full << self.lane * i for i in range(lanes)) for lanes in range(most)]
        inner = full & ~column_a & ~(column_a << size - 1)
        self._inner = [sum(inner << self.lane * i for i in range(lanes)) for lanes in range(most)]

    def __call__(self, own: int, opp: int, lanes: int = 1) -> int:
        """The squares where the side of `own` may place a disc, on each of `lanes` boards."""
        found = self._along(own, opp, self._vertical)
        inside = opp & self._inner[lanes]
        for shift in self._slanting:
            found |= self._along(own, inside, shift)
        return found & self._full[lanes] & ~(own | opp)

    def _along(self, own: int, inside: int, shift: int) -> int:
        """The squares one beyond a run of `inside` that begins next to `own`, both ways along one line."""
        double = shift + shift
        up = inside & own << shift
        up |= inside & up << shift
        down = inside & own >> shift
        down |= inside & down >> shift
        pairs = inside & inside << shift
        low_pairs = pairs >> shift
        for _ in range(self._steps):
            up |= pairs & up << double
            down |= low_pairs & down >> double
        return up << shift | down >> shift


@cache
def finder(size: int) -> Finder:
    """The finder for boards of `size` by `size` squares."""
    return Finder(size)
