"""Where a disc can be placed, and what it turns over, on boards that are `Lanes` or a `Wide`.

The boards are those of `engines.games.reversed_reversi`, and so are the numbers of the squares. There runs of
discs are followed until they end; here all lanes take the same steps, as many as the longest run can need:
two of one square, then steps of two squares through pairs of neighbours (a fill by parallel prefixes).

Arguments are the same everywhere: `own` and `opp`, the discs of the side to move and the other's; `inner`,
all squares but those of the first and last column; and the board's `size` (`uint64`).
"""

from __future__ import annotations

from engines.kernels.arithmetic import U64
from engines.kernels.jit import compiled
from engines.kernels.words import Lanes, Wide, filled

Board = Lanes | Wide


@compiled
def _upwards(start: Board, through: Board, pairs: Board, shift: U64, size: U64) -> Board:
    """The runs of `through` that begin one step up from `start`.

    `pairs` are the squares of `through` whose lower neighbour is one too. No run has more than ``size - 2``.
    """
    run = (start << shift) & through
    run = run | ((run << shift) & through)
    for _ in range((size - U64(4)) >> U64(1)):
        run = run | ((run << (shift + shift)) & pairs)
    return run


@compiled
def _downwards(start: Board, through: Board, pairs: Board, shift: U64, size: U64) -> Board:
    """The runs of `through` that begin one step down from `start`; `pairs` have their upper neighbour."""
    run = (start >> shift) & through
    run = run | ((run >> shift) & through)
    for _ in range((size - U64(4)) >> U64(1)):
        run = run | ((run >> (shift + shift)) & pairs)
    return run


@compiled
def _ends(own: Board, through: Board, shift: U64, size: U64) -> Board:
    """The squares next to the runs of `through` that begin at `own`, up and down in one direction."""
    pairs = through & (through << shift)
    up = _upwards(own, through, pairs, shift, size)
    down = _downwards(own, through, pairs >> shift, shift, size)
    return (up << shift) | (down >> shift)


@compiled
def placements(own: Board, opp: Board, inner: Board, full: Board, size: U64) -> Board:
    """The squares where the side of `own` may place a disc; `full` are all squares."""
    through = opp & inner
    across = _ends(own, through, U64(1), size)
    down = _ends(own, opp, size, size)
    rising = _ends(own, through, size - U64(1), size)
    falling = _ends(own, through, size + U64(1), size)
    return (across | down | rising | falling) & ((own | opp) ^ full)


@compiled
def _bracketed(own: Board, through: Board, disc: Board, shift: U64, size: U64) -> Board:
    """The runs of `through` between `disc` and `own`, up and down in one direction."""
    pairs = through & (through << shift)
    up = _upwards(disc, through, pairs, shift, size)
    down = _downwards(disc, through, pairs >> shift, shift, size)
    return (up & filled((up << shift) & own)) | (down & filled((down >> shift) & own))


@compiled
def flips(own: Board, opp: Board, disc: Board, inner: Board, size: U64) -> Board:
    """The discs of `opp` that `disc`, one bit or none, turns over."""
    through = opp & inner
    across = _bracketed(own, through, disc, U64(1), size)
    down = _bracketed(own, opp, disc, size, size)
    rising = _bracketed(own, through, disc, size - U64(1), size)
    falling = _bracketed(own, through, disc, size + U64(1), size)
    return across | down | rising | falling
