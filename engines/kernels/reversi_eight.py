"""Where a disc can be placed, and what it turns over, on 8 by 8 squares in single words.

Bit ``8 * row + column`` of a board is a square.
"""

from __future__ import annotations

import numpy as np

from engines.kernels.arithmetic import leading
from engines.kernels.jit import Words, compiled

U64 = np.uint64
WIDTH = 8
HIGHEST = U64(1 << 63)
INNER = U64(0x7E7E7E7E7E7E7E7E)


def _rays() -> Words:
    """For each square the squares that lie beyond it in four directions up the bit order and four down it."""
    rays = np.zeros((WIDTH * WIDTH, 8), np.uint64)
    ways = ((0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1))
    for square in range(WIDTH * WIDTH):
        for number, (down, right) in enumerate(ways):
            row, column = square // WIDTH + down, square % WIDTH + right
            while 0 <= row < WIDTH and 0 <= column < WIDTH:
                rays[square, number] |= U64(1 << row * WIDTH + column)
                row, column = row + down, column + right
    return rays


RAYS = _rays()


@compiled
def flips(own: U64, opp: U64, square: U64) -> U64:
    """The discs of `opp` that a disc of `own` on `square` turns over."""
    flipped = U64(0)
    for way in range(4):
        ray = RAYS[square, way]
        end = ray & ~opp
        end &= (~end + U64(1)) & own
        flipped |= ray & (end - U64(end != 0))
    for way in range(4, 8):
        ray = RAYS[square, way]
        end = HIGHEST >> leading(ray & ~opp | U64(1)) & own & ray
        flipped |= ray & (~(end << U64(1)) + U64(1))
    return flipped


@compiled
def _along(own: U64, inside: U64, shift: U64) -> U64:
    """The squares one beyond a run of `inside` that begins next to `own`, both ways along one line."""
    double = shift + shift
    up = inside & own << shift
    up |= inside & up << shift
    down = inside & own >> shift
    down |= inside & down >> shift
    pairs = inside & inside << shift
    low_pairs = pairs >> shift
    up |= pairs & up << double
    down |= low_pairs & down >> double
    up |= pairs & up << double
    down |= low_pairs & down >> double
    return up << shift | down >> shift


@compiled
def placements(own: U64, opp: U64, empty: U64) -> U64:
    """The empty squares where the side of `own` may place a disc."""
    inside = opp & INNER
    squares = _along(own, inside, U64(1)) | _along(own, inside, U64(7)) | _along(own, inside, U64(9))
    return (squares | _along(own, opp, U64(8))) & empty
