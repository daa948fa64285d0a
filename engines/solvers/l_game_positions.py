"""The positions of the L-Game that a side to move can see: their numbers, and the graph of the moves.

A position's number is that of `engines.kernels.l_game_graph`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.games.l_game import FULL, PLACEMENTS, LGame, State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from engines.solvers.retrograde import Graph

DISCPAIRS = 28

_BOARDS = tuple(placement.squares for placement in PLACEMENTS)
PAIRS = {
    pair: number
    for number, pair in enumerate((own, other) for own in _BOARDS for other in _BOARDS if not own & other)
}
DISCS = {
    pair: number
    for number, pair in enumerate((one, other) for one in range(8) for other in range(one + 1, 8))
}
POSITIONS = len(PAIRS) * DISCPAIRS


def number_of(state: State) -> int:
    """The number of a position, whichever seat is to move."""
    own, opp, discs, _ = state
    free = FULL & ~(own | opp)
    low = discs & -discs
    ranks = (free & (low - 1)).bit_count(), (free & ((discs ^ low) - 1)).bit_count()
    return PAIRS[own, opp] * DISCPAIRS + DISCS[ranks]


def boards_of_placements() -> npt.NDArray[np.uint64]:
    """The squares of the 48 placements, as the kernel takes them."""
    import numpy as np

    return np.array(_BOARDS, np.uint64)


def numbering(_game: LGame) -> Callable[[State], int]:
    """How a best response numbers the positions."""
    return number_of


def graph_of() -> Graph:
    """The graph of the L-Game."""
    import numpy as np

    from engines.kernels import l_game_graph
    from engines.solvers.retrograde import Graph

    starts, successors = l_game_graph.graph(boards_of_placements())
    return Graph(starts, successors, np.full(POSITIONS, -1, np.int8))
