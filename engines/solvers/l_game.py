"""The L-Game solved: each of the 18,368 positions a side to move can see.

The table holds three bytes a position, in three blocks: the code of its value, how many of its moves lead to
a position won for the other side, and how many moves it has. A position's number is that of
`engines.solvers.l_game_positions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engines.games.l_game import SQUARES, LGame, State
from engines.solvers.l_game_positions import DISCS, PAIRS, POSITIONS, graph_of, number_of
from engines.solvers.oracle import Oracle, Progress, Solution, Value, decoded, no_progress
from engines.solvers.tables import open_table

CONTENT = "values-1"


class LGameOracle(Oracle[State]):
    """Values from the table, and the document's chance of winning where they leave a choice."""

    def __init__(self, table: memoryview) -> None:
        self.codes, self.wrong, self.moves = (
            table[block * POSITIONS : (block + 1) * POSITIONS] for block in range(3)
        )

    def value(self, state: State) -> Value:
        """The value of any position."""
        return decoded(self.codes[number_of(state)])

    def promise(self, state: State) -> Fraction | int:
        """In a drawn position the share of the moves there by which the opponent goes wrong and loses.

        That is the "chance of winning" of Tsai and Lin: of several moves that hold the draw they take the
        one after which the largest share of the answers leads to a position won for them.
        """
        number = number_of(state)
        return 0 if self.codes[number] else Fraction(self.wrong[number], self.moves[number])


def find_oracle(game: LGame, progress: Progress = no_progress) -> LGameOracle:
    """The exact values of the L-Game."""
    return LGameOracle(open_table(game, CONTENT, _build, progress))


def all_positions(_game: LGame) -> tuple[int, Iterator[State]]:
    """How many positions a side to move can see, and each of them, by its number; seat 0 is to move."""
    states = (
        State(own, other, 1 << free[one] | 1 << free[two], 0)
        for own, other in PAIRS
        for free in [[square for square in range(SQUARES) if not (own | other) >> square & 1]]
        for one, two in DISCS
    )
    return POSITIONS, states


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
