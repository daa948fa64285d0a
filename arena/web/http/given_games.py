"""The games that requests name, with their parameters."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Query

from arena.core.errors import InvalidError, NotFoundError
from engines.game import Game, GameError, UnknownGameError
from engines.games import find_game

GivenParams = Annotated[
    str, Query(max_length=1000, description="The parameters, a JSON object; others are as usual.")
]


def game_with(name: str, params: str) -> Game[Any]:
    """The game of that name with those parameters.

    Raises:
        NotFoundError: there is no such game.
        InvalidError: it cannot have these parameters.
    """
    try:
        given = json.loads(params)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InvalidError(f'params must be a JSON object such as {{"size": 8}}, not {params[:40]!r}')
    try:
        return find_game(name, given)
    except UnknownGameError as error:
        raise NotFoundError(str(error)) from None
    except GameError as error:
        raise InvalidError(str(error)) from None
