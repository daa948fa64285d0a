"""What a bot has done over all tournaments: everybody sees the same, and of frozen ones what was before."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from arena.results import careers
from arena.schemas.careers import BotRatings, CareerGame, CareerOpponent, CareerOut, CareerPlace
from arena.schemas.paging import Page
from arena.store import stamps
from arena.web.answers.careers import bot_ratings_of, career_of, game_of, opponent_of, place_of
from arena.web.http.answer_cache import cacheable
from arena.web.http.careers import AreSoughtOfBot, CachedBot, Few
from arena.web.http.costly_routes import CostlyRoute
from arena.web.http.dependencies import InSession
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of

router = APIRouter(tags=["bots"], responses=documented(404, 422))
costly = APIRouter(tags=["bots"], responses=documented(202, 404, 422, 429), route_class=CostlyRoute)

MAX_POINTS = 100


@router.get("/bots/{name}/career", response_model=CareerOut, responses=NOT_MODIFIED)
def get_career(request: Request, session: InSession, bot: CachedBot) -> Response:
    """What a bot's games of all tournaments came to, by game, and its last ten results."""
    return conditional(request, career_of(bot, careers.career(session, bot)))


@router.get("/bots/{name}/opponents", response_model=Page[CareerOpponent], responses=NOT_MODIFIED)
def list_bot_opponents(request: Request, session: InSession, bot: CachedBot, part: Part) -> Response:
    """What a bot's games with each other bot came to, over all tournaments, whom it has met most first."""
    rows, total = careers.opponents(session, bot, part.offset, part.limit)
    return conditional(request, page_of([opponent_of(each) for each in rows], total, part))


@router.get("/bots/{name}/matches", response_model=Page[CareerGame], responses=NOT_MODIFIED)
def list_bot_matches(
    request: Request, session: InSession, bot: CachedBot, sought: AreSoughtOfBot, part: Part
) -> Response:
    """A bot's recorded games of all tournaments, the last first."""
    rows, total = careers.games(session, bot, sought, part.offset, part.limit)
    return conditional(request, page_of([game_of(each) for each in rows], total, part))


@costly.get("/bots/{name}/tournaments", response_model=Page[CareerPlace], responses=NOT_MODIFIED)
def list_bot_tournaments(request: Request, session: InSession, bot: CachedBot, part: Few) -> Response:
    """The tournaments that a bot is entered in, the newest first, with its places."""
    rows, total = careers.places(session, bot, part.offset, part.limit)
    return conditional(request, page_of([place_of(each) for each in rows], total, part))


@costly.get("/bots/{name}/ratings", response_model=BotRatings, responses=NOT_MODIFIED)
def get_bot_ratings(
    *,
    request: Request,
    session: InSession,
    bot: CachedBot,
    game: Annotated[
        str | None, Query(max_length=60, description="Without it, the one that it played last.")
    ] = None,
    points: Annotated[int, Query(ge=1, le=MAX_POINTS, description="At most; the last one is now.")] = 20,
) -> Response:
    """How a bot's rating came about, by all games of one game in all tournaments."""
    played = careers.game_of(session, bot, game)
    if played is None:
        return conditional(request, bot_ratings_of(bot, None))
    cacheable(request, stamps.of_bot_in_game(session, bot, played))
    return conditional(request, bot_ratings_of(bot, careers.ratings(session, bot, played, points)))
