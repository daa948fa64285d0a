"""Exact solutions: what every position of a game is worth when both sides play perfectly.

A game's solver is one module of its name with `find_oracle(game, progress)`, and with `analyse(game, ...)`
for what `arena solve` prints. Modules are read when they are asked for: solving needs NumPy and Numba.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from engines.game import Game
from engines.solvers.oracle import (
    DRAWN,
    Oracle,
    Progress,
    Solution,
    SolverError,
    Value,
    no_progress,
)

SOLVERS: dict[str, str] = {
    "circle_nim": "engines.solvers.circle_nim",
    "heap_nim": "engines.solvers.heap_nim",
    "l_game": "engines.solvers.l_game",
    "reversed_reversi": "engines.solvers.reversed_reversi",
    "rhombic_chess": "engines.solvers.rhombic_chess",
}
"""The module that solves each game."""

__all__ = [
    "DRAWN",
    "SOLVERS",
    "Oracle",
    "Progress",
    "Solution",
    "SolverError",
    "Value",
    "find_oracle",
    "find_solver",
    "no_progress",
]

_OPEN: dict[Game[Any], Oracle[Any]] = {}


def find_solver(name: str) -> ModuleType:
    """The module that solves the game of that name.

    Raises:
        SolverError: there is none.
    """
    if name not in SOLVERS:
        raise SolverError(f"there is no solver for {name}; there are some for {', '.join(sorted(SOLVERS))}")
    return importlib.import_module(SOLVERS[name])


def find_oracle(game: Game[Any], progress: Progress | None = None) -> Oracle[Any]:
    """The exact values of `game`; a table that is not on disk yet is built first. One oracle a game is kept.

    Raises:
        SolverError: the game cannot be solved with these parameters.
    """
    if game not in _OPEN:
        _OPEN[game] = find_solver(game.name).find_oracle(game, progress or no_progress)
    return _OPEN[game]
