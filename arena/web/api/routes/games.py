"""The games that tournaments can be about."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.core.errors import NotFoundError
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Page, Part, conditional, part_of
from arena.web.schemas.games import GameOut
from engines.game import UnknownGameError
from engines.games import all_games, find_game

router = APIRouter(tags=["games"])


@router.get("/games", response_model=Page[GameOut], responses={**NOT_MODIFIED, **documented(422)})
def list_games(request: Request, part: Part) -> Response:
    """Every game with its parameters."""
    return conditional(request, part_of([GameOut.of(find_game(name)) for name in sorted(all_games())], part))


@router.get("/games/{name}", responses=documented(404, 422))
def get_game(name: str) -> GameOut:
    """One game with its parameters."""
    try:
        return GameOut.of(find_game(name))
    except UnknownGameError as error:
        raise NotFoundError(str(error)) from None
