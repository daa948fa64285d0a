"""The four hints of Tsai and Lin for the L-Game, each measured against the exact values.

A hint speaks of one side's L. Each is made a plain question about the position, and the shares of won, drawn
and lost positions for that side are counted where it is followed and where it is not: both for the side to
move and for the side that has just moved, whom a hint on where to put things is for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.games.l_game import PLACEMENTS, SIZE, SQUARES
from engines.symmetry import moved, of_board

Words = npt.NDArray[np.uint16]
Flags = npt.NDArray[np.bool_]
Question = Callable[[Words, Words, Words], Flags]

CORNERS = 1 | 1 << SIZE - 1 | 1 << SQUARES - SIZE | 1 << SQUARES - 1


def measured(boards: Words, codes: npt.NDArray[np.uint8]) -> list[dict[str, Any]]:
    """Every hint with its definition and its counts; `boards` is (count, 3): own L, other L, discs."""
    mover, other, discs = boards.T
    signs = np.where(codes == 0, 0, np.where(codes % 2 == 1, 1, -1))
    rows = []
    for name, definition, question in HINTS:
        rows.append(
            {
                "hint": name,
                "definition": definition,
                "to_move": _counted(question(mover, other, discs), signs),
                "having_moved": _counted(question(other, mover, discs), -signs),
            }
        )
    return rows


def _counted(followed: Flags, results: npt.NDArray[np.int64]) -> dict[str, dict[str, int]]:
    return {
        name: {
            "positions": int(chosen.sum()),
            "won": int((results[chosen] > 0).sum()),
            "drawn": int((results[chosen] == 0).sum()),
            "lost": int((results[chosen] < 0).sum()),
        }
        for name, chosen in (("followed", followed), ("not_followed", ~followed))
    }


def _beside(squares: int) -> int:
    """The squares that share an edge with one of `squares`."""
    left = sum(1 << at for at in range(0, SQUARES, SIZE))
    right = left << SIZE - 1
    around = squares << SIZE | squares >> SIZE | (squares & ~right) << 1 | (squares & ~left) >> 1
    return around & ~squares & (1 << SQUARES) - 1


def inner_square(squares: int) -> int:
    """The square in the right angle of an L: the free one that touches two of the L's squares."""
    return next(
        1 << at
        for at in range(SQUARES)
        if not squares >> at & 1 and (_beside(1 << at) & squares).bit_count() == 2
    )


def angle_square(squares: int) -> int:
    """The square of an L in which its bar and its foot meet."""
    beside = _beside(inner_square(squares)) & squares
    low = beside & -beside
    return _beside(low) & _beside(beside ^ low) & squares


def _by_placement(value: Callable[[int], int]) -> Words:
    """A table from an L's bitboard to `value` of it."""
    table = np.zeros(1 << SQUARES, np.uint16)
    for placement in PLACEMENTS:
        table[placement.squares] = value(placement.squares)
    return table


def _angle_off_the_corners(own: Words, other: Words, discs: Words) -> Flags:
    del other, discs
    return np.asarray(_by_placement(angle_square)[own] & CORNERS == 0)


def _not_symmetric(own: Words, other: Words, discs: Words) -> Flags:
    del discs
    images = [_by_placement(partial(moved, permutation=each)) for each in of_board(SIZE)[1:]]
    return np.asarray(~np.any([image[own] == other for image in images], axis=0))


def _disc_touches(own: Words, other: Words, discs: Words) -> Flags:
    del other
    return np.asarray(_by_placement(_beside)[own] & discs != 0)


def _inside_the_other(own: Words, other: Words, discs: Words) -> Flags:
    del discs
    return np.asarray(_by_placement(inner_square)[other] & own != 0)


def all_four(own: Words, other: Words, discs: Words) -> Flags:
    """Where the side whose L is `own` follows all four of the paper's hints."""
    return np.asarray(np.all([question(own, other, discs) for _, _, question in HINTS[:4]], axis=0))


def _off_the_corners(own: Words, other: Words, discs: Words) -> Flags:
    del other, discs
    return np.asarray(own & CORNERS == 0)


HINTS: tuple[tuple[str, str, Question], ...] = (
    ("off the corner", "the right angle of one's own L is in no corner of the board", _angle_off_the_corners),
    ("not symmetric", "no turn or reflection of the board takes one's own L to the other's", _not_symmetric),
    ("disc touches", "a disc shares an edge with a square of one's own L", _disc_touches),
    (
        "inside the other",
        "one's own L covers the square in the right angle of the other's",
        _inside_the_other,
    ),
    ("all four", "the four above at once", all_four),
    ("covers no corner", "one's own L covers no corner of the board at all", _off_the_corners),
)
"""Name, definition, question. The first four are the paper's, in its order. Its "in the corner" counts 12 of
the 15 positions without a move: those where the L's right angle is in the corner. All 15 cover one."""
