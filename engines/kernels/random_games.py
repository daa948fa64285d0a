"""What the kernels of random players share whose games end with a winner and a loser.

Such a kernel is two compiled functions. One plays, and books for each game the winning seat, the plies and
how it ended. The other replays games whose plies are known and notes their moves; it needs no draw policy,
and the first one never has to ask whether moves are wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from engines.game import Game
from engines.kernels import Batch, Playouts
from engines.kernels.arithmetic import U64
from engines.kernels.jit import Games, Int32s, Policy, Results, compiled
from engines.strategies import find_strategy

NO_LIMIT = 1 << 62
"""More plies than any game has: what a policy without a ply limit compares with."""

DRAWN = -1
BY_RULES, BY_REPETITION, BY_PLY_LIMIT = range(3)
T = TypeVar("T")


def are_random(game: Game[Any], *players: str) -> bool:
    """Whether each of `players` is the random player of `game`.

    Raises:
        StrategyError: one of them is no player of this game.
    """
    return {find_strategy(player, game).name for player in players} == {"random"}


@dataclass(frozen=True)
class RandomGames(Generic[T]):
    """A kernel whose players both draw from the legal moves, each equally likely.

    `playing` is called with `tables`, the games, the draw policy, and the results to fill; `noting` with
    `tables`, the games, their plies, and the array of moves to fill.
    """

    tables: T
    playing: Callable[[T, Games, Policy, Results], None]
    noting: Callable[[T, Games, Int32s, Int32s], None]

    def play(self, batch: Batch) -> Playouts:
        """The games of `batch`. Who sits where makes no difference between equal players."""
        games = U64(batch.run), U64(batch.start)
        winners, ends = np.empty(batch.count, np.int8), np.empty(batch.count, np.int8)
        plies = np.empty(batch.count, np.int32)
        policy = U64(batch.repetition), batch.max_plies or NO_LIMIT
        self.playing(self.tables, games, policy, (winners, plies, ends))
        scores = np.empty((batch.count, 2), np.int16)
        for seat in (0, 1):
            np.equal(winners, seat, out=scores[:, seat], casting="unsafe")
        moves = None
        if batch.keep_moves:
            moves = np.full((batch.count, int(plies.max(initial=0))), -1, np.int32)
            self.noting(self.tables, games, plies, moves)
        return Playouts(winners, plies, scores, ends, moves)


@compiled
def book(results: Results, game: int, winner: int, made: int, end: int) -> None:
    """Write down that `game` (counted from the batch's first) ended so after `made` plies."""
    winners, plies, ends = results
    winners[game], plies[game], ends[game] = winner, made, end
