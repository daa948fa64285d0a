"""An opening book of Reversi: positions near the first one, each with the move to play there and its value.

A book grows from the first position. All moves of a position in it are judged by searches of what they lead
to; values are backed up by minimax, and it grows next at each position that comes up where one side plays the
book's moves only and the other gives up no more than so much in all, compared with the book's moves. That is
the drop-out expansion of T. R. Lincke, *Strategies for the Automatic Construction of Opening Books*,
Computers and Games 2000, 74-86, with a bound in the place of its order; values are backed up as by M. Buro,
*Toward Opening Book Learning*, ICCA Journal 22 (1999), 98-102.

Searches of even and odd depths judge differently. So all of a book end with an even number of empty squares:
a position with an odd distance to that is searched a ply deeper. Positions that symmetries of the board make
of each other are one, and values are the mover's, so that one book serves both sides.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engines.game import Move
from engines.games.reversed_reversi import ReversedReversi, State

POINT: Final = 128
"""A disc in the units of values, as in `engines/reversi_patterns.h`."""
MAGIC: Final = b"BABOOK01"
HEAD: Final = struct.Struct("<8s2B2xI")
PAGE: Final = struct.Struct("<2QhB")
CHECK: Final = struct.Struct("<I")
WIDTH: Final = 8
"""Squares are numbered in a file as on a board so wide, whatever the board's size is."""

Position = tuple[int, int]
"""The mover's discs and the other side's, as `ReversedReversi.canonical` turns them."""


class BookPlan(NamedTuple):
    """What decides a book, beside the rules and what judges: all else follows from it.

    Searches are `depth` plies deep, or one more. Positions after `plies` plies, passes not counted, are not
    in the book, nor those before which either side, whichever gave up less, had given up more than `loss`
    points.
    """

    depth: int
    plies: int
    loss: float


class Page(NamedTuple):
    """A position of a book, the move to play there, and its value to the mover, in `POINT` a disc."""

    position: Position
    move: Move
    value: int


class _Reply(NamedTuple):
    """A move and what it leads to, for the side that `sign` says: the other one, or the same after a pass.

    Where the game is over then, there is no position, but the value.
    """

    move: Move
    sign: int
    position: Position | None
    value: int = 0


class Book:
    """A book that grows: `wanted` tells which positions have to be searched, until there are none."""

    def __init__(self, game: ReversedReversi, plan: BookPlan) -> None:
        self._game, self._plan = game, plan
        self._first = self._canonical(game.initial())
        self._begun = _discs(self._first)
        self._replies: dict[Position, tuple[_Reply, ...]] = {}
        self._searched: dict[Position, int] = {}

    @property
    def searched(self) -> int:
        """How many positions were searched."""
        return len(self._searched)

    def depth(self, position: Position) -> int:
        """How deep a position is to be searched."""
        left = self._game.geometry.squares - _discs(position)
        return self._plan.depth + (left - self._plan.depth) % 2

    def wanted(self) -> list[Position]:
        """The positions that have to be searched next, in an order that is always the same."""
        for position, _ in self._reached(self._backed_up()):
            if position not in self._replies and _discs(position) - self._begun < self._plan.plies:
                self._replies[position] = tuple(self._replies_to(position))
        found = {
            reply.position
            for replies in self._replies.values()
            for reply in replies
            if reply.position is not None and reply.position not in self._searched
        }
        return sorted(found)

    def add(self, position: Position, value: float) -> None:
        """Take in what a position was found to be worth to its mover, in discs."""
        self._searched[position] = round(value * POINT)

    def pages(self) -> list[Page]:
        """The positions in which the side that plays by the book has a choice, in the order of a file."""
        best = self._backed_up()
        return sorted(
            best[position]
            for position, by_book in self._reached(best)
            if by_book and position in best and len(self._replies[position]) > 1
        )

    def packed(self) -> bytes:
        """The book as a file."""
        return packed(self._game, self.pages())

    def value(self) -> float:
        """What the first position is worth to the side to move, in discs."""
        return self._backed_up()[self._first].value / POINT

    def _canonical(self, state: State) -> Position:
        return self._game.canonical(state)[:2]

    def _replies_to(self, position: Position) -> Iterator[_Reply]:
        """All moves of a position in which the mover has some."""
        game, state = self._game, State(*position, 0)
        for move in game.legal_moves(state):
            after, sign = game.play(state, move), -1
            forced = game.forced_pass(after)
            if forced is not None:
                after, sign = game.play(after, forced), 1
            if game.outcome(after) is None:
                yield _Reply(move, sign, self._canonical(after))
            else:
                margin = after.own.bit_count() - after.opp.bit_count()
                yield _Reply(move, sign, None, POINT * (-margin if game.reversed else margin))

    def _backed_up(self) -> dict[Position, Page]:
        """The best move of every position whose replies are judged, by what those come to in the end."""
        best: dict[Position, Page] = {}
        for position in sorted(self._replies, key=_discs, reverse=True):
            values = [(self._worth(reply, best), -reply.move) for reply in self._replies[position]]
            value, move = max(values)
            best[position] = Page(position, -move, value)
        return best

    def _worth(self, reply: _Reply, best: Mapping[Position, Page]) -> int:
        """What a reply is worth to the side whose move it is."""
        if reply.position is None:
            return reply.sign * reply.value
        page = best.get(reply.position)
        return reply.sign * (self._searched[reply.position] if page is None else page.value)

    def _reached(self, best: Mapping[Position, Page]) -> list[tuple[Position, bool]]:
        """The positions that come up where one side plays by the book, and whether that side is to move."""
        most = round(self._plan.loss * POINT)
        given: dict[tuple[Position, bool], int] = {(self._first, True): 0, (self._first, False): 0}
        layers: dict[int, set[tuple[Position, bool]]] = {self._begun: set(given)}
        reached = []
        for discs in range(self._begun, self._game.geometry.squares):
            for place in sorted(layers.get(discs, ())):
                reached.append(place)
                position, by_book = place
                page = best.get(position)
                for reply in self._replies[position] if page else ():
                    given_up = 0 if page is None else page.value - self._worth(reply, best)
                    if reply.position is None or (by_book and page and reply.move != page.move):
                        continue
                    total = given[place] + (0 if by_book else given_up)
                    after = reply.position, by_book == (reply.sign > 0)
                    if total <= min(most, given.get(after, most)):
                        given[after] = total
                        layers.setdefault(_discs(reply.position), set()).add(after)
        return reached


def _discs(position: Position) -> int:
    return (position[0] | position[1]).bit_count()


def packed(game: ReversedReversi, pages: list[Page]) -> bytes:
    """A file of a book: `MAGIC`, the size, 1 where fewest discs win, how many pages; these; a check sum.

    A page has the mover's discs, the other side's, the value and the square of the move; pages ascend. The
    check sum is FNV-1a of all before it. Numbers are little-endian.
    """
    size = game.size
    parts = [HEAD.pack(MAGIC, size, game.reversed, len(pages))]
    for page in pages:
        own, opp = (_widened(discs, size) for discs in page.position)
        parts.append(PAGE.pack(own, opp, page.value, page.move // size * WIDTH + page.move % size))
    content = b"".join(parts)
    return content + CHECK.pack(_fnv(content))


def _widened(discs: int, size: int) -> int:
    row = (1 << size) - 1
    return sum((discs >> size * at & row) << WIDTH * at for at in range(size))


def _fnv(content: bytes) -> int:
    check = 2166136261
    for byte in content:
        check = (check ^ byte) * 16777619 & 0xFFFFFFFF
    return check
