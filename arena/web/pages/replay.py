"""A match as a page shows it: the position after some ply."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import urlencode

from arena.schemas.positions import PositionOut, SceneOut
from arena.web.answers.positions import game_of, position_after, scene_of
from engines.game import GameError
from workers.core.contract import GameSpec


def drawn(
    spec: GameSpec, moves: Sequence[str], ply: int | None
) -> tuple[SceneOut, PositionOut] | tuple[None, None]:
    """How the game is drawn, and the position after `ply` of `moves`, or all where there are no more.

    Nothing where this installation has not these rules.
    """
    game = game_of(spec)
    if game is None:
        return None, None
    at = len(moves) if ply is None else min(ply, len(moves))
    try:
        return scene_of(game), position_after(game, moves[:at])
    except GameError:
        return None, None


def positions_address(spec: GameSpec, moves: Sequence[str]) -> str:
    """Where the positions of a game of these moves are, also where the public does not know of the game."""
    asked = urlencode({"params": json.dumps(spec.params), "moves": ",".join(moves)})
    return f"/api/v1/games/{spec.name}/positions?{asked}"
