"""Reversi on bitboards for bots that search: the same rules as the engine's, arranged for speed in Python.

Boards are integers as in `engines.games.reversed_reversi`: bit ``i`` is square ``i``, row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Flipper = Callable[[int, int, int], int]


class Ends(dict[int, int]):
    """Where the mover needs discs to bracket on one line through a square, kept by the other side's."""

    def __init__(self, arms: list[list[int]]) -> None:
        super().__init__()
        self._arms = arms

    def __missing__(self, opp: int) -> int:
        """Go along each arm of the line to the first square without a disc of `opp`."""
        ends = 0
        for arm in self._arms:
            run = next((at for at, bit in enumerate(arm) if not opp & bit), 0)
            if run:
                ends |= arm[run]
        self[opp] = ends
        return ends


class Between(dict[int, int]):
    """The squares between a square and discs on one line through it, kept by these discs."""

    def __init__(self, arms: list[list[int]]) -> None:
        super().__init__()
        self._arms = arms

    def __missing__(self, ends: int) -> int:
        """Gather each arm up to its end."""
        between = 0
        for arm in self._arms:
            if any(ends & bit for bit in arm):
                between |= sum(
                    bit for bit in arm if not any(ends & nearer for nearer in arm[: arm.index(bit) + 1])
                )
        self[ends] = between
        return between


@cache
def flipper(size: int) -> Flipper:
    """A function of (own, opp, square): the discs of `opp` that a disc of `own` on `square` turns over.

    The square must be empty; the answer is 0 where nothing is bracketed.
    """
    lines = [lines_through(size, 1 << square) for square in range(size * size)]

    def turned(own: int, opp: int, square: int) -> int:
        discs = 0
        for mask, ends, between in lines[square]:
            if end := ends[opp & mask] & own:
                discs |= between[end]
        return discs

    return turned


@cache
def lines_through(size: int, disc: int) -> list[tuple[int, Ends, Between]]:
    """The lines through a square (its bit): the mask of a line's other squares, and what is kept of it."""
    lines = []
    square = disc.bit_length() - 1
    for step in ((0, 1), (1, -1), (1, 0), (1, 1)):
        arms = [arm for way in (1, -1) if len(arm := _arm(size, square, step, way)) > 1]
        if arms:
            lines.append((sum(map(sum, arms)), Ends(arms), Between(arms)))
    return lines


@cache
def neighbours(size: int, disc: int) -> int:
    """The squares next to a square (its bit)."""
    square = disc.bit_length() - 1
    steps = ((0, 1), (1, -1), (1, 0), (1, 1))
    return sum(arm[0] for step in steps for way in (1, -1) if (arm := _arm(size, square, step, way)))


def _arm(size: int, square: int, step: tuple[int, int], way: int) -> list[int]:
    """The squares beyond a square in one direction, the nearest first."""
    row, column = divmod(square, size)
    squares = []
    while 0 <= (row := row + way * step[0]) < size and 0 <= (column := column + way * step[1]) < size:
        squares.append(1 << row * size + column)
    return squares


class Finder:
    """Finds where a side may place a disc, on one board or on several at once.

    Several boards are packed into one integer, `lane` bits apart: big integers cost Python little more
    than small ones, so that the children of a position are looked at for the price of one or two.
    """

    def __init__(self, size: int) -> None:
        squares = size * size
        column_a = sum(1 << row * size for row in range(size))
        full = (1 << squares) - 1
        wide = 64 if squares <= 64 else 128
        # Room for a step over the edge, which then meets no disc, in whole bytes, and for a sum of all bytes.
        self.lane = max(wide, (squares + size + 8) // 8 * 8)
        self._bytes = self.lane // 8
        self._sums = (8, 16, 32) if wide == 64 else (8, 16, 32, 64)
        self._steps = size // 2 - 2
        self._vertical = size
        self._slanting = (1, size - 1, size + 1)
        most = 2 * squares + 1
        self._first, self._last = (
            [sum((full & ~edge) << self.lane * i for i in range(lanes)) for lanes in range(most)]
            for edge in (column_a, column_a << size - 1)
        )
        self._full = [sum(full << self.lane * i for i in range(lanes)) for lanes in range(most)]
        longest = b"\xff" * (2 * most * self._bytes)
        self._halves = [int.from_bytes(longest, "little") // 255 * part for part in (0x55, 0x33, 0x0F)]
        inner = full & ~column_a & ~(column_a << size - 1)
        self._inner = [sum(inner << self.lane * i for i in range(lanes)) for lanes in range(most)]

    def __call__(self, own: int, opp: int, lanes: int = 1) -> int:
        """The squares where the side of `own` may place a disc, on each of `lanes` boards."""
        squares = self._along(own, opp, self._vertical)
        inside = opp & self._inner[lanes]
        for shift in self._slanting:
            squares |= self._along(own, inside, shift)
        return squares & self._full[lanes] & ~(own | opp)

    def around(self, discs: int, empty: int, lanes: int = 1) -> int:
        """The squares of `empty` next to one of `discs`, on each of `lanes` boards."""
        row = discs | (discs & self._last[lanes]) << 1 | (discs & self._first[lanes]) >> 1
        return (row | row << self._vertical | row >> self._vertical) & empty

    def empty(self, discs: int, lanes: int) -> int:
        """The squares without `discs`, on each of `lanes` boards."""
        return self._full[lanes] & ~discs

    def counts(self, squares: int, lanes: int) -> bytes:
        """How many of `squares` are on each of `lanes` boards.

        All are counted at once, two, four and eight bits side by side and then byte to byte.
        """
        pairs, fours, eights = self._halves
        squares -= squares >> 1 & pairs
        squares = (squares & fours) + (squares >> 2 & fours)
        squares = squares + (squares >> 4) & eights
        for shift in self._sums:
            squares += squares >> shift
        return squares.to_bytes(self._bytes * lanes, "little")[:: self._bytes]

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
