"""Every game that can be named, in one explicit table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from engines.game import Game, ParameterError, UnknownGameError
from engines.games.circle_nim import CircleNim
from engines.games.heap_nim import HeapNim
from engines.games.l_game import LGame
from engines.games.reversed_reversi import ReversedReversi
from engines.games.rhombic_chess import RhombicChess

GAMES: dict[str, type[Game[Any]]] = {
    ReversedReversi.name: ReversedReversi,
    HeapNim.name: HeapNim,
    CircleNim.name: CircleNim,
    LGame.name: LGame,
    RhombicChess.name: RhombicChess,
}


def find_game(name: str, params: Mapping[str, Any] | None = None) -> Game[Any]:
    """The game of that name with those parameters, defaults filled in.

    Raises:
        UnknownGameError: no such game.
        ParameterError: a parameter is unknown, of the wrong kind or out of range.
    """
    if name not in GAMES:
        message = f"there is no game {name!r}; the games are {', '.join(sorted(GAMES))}"
        raise UnknownGameError(message)
    game = GAMES[name]
    known = [field.name for field in dataclasses.fields(game)]  # type: ignore[arg-type]
    unknown = sorted(set(params or {}) - set(known))
    if unknown:
        message = f"{name} has no parameter {unknown[0]!r}; it has {', '.join(known) or 'none'}"
        raise ParameterError(message)
    return game(**(params or {}))
