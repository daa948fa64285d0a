"""The games that tournaments can be about."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from arena.core.errors import NotFoundError
from arena.schemas.games import GameOut
from arena.schemas.paging import Page
from arena.web.answers.copying import copied
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, part_of
from engines.game import Game, UnknownGameError
from engines.games import all_games, find_game
from workers.core.contract import Policy
from workers.play.policy import policy_of

router = APIRouter(tags=["games"])


@router.get("/games", response_model=Page[GameOut], responses={**NOT_MODIFIED, **documented(422)})
def list_games(request: Request, part: Part) -> Response:
    """Every game with its parameters."""
    return conditional(request, part_of([game_of(find_game(name)) for name in sorted(all_games())], part))


@router.get("/games/{name}", responses=documented(404, 422))
def get_game(name: str) -> GameOut:
    """One game with its parameters."""
    try:
        return game_of(find_game(name))
    except UnknownGameError as error:
        raise NotFoundError(str(error)) from None


def game_of(game: Game[Any]) -> GameOut:
    """The game with the parameters it has."""
    return copied(
        GameOut,
        game,
        description=(type(game).__doc__ or "").partition("\n")[0],
        policy=policy_of(game, Policy()),
        state_schema=game.state_schema(),
    )
