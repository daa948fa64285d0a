"""Positions as the L-Game document writes them, and all positions written so."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from engines.games.l_game import DIRECTIONS, FULL, PLACEMENTS, SIZE, SQUARE_NUMBERS, LGame, State
from engines.solvers.l_game import all_positions

DIRECTION_NUMBERS = {letter: number for number, letter in enumerate(DIRECTIONS)}
NAMES = {placement.squares: placement.text for placement in PLACEMENTS}

Code = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int], int]
Place = tuple[int, int]
"""Column and row."""


class Coding(NamedTuple):
    """All positions of both sides in the document's code.

    `codes` is how many there are, different ones. `ranges` are the least and the greatest of each number in
    their order. `numbers` are the pairs (n1, n2) that come up. `disc_pairs` is on how many pairs of squares
    the discs lie, and `beside` on how many for each two Ls. `squares` is how many squares there are, and
    `pieces` of how many connected pieces a side's squares consist.
    """

    codes: int
    ranges: tuple[tuple[int, int], ...]
    numbers: frozenset[tuple[int, int]]
    disc_pairs: int
    beside: frozenset[int]
    squares: int
    pieces: frozenset[int]

    @property
    def bits(self) -> int:
        """The bits that these ranges take."""
        return sum(high.bit_length() for _, high in self.ranges)


def code(state: State) -> Code:
    """A position as the document writes it: both Ls, the discs' empty squares before them, the side."""
    own, other, discs, seat = state
    free = FULL & ~(own | other | discs)
    squares = [at for at in range(SIZE * SIZE) if discs >> at & 1]
    first, second = ((free & (1 << at) - 1).bit_count() for at in squares)
    ls = (own, other) if seat == 0 else (other, own)
    return (*map(_l_code, ls), (first, second), seat)  # type: ignore[return-value]  # two of them


def _l_code(squares: int) -> tuple[int, int, int]:
    name = NAMES[squares]
    row, column = divmod(SQUARE_NUMBERS[name[:2]], SIZE)
    return column, row, DIRECTION_NUMBERS[name[2]]


def decode(written: Code) -> State:
    """The position that the document writes so; the side to move owns the first of the Ls if it is 0."""
    *ls, numbers, who = written
    first, second = (next(squares for squares in NAMES if _l_code(squares) == each) for each in ls)
    for one in range(SIZE * SIZE):
        for two in range(one):
            discs = 1 << one | 1 << two
            if not discs & (first | second):
                own, other = (first, second) if who == 0 else (second, first)
                state = State(own, other, discs, 0 if who == 0 else 1)
                if code(state)[2] == numbers:
                    return state
    raise ValueError(f"{written} is no position")


def coding() -> Coding:
    """What all positions look like."""
    _, states = all_positions(LGame())
    both = [state for x in states for state in (x, x._replace(seat=1))]
    codes = {code(state) for state in both}
    flat = {(*first, *second, *numbers, who) for first, second, numbers, who in codes}
    beside = defaultdict[tuple[int, int], set[int]](set)
    taken = 0
    for own, opp, discs, _ in both:
        beside[own, opp].add(discs)
        taken |= own | opp | discs
    return Coding(
        len(codes),
        tuple((min(column), max(column)) for column in zip(*flat, strict=True)),
        frozenset(each[2] for each in codes),
        len({state.discs for state in both}),
        frozenset(map(len, beside.values())),
        taken.bit_count(),
        frozenset(map(_pieces, {state.own for state in both} | {state.opp for state in both})),
    )


def places(squares: int) -> set[Place]:
    """The squares of a bitboard."""
    return {(at % SIZE, at // SIZE) for at in range(SIZE * SIZE) if squares >> at & 1}


def _pieces(squares: int) -> int:
    """Of how many connected pieces squares consist."""
    left, count = places(squares), 0
    while left:
        count += 1
        todo = [left.pop()]
        while todo:
            x, y = todo.pop()
            near = left & {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
            left -= near
            todo += near
    return count


def bar_of(squares: int, foot: Place) -> str:
    """On which side of its foot the other three squares of an L lie, as the rules' letters; all that fit."""
    x, y = foot
    rest = places(squares) - {foot}
    sides = {
        "u": all(row < y for _, row in rest),
        "d": all(row > y for _, row in rest),
        "l": all(column < x for column, _ in rest),
        "r": all(column > x for column, _ in rest),
    }
    return "".join(side for side, fits in sides.items() if fits)
