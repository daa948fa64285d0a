"""The L-Game solved: each of the 18,368 positions a side to move can see.

The table holds three bytes a position, in three blocks: the code of its value, how many of its moves lead to
a position won for the other side, and how many moves it has. A position's number is that of
`engines.kernels.l_game_graph`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from engines.games.l_game import FULL, PLACEMENTS, LGame, State
from engines.solvers.oracle import Oracle, Progress, Solution, Value, decoded, no_progress
from engines.solvers.tables import open_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from engines.solvers.retrograde import Graph

CONTENT = "values-1"
DISC_PAIRS = 28

_BOARDS = tuple(placement.squares for placement in PLACEMENTS)
_PAIRS = {
    pair: number
    for number, pair in enumerate((own, other) for own in _BOARDS for other in _BOARDS if not own & other)
}
_DISCS = {
    pair: number
    for number, pair in enumerate((one, other) for one in range(8) for other in range(one + 1, 8))
}
POSITIONS = len(_PAIRS) * DISC_PAIRS


def number_of(state: State) -> int:
    """The number of a position, whichever seat is to move."""
    own, opp, discs, _ = state
    free = FULL & ~(own | opp)
    low = discs & -discs
    ranks = (free & (low - 1)).bit_count(), (free & ((discs ^ low) - 1)).bit_count()
    return _PAIRS[own, opp] * DISC_PAIRS + _DISCS[ranks]


class LGameOracle(Oracle[State]):
    """Values from the table, and the document's chance of winning where they leave a choice."""

    def __init__(self, table: memoryview) -> None:
        self._table = table

    def value(self, state: State) -> Value:
        """The value of any position."""
        return decoded(self._table[number_of(state)])

    def promise(self, state: State) -> Fraction | int:
        """In a drawn position the share of the moves there by which the opponent goes wrong and loses.

        That is the "chance of winning" of Tsai and Lin: of several moves that hold the draw they take the
        one after which the largest share of the answers leads to a position won for them.
        """
        number = number_of(state)
        code, wrong, moves = (self._table[number + block * POSITIONS] for block in range(3))
        return 0 if code else Fraction(wrong, moves)


def find_oracle(game: LGame, progress: Progress = no_progress) -> LGameOracle:
    """The exact values of the L-Game."""
    return LGameOracle(open_table(game, CONTENT, _build, progress))


def boards_of_placements() -> npt.NDArray[np.uint64]:
    """The squares of the 48 placements, as the kernel takes them."""
    import numpy as np

    return np.array(_BOARDS, np.uint64)


def graph_of() -> Graph:
    """The graph of the L-Game."""
    import numpy as np

    from engines.kernels import l_game_graph
    from engines.solvers.retrograde import Graph

    starts, successors = l_game_graph.graph(boards_of_placements())
    return Graph(starts, successors, np.full(POSITIONS, -1, np.int8))


def analyse(game: LGame, *, progress: Progress = no_progress) -> Solution:
    """What Tsai and Lin counted, computed from the exact values: see `engines.solvers.l_game_counts`."""
    from engines.solvers.l_game_counts import counts

    return counts(game, progress)


def _build(progress: Progress) -> memoryview:
    import numpy as np

    from engines.solvers.retrograde import moves_into, solve

    progress(0, 2)
    graph = graph_of()
    progress(1, 2)
    codes = solve(graph)
    wrong, moves = moves_into(graph, codes % 2 == 1), np.diff(graph.starts)
    progress(2, 2)
    return memoryview(np.concatenate([codes, wrong.astype(np.uint8), moves.astype(np.uint8)]).data)
