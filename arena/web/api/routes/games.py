"""The games that tournaments can be about."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from arena.core.errors import InvalidError, NotFoundError
from arena.schemas.games import GameOut
from arena.schemas.paging import Page
from arena.schemas.positions import PositionsOut
from arena.web.answers.copying import copied
from arena.web.answers.positions import positions_of
from arena.web.http.given_games import GivenParams, game_with
from arena.web.http.problems import documented
from arena.web.http.responses import MAX_OFFSET, NOT_MODIFIED, Part, conditional, part_of
from engines.game import Game, GameError, UnknownGameError
from engines.games import all_games, find_game, find_row
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


@router.get(
    "/games/{name}/positions",
    response_model=PositionsOut,
    responses={**NOT_MODIFIED, **documented(404, 422)},
)
def get_positions(
    *,
    request: Request,
    name: str,
    moves: Annotated[
        str, Query(max_length=8000, description="In the notation, with commas between.", examples=["d6,c4"])
    ] = "",
    params: GivenParams = "{}",
    first: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="The first ply to be shown.")] = 0,
) -> Response:
    """The positions after these moves as they are drawn, 512 at most."""
    game = game_with(name, params)
    try:
        return conditional(request, positions_of(game, moves.split(",") if moves else [], first))
    except GameError as error:
        raise InvalidError(str(error)) from None


def game_of(game: Game[Any]) -> GameOut:
    """The game with the parameters it has."""
    return copied(
        GameOut,
        game,
        description=(type(game).__doc__ or "").partition("\n")[0],
        policy=policy_of(game, Policy()),
        levels=list(find_row(game.name).levels),
        state_schema=game.state_schema(),
    )
