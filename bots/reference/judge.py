"""What a Reversi position is worth before its end: patterns at the corners, and counts, by stage of the game.

Three patterns lie at every corner: its 3 by 3 squares, the 2 by 5 squares from it along either edge, and the
3 by 3 one step towards the centre. A pattern's index has a digit of base 3 a square, 1 where the mover has
a disc and 2 where the other side has. The counts are the placements that each side would have and the empty
squares next to each side's discs (mobility and potential mobility: Rosenbloom, *A world-championship-level
Othello program*, Artificial Intelligence 1982). Their weights lie in `bots.reference.weights`.

In Python one look into a dictionary costs little and reading ten squares much. The values of the two patterns
along one side, and of the two at one corner, are therefore kept by all their squares together: most positions
of a search differ from one seen before in few of these eight regions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from bots.reference.weights import COUNTS, MAX_COUNT, STAGES, Stage, load

MIX = 16
"""Two stages are mixed in so many parts."""

DISC = 64 * MIX
"""How much of a judgement is a disc of the final margin."""

AT_CORNER, ALONG_EDGE, INNER = range(3)


class Instance(NamedTuple):
    """A pattern at one place of the board: its number, and its squares in the order of their digits."""

    pattern: int
    squares: tuple[tuple[int, int], ...]
    """Pairs of a square's bit and its power of 3."""


class Counts(NamedTuple):
    """What the counts add, by count: own and other placements, empty squares next to own and other discs.

    `parity` is for an even and an odd number of empty squares.
    """

    own_moves: list[int]
    opp_moves: list[int]
    own_border: list[int]
    opp_border: list[int]
    parity: list[int]


class Digits(dict[int, int]):
    """The index of one side's discs on a pattern, kept by these discs."""

    def __init__(self, squares: tuple[tuple[int, int], ...]) -> None:
        super().__init__()
        self._squares = squares

    def __missing__(self, discs: int) -> int:
        """Add up the powers of the squares that are taken."""
        self[discs] = total = sum(power for bit, power in self._squares if discs & bit)
        return total


class Region(dict[int, int]):
    """The value of a region's patterns, kept by its squares (own discs, and above them the other's)."""

    def __init__(self, size: int, instances: list[Instance], stages: tuple[Stage, Stage], share: int) -> None:
        super().__init__()
        self._squares = size * size
        low, high = stages
        self._parts = [
            (
                sum(bit for bit, _ in each.squares),
                digits(each),
                low.patterns[each.pattern],
                high.patterns[each.pattern],
            )
            for each in instances
        ]
        self._low, self._high = 8 * (MIX - share), 8 * share
        mask = 0
        for part in self._parts:
            mask |= part[0]
        self.mask = mask | mask << self._squares

    def __missing__(self, both: int) -> int:
        """Look the patterns up one by one."""
        opp = both >> self._squares
        value = 0
        for mask, index, low, high in self._parts:
            at = index[both & mask] + 2 * index[opp & mask]
            value += self._low * low[at] + self._high * high[at]
        self[both] = value
        return value


class Judge(NamedTuple):
    """The weights at one stage of one game: eight regions, each with its mask, and the counts."""

    regions: list[Region]
    masks: list[int]
    counts: Counts

    def patterns(self, both: int) -> int:
        """The value of the patterns for the side whose discs lie in the low half of `both`."""
        return sum(region[both & mask] for region, mask in zip(self.regions, self.masks, strict=True))


@cache
def digits(instance: Instance) -> Digits:
    """The indices of a pattern's place, shared by all stages."""
    return Digits(instance.squares)


@cache
def instances(size: int) -> tuple[tuple[Instance, ...], ...]:
    """The patterns' places by region: the four sides, then the four corners."""
    places = [
        [_place(size, pattern, turn) for pattern in (AT_CORNER, ALONG_EDGE, INNER)] for turn in range(8)
    ]
    # Turning around the diagonal (4) makes columns of rows: sides are top, bottom, left and right.
    sides = [
        (places[one][ALONG_EDGE], places[other][ALONG_EDGE])
        for one, other in ((0, 1), (2, 3), (4, 6), (5, 7))
    ]
    corners = [(places[turn][AT_CORNER], places[turn][INNER]) for turn in range(4)]
    return (*sides, *corners)


def _place(size: int, pattern: int, turn: int) -> Instance:
    """A pattern mirrored at the diagonal (4 of `turn`), then left to right (1) and top to bottom (2)."""
    squares = []
    for digit, (row, column) in enumerate(_shape(pattern)):
        if row < size and column < size:
            down, right = (column, row) if turn & 4 else (row, column)
            right = size - 1 - right if turn & 1 else right
            down = size - 1 - down if turn & 2 else down
            squares.append((1 << down * size + right, 3**digit))
    return Instance(pattern, tuple(squares))


def _shape(pattern: int) -> Iterator[tuple[int, int]]:
    """Rows and columns of a pattern at the first corner, in the order of its digits."""
    if pattern == ALONG_EDGE:
        return ((row, column) for row in range(2) for column in range(5))
    start = 0 if pattern == AT_CORNER else 1
    return ((row, column) for row in range(start, start + 3) for column in range(start, start + 3))


def judge(size: int, discs: int, *, fewest: bool) -> Judge:
    """The weights for positions with about `discs` discs."""
    stages = load(size, fewest=fewest)
    filled = 64 * discs / (size * size)
    stage = 0
    while stage < len(STAGES) - 2 and filled >= STAGES[stage + 1]:
        stage += 1
    beyond = (filled - STAGES[stage]) / (STAGES[stage + 1] - STAGES[stage])
    share = round(MIX * min(1.0, max(0.0, beyond)))
    pair = stages[stage], stages[stage + 1]
    regions = [Region(size, list(places), pair, share) for places in instances(size)]
    mixed = [
        (MIX - share) * low + share * high for low, high in zip(pair[0].tables, pair[1].tables, strict=True)
    ]
    longest = size * size - MAX_COUNT
    tables = []
    for at in range(0, COUNTS * (MAX_COUNT + 1), MAX_COUNT + 1):
        table = mixed[at : at + MAX_COUNT + 1]
        tables.append(table + table[-1:] * max(0, longest))
    return Judge(
        regions,
        [region.mask for region in regions],
        Counts(tables[0], tables[1], tables[2], tables[3], mixed[-2:]),
    )
