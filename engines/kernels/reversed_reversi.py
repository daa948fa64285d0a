"""Reversi between two random players: 8x8 squares in sixteen lanes, other squares one game after the other.

Boards that are no squares are played by the plain rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.game import Game
from engines.games.reversed_reversi import ReversedReversi
from engines.kernels import Batch, Kernel, Playouts
from engines.kernels.arithmetic import U64
from engines.kernels.choices import find_walks
from engines.kernels.random_games import NO_LIMIT, are_random
from engines.kernels.reversi_lanes import play_lanes
from engines.kernels.reversi_wide import Rules, play_wide


def find(game: Game[Any], first: str, second: str) -> Kernel | None:
    """The kernel for two players; None where random ones play on a board that is no square.

    Raises:
        StrategyError: one of the two is no player of Reversi.
    """
    if not isinstance(game, ReversedReversi):
        return None
    if not are_random(game, first, second):
        return find_walks(game, first, second)
    if game.rows is not None:
        return None
    return RandomReversi(game, in_lanes=game.size == 8)


def reasons(game: ReversedReversi) -> tuple[str, str]:
    """What the rules call the end of a game that was won, and of one that was drawn, if any is."""
    return ("fewest_discs" if game.reversed else "most_discs", "equal_discs")


@dataclass(frozen=True)
class RandomReversi:
    """A kernel for two random players; only 8x8 squares can be played `in_lanes`."""

    game: ReversedReversi
    in_lanes: bool

    def play(self, batch: Batch) -> Playouts:
        """The games of `batch`. Equal players can swap seats, and no position ever comes up twice."""
        count, squares = batch.count, self.game.size**2
        winners, ends = np.empty(count, np.int8), np.empty(count, np.int8)
        plies, scores = np.empty(count, np.int32), np.empty((count, 2), np.int16)
        # No two plies in a row are passes, so a game has fewer plies than this.
        moves = np.full((count, 2 * squares), -1, np.int32) if batch.keep_moves else None
        games = U64(batch.run), U64(batch.start), U64(count)
        limit, out = U64(batch.max_plies or NO_LIMIT), (winners, plies, scores, ends)
        if self.in_lanes:
            play_lanes(games, limit, self.game.reversed, out, moves)
        else:
            play_wide(games, limit, _rules(self.game), out, moves)
        if moves is not None:
            moves = moves[:, : plies.max(initial=0)].copy()
        return Playouts(winners, plies, scores, ends, moves)


def _rules(game: ReversedReversi) -> Rules:
    """What `play_wide` has to know."""
    geo, start = game.geometry, game.initial()
    inner = geo.shifts[0][1]
    halves = [divmod(board, 1 << 64) for board in (start.own, start.opp, inner, geo.full)]
    return game.reversed, U64(game.size), np.array(halves, np.uint64)
