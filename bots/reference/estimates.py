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

    Where it is the same, estimates to the same depth are the same on every machine.
    """
    found = _weights_of(game)
    return None if found is None else f"{VERSION}-{found[1]}"


def find_estimator(game: Game[Any]) -> Estimator:
    """What estimates positions of `game`.

    Raises:
        SolverError: nothing does, or what is compiled was not built.
    """
    found = _weights_of(game)
    if found is None or not isinstance(game, ReversedReversi):
        raise SolverError(f"positions of {game.name} are not estimated with these parameters")
    return Estimator(game, found[0])


def _weights_of(game: Game[Any]) -> tuple[bytes, str] | None:
    if not isinstance(game, ReversedReversi) or game.sides != (game.size, game.size):
        return None
    return _weights(f"{game.size}-{'fewest' if game.reversed else 'most'}.weights")


@cache
def _weights(name: str) -> tuple[bytes, str] | None:
    """A file of weights and the beginning of its SHA-256; None where there is none."""
    path = files(CHAMPION) / name
    if not path.is_file():
        return None
    content = path.read_bytes()
    return content, hashlib.sha256(content).hexdigest()[:DIGITS]
