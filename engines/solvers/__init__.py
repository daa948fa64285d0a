"""Exact solutions: what every position of a game is worth when both sides play perfectly.

A game's row names the module of its solver, with `find_oracle(game, progress)`, with `all_positions(game)`,
and with `analyse(game, ...)` for what `arena solve` prints. Modules are read when they are asked for: solving
needs NumPy and Numba.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from engines.game import Game
from engines.games import GAMES, all_games
from engines.solvers.oracle import (
    DRAWN,
    Oracle,
    Progress,
    Solution,
    SolverError,
    Value,
    no_progress,
)

__all__ = [
    "DRAWN",
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
    row = (GAMES if name in GAMES else all_games()).get(name)
    solver = row.solver if row else None
    if solver is None:
        solved = ", ".join(sorted(row.name for row in all_games().values() if row.solver))
        raise SolverError(
            "there is no solver for %(game)s; there are some for %(solved)s", game=name, solved=solved
        )
    return importlib.import_module(solver.module)


def find_oracle(game: Game[Any], progress: Progress | None = None) -> Oracle[Any]:
    """The exact values of `game`; a table that is not on disk yet is built first. One oracle a game is kept.

    Raises:
        SolverError: the game cannot be solved with these parameters.
    """
    if game not in _OPEN:
        _OPEN[game] = find_solver(game.name).find_oracle(game, progress or no_progress)
    return _OPEN[game]
