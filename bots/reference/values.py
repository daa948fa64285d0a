"""What a Reversi position is worth before its end: weights for squares by kind, and for mobility.

The unit is a hundredth of a disc of the final margin. The weights are a least-squares fit to the margins of
some thousands of games of 8 by 8 squares between players of four plies that used such weights themselves.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple


class Values(NamedTuple):
    """Weights for one stage of the game, from the view of the side that has the thing.

    A square's kind: a corner, `diagonal` (X) or `beside` (C) a corner, on the `edge` else, `next_to_edge`, or
    `inner`. `moves` is for each placement of the side to move, `waiting` is taken off for the other side's.
    """

    corner: int
    diagonal: int
    beside: int
    edge: int
    next_to_edge: int
    inner: int
    moves: int
    waiting: int


REVERSED = (
    Values(-554, 9, -239, -222, 5, -1, -3, 1),
    Values(-677, -58, -98, -76, -71, -17, -2, 8),
    Values(-622, -55, -25, -49, -81, -17, 64, 86),
)
ORDINARY = (
    Values(2976, -1277, -212, 59, -153, -75, 73, 88),
    Values(1438, -235, 82, -27, -10, -13, 183, 190),
    Values(906, -38, 134, -23, 19, 17, 269, 277),
)
"""Stages by the share of the board that is filled: up to 2/5, up to 7/10, beyond."""


def stage(size: int, discs: int) -> int:
    """Which of the three stages a board with so many discs is in."""
    filled = discs / (size * size)
    return 0 if filled <= 0.4 else 1 if filled <= 0.7 else 2


def square_weights(size: int, values: Values) -> list[int]:
    """The weight of a disc on each square."""
    from_edge = [min(line, size - 1 - line) for line in range(size)]
    return [_square_weight(min(pair), max(pair), values) for pair in product(from_edge, repeat=2)]


def _square_weight(near: int, far: int, values: Values) -> int:
    """`near` and `far`: how many squares lie between it and the nearest edges, the smaller number first."""
    if near == 0:
        return values.corner if far == 0 else values.beside if far == 1 else values.edge
    if near == 1:
        return values.diagonal if far == 1 else values.next_to_edge
    return values.inner
