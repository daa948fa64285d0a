"""Reversi's boards for a search from the start: any sides up to 8, and positions as their mover sees them.

A value is the mover's discs less the other side's at the end, negated where fewer discs win: more is better.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from engines.bitboards import Geometry, bits, centre, flips, geometry, placements
from engines.game import Move
from engines.games.reversed_reversi import SIDES, ReversedReversi


class Position(NamedTuple):
    """The mover's discs and the other side's, a bit a square, row by row from the top left."""

    own: int
    opp: int


class Weights(NamedTuple):
    """What an estimate counts: each move more, each corner more, and being to move; and how far it is off.

    `spread` is the standard deviation of value less estimate.
    """

    move: float
    corner: float
    turn: float
    spread: float


MOST = Weights(2.55, 8.87, 3.33, 11.55)
FEWEST = Weights(1.18, -4.23, 2.60, 4.47)
"""Least squares over 1,500 solved positions of random play each, on 6 by 6 squares with 14 of them empty."""

Rows = tuple[tuple[int, ...], ...]
"""For each row, and each set of discs in it, the bitboard of the places to which a symmetry takes them."""


@dataclass(frozen=True)
class Board:
    """Reversi on `rows` by `columns` squares; with `reversed`, fewer discs win."""

    rows: int
    columns: int
    reversed: bool

    def __post_init__(self) -> None:
        """Refuse sides beyond what a word of 64 bits holds."""
        if self.rows not in SIDES or self.columns not in SIDES:
            raise ValueError(f"a board has from 3 to 8 rows and columns, not {self.rows} and {self.columns}")

    @classmethod
    def of(cls, game: ReversedReversi) -> Board:
        """That of a game.

        Raises:
            ValueError: it is too large.
        """
        columns, rows = game.sides
        return cls(rows, columns, game.reversed)

    @property
    def squares(self) -> int:
        """How many squares there are; as a move it is the pass."""
        return self.rows * self.columns

    @cached_property
    def _geometry(self) -> Geometry:
        return geometry(self.columns, self.rows)

    @cached_property
    def _corners(self) -> int:
        first, last = 1 | 1 << self.columns - 1, (self.rows - 1) * self.columns
        return first | first << last

    @cached_property
    def _weights(self) -> Weights:
        return FEWEST if self.reversed else MOST

    @cached_property
    def _symmetries(self) -> tuple[Rows, ...]:
        """The board's turns and reflections but the identity: seven of a square, three of a rectangle."""
        last, right = self.rows - 1, self.columns - 1
        found = []
        for turned, down, across in product((False, True), repeat=3):
            if (turned and last != right) or not (turned or down or across):
                continue
            rows = []
            for row in range(self.rows):
                places = []
                for column in range(self.columns):
                    y, x = (column, row) if turned else (row, column)
                    places.append((last - y if down else y) * self.columns + (right - x if across else x))
                rows.append(
                    tuple(sum(1 << places[bit] for bit in bits(discs)) for discs in range(1 << self.columns))
                )
            found.append(tuple(rows))
        return tuple(found)

    def start(self) -> Position:
        """The first position, of the game's own board; the first player is to move."""
        return Position(*centre(self.columns, self.rows))

    def empty(self, position: Position) -> int:
        """How many squares are empty."""
        return self.squares - (position.own | position.opp).bit_count()

    def moves(self, position: Position) -> tuple[Move, ...]:
        """The mover's squares, ascending; else the pass; else, when the game is over, none."""
        own, opp = position
        squares = placements(own, opp, self._geometry)
        if squares:
            return tuple(bits(squares))
        return (self.squares,) if placements(opp, own, self._geometry) else ()

    def play(self, position: Position, move: Move) -> Position:
        """What a legal move leads to, as the other side sees it."""
        own, opp = position
        if move == self.squares:
            return Position(opp, own)
        turned = flips(own, opp, move, self._geometry)
        return Position(opp ^ turned, own | turned | 1 << move)

    def canonical(self, position: Position) -> Position:
        """The least pair of bitboards among those that the board's symmetries make of it."""
        own, opp = position
        wide, row_of_discs = self.columns, (1 << self.columns) - 1
        cut = [(own >> at & row_of_discs, opp >> at & row_of_discs) for at in range(0, self.squares, wide)]
        least = (own, opp)
        for rows in self._symmetries:
            mine = theirs = 0
            for images, (ours, others) in zip(rows, cut, strict=True):
                mine |= images[ours]
                theirs |= images[others]
            least = min(least, (mine, theirs))
        return Position(*least)

    def final(self, position: Position) -> int:
        """The value where the game is over."""
        margin = position.own.bit_count() - position.opp.bit_count()
        return -margin if self.reversed else margin

    def estimate(self, position: Position) -> float:
        """About what value to expect, by the moves and the corners of both sides."""
        own, opp = position
        weights, geometry = self._weights, self._geometry
        moves = placements(own, opp, geometry).bit_count() - placements(opp, own, geometry).bit_count()
        corners = (own & self._corners).bit_count() - (opp & self._corners).bit_count()
        return weights.move * moves + weights.corner * corners + weights.turn

    @property
    def spread(self) -> float:
        """The standard deviation of a value less its estimate."""
        return self._weights.spread
