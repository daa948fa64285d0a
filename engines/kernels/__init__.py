"""Compiled batches: many games of one kind in one call, bit for bit what the plain rules and strategies play.

A game's row names the module of its kernel, which has `find` as `find_kernel`, and `reasons` as `reasons_of`.
None is imported before it is looked for, because compiling needs Numba, and Numba half a second.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from engines.game import Game
from engines.games import find_row

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class Batch:
    """Games `start` to ``start + count - 1`` of the match with the key `run`.

    With `swap` the first player sits in seat 1 in games with an odd index. `repetition` (0: never) and
    `max_plies` (0: no limit) are the match's draw policy. With `keep_moves` every move is noted.
    """

    run: int
    start: int
    count: int
    swap: bool = False
    repetition: int = 0
    max_plies: int = 0
    keep_moves: bool = False


@dataclass(frozen=True)
class Playouts:
    """How the games of a batch ended, one row a game in the order of their indices.

    Shapes: `winners` (count,) int8, the winning seat or -1 for a draw; `plies` (count,) int32, passes
    counted; `scores` (count, 2) int16, by seat; `ends` (count,) int8, 0 ended by the rules, 1 drawn by
    repetition, 2 drawn by the ply limit; `moves` (count, most plies) int32, filled up with -1, or None.
    """

    winners: npt.NDArray[np.int8]
    plies: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int16]
    ends: npt.NDArray[np.int8]
    moves: npt.NDArray[np.int32] | None


class Kernel(Protocol):
    """Plays batches of one game, its parameters and players fixed."""

    def play(self, batch: Batch) -> Playouts:
        """The games of `batch`."""


def find_kernel(game: Game[Any], first: str, second: str) -> Kernel | None:
    """The kernel for this game between these players (as `find_strategy` reads them), None if there is none.

    Raises:
        StrategyError: one of the two is no player of this game.
    """
    row = find_row(game.name).kernel
    kernel: Kernel | None = row and importlib.import_module(row.module).find(game, first, second)
    return kernel


def reasons_of(game: Game[Any]) -> tuple[str, str]:
    """The words of a game with a kernel for the end of a game that was won, and of one that was drawn.

    The second is empty where no game is drawn by the rules.
    """
    row = find_row(game.name).kernel
    if row is None:
        raise LookupError(f"{game.name} has no kernel")
    won, drawn = importlib.import_module(row.module).reasons(game)
    return won, drawn
