"""Compiled batches: many games of one kind in one call, bit for bit what the plain rules and strategies play.

A kernel is one file with the name of its game. Nothing here is imported before a kernel is looked for,
because compiling needs Numba, and Numba half a second.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from engines.game import Game

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

KERNELS = ("circle_nim", "heap_nim", "l_game", "reversed_reversi", "rhombic_chess")


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
    if game.name not in KERNELS:
        return None
    module = importlib.import_module(f"engines.kernels.{game.name}")
    kernel: Kernel | None = module.find(game, first, second)
    return kernel
