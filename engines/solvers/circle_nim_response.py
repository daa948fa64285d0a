"""The best response in circle Nim.

It has no play graph: its sets of circles say all that a graph would, and have too many moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.games.circle_nim import CircleNim, State, lines
from engines.solvers.best_response import NEAR_PLIES, NEAR_SCORE, Scores
from engines.solvers.oracle import SolverError
from engines.strategies.circle_nim import kinds

if TYPE_CHECKING:
    from engines.kernels.jit import Int64s

MAX_ROWS = 6
"""With seven the numbers alone would take 8 GB."""


def numbering(game: CircleNim) -> Callable[[State], int]:
    """The sets of circles as integers.

    Raises:
        SolverError: there are too many.
    """
    if game.rows > MAX_ROWS:
        raise SolverError(
            "best_response plays circle_nim with up to %(most)s rows, not %(rows)s",
            most=MAX_ROWS,
            rows=game.rows,
        )
    return lambda state: state.left


def solve(game: CircleNim) -> tuple[Scores, Int64s, Int64s]:
    """What is expected as first and as second player, and each set's best moves."""
    import numpy as np

    from engines.kernels import response as kernel

    sets, near = 1 << game.circles, (NEAR_SCORE, NEAR_PLIES)
    masks = np.array(lines(game.rows).masks, np.int64)
    counts = [kind.bit_count() for kind in kinds(game.rows)]
    scores, plies = (np.zeros(sets), np.zeros(sets)), (np.zeros(sets), np.zeros(sets))
    scores[0][0] = 1.0  # the other side has taken the last circle
    count = kernel.solve_sets(masks, np.cumsum([0, *counts]), scores, plies, near)
    starts, moves = np.zeros(sets + 1, np.int64), np.empty(count, np.int64)
    kernel.best_lines(masks, (scores, plies), near, starts, moves)
    return (float(scores[0][-1]), float(scores[1][-1])), starts, moves
