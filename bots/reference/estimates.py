"""Positions estimated as the reference bot `champion` sees them, with the weights that it is shipped with."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from engines.game import Game
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.oracle import SolverError
from engines.solvers.reversi_estimate import VERSION, Estimator

CHAMPION: Final = "bots.reference.champion"
"""The package that the weights lie in."""
DIGITS: Final = 12
"""So many hexadecimal digits tell weights apart."""


def estimated_by(game: Game[Any]) -> str | None:
    """Which search and which weights estimate positions of `game`; None where nothing does.

    With the same depth the same estimates are made by the same search and weights, on every machine.
    """
    weights = _weights(game)
    return None if weights is None else f"{VERSION}-{hashlib.sha256(weights).hexdigest()[:DIGITS]}"


def find_estimator(game: Game[Any]) -> Estimator:
    """What estimates positions of `game`.

    Raises:
        SolverError: nothing does, or what is compiled was not built.
    """
    weights = _weights(game)
    if weights is None or not isinstance(game, ReversedReversi):
        raise SolverError(f"positions of {game.name} are not estimated with these parameters")
    return Estimator(game, weights)


@cache
def _weights(game: Game[Any]) -> bytes | None:
    if not isinstance(game, ReversedReversi) or game.sides != (game.size, game.size):
        return None
    path = files(CHAMPION) / f"{game.size}-{'fewest' if game.reversed else 'most'}.weights"
    return path.read_bytes() if path.is_file() else None
