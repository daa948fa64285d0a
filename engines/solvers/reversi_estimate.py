"""Reversi positions that are too far from their end to be solved: what a search of some plies makes of them.

It is the search of the reference bot `champion`, which judges by patterns with learned weights
(`engines/reversi_midgame.h`), to a fixed depth, with no clock, and of each position anew: so an estimate
depends on position, depth and weights alone, and is the same on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.game import Move
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.oracle import SolverError

VERSION = 1
"""Of what is estimated with the same weights; the next one where the search finds something else."""
SIZES = (4, 6, 8)
"""The square boards that have patterns."""


class Estimate(NamedTuple):
    """What a position is worth to the side to move, its best move, and what the move asked about is worth.

    Values are the mover's discs less the other side's at the end, negated where fewer discs win, so that more
    is always better for the mover.
    """

    value: float
    best: Move
    played: float


class Estimator:
    """Estimates positions of one board and rule.

    Several are independent of each other. One is not for two threads at once.
    """

    def __init__(self, game: ReversedReversi, weights: bytes) -> None:
        """Take a file of weights, as `engines/reversi_patterns.h` describes it.

        Raises:
            SolverError: there are no patterns for such a board, or what is compiled was not built.
            ValueError: the weights are none of this board and rule.
        """
        if game.sides[0] != game.sides[1] or game.size not in SIZES:
            sizes = ", ".join(map(str, SIZES))
            raise SolverError("positions are estimated on square boards of the sizes %(sizes)s", sizes=sizes)
        try:
            from engines import _estimate
        except ImportError:
            raise SolverError(
                "estimates of Reversi are not compiled here; install a C compiler, and then the arena anew"
            ) from None
        self._game = game
        self._estimator = _estimate.Estimator(game.size, game.reversed, weights)

    def estimate(self, state: State, depth: int, played: Move | None = None) -> Estimate:
        """Search a position `depth` plies deep, or to its end where that is nearer: then it is exact.

        `played` is judged by the same search, and never worth more than the best move; without one the best
        is asked about. A pass is not a ply. Other threads run meanwhile.

        Raises:
            ValueError: the game is over, `depth` is less than 1, or `played` cannot be played.
            RuntimeError: it is at work in another thread.
        """
        forced = self._game.forced_pass(state)
        if forced is None:
            return Estimate(*self._estimator.value(state.own, state.opp, depth, played))
        if played not in {None, forced}:
            raise ValueError("the side to move has to pass")
        after = self._game.play(state, forced)
        value = -self._estimator.value(after.own, after.opp, depth, None)[0]
        return Estimate(value, forced, value)
