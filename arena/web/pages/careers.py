"""A bot's pages over all tournaments: who it is, its games, opponents and places, and how it was rated."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.terms import OVER
from arena.results import careers
from arena.store import careers as store
from arena.store import stamps, summaries
from arena.store.models import Bot
from arena.store.paging import page
from arena.submissions import checks
from arena.web.answers.bots import version_of
from arena.web.answers.careers import bot_ratings_of, career_of, game_of, opponent_of, place_of
from arena.web.http.answer_cache import cacheable
from arena.web.http.careers import AreSoughtOfBot, CachedBot, Few
from arena.web.http.costly_routes import CostlyRoute
from arena.web.http.dependencies import InSession
from arena.web.http.responses import Part, page_of
from arena.web.pages import rating_chart
from arena.web.pages.rendering import render

VERSIONS = 10
"""So many versions, the newest first, stand on the first page."""
MET_MOST = 8
POINTS = 24

router = APIRouter(default_response_class=HTMLResponse)
costly = APIRouter(default_response_class=HTMLResponse, route_class=CostlyRoute)


@router.get("/bots/{name}")
def show_bot(request: Request, session: InSession, bot: CachedBot) -> HTMLResponse:
    """A bot: its team, its versions and where they play, its last results, and whom it has met most."""
    versions, count = page(session, summaries.checked_versions(bot), 0, VERSIONS)
    plays = defaultdict(list)
    for part in store.parts(session, bot.id):
        if part.state not in OVER and part.left_as is None:
            plays[part.version].append(part)
    met, opponents = careers.opponents(session, bot, 0, MET_MOST)
    return render(
        request,
        "bot.html",
        bot=_told(bot),
        career=career_of(bot, careers.career(session, bot)),
        versions=[version_of(each) for each in versions],
        older=max(0, count - VERSIONS),
        codes={each.number: checks.code_of(each) for each in versions},
        plays=plays,
        met=[opponent_of(each) for each in met],
        opponents=opponents,
    )


@router.get("/bots/{name}/matches")
def list_games(
    *,
    request: Request,
    session: InSession,
    bot: CachedBot,
    sought: AreSoughtOfBot,
    part: Part,
    opponent: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """A bot's games of all tournaments, the last first; of an outcome, an opponent or a tournament."""
    rows, total = careers.games(session, bot, sought, part.offset, part.limit)
    return render(
        request,
        "bot_matches.html",
        bot=_told(bot),
        page=page_of([game_of(each) for each in rows], total, part),
        outcome=sought.outcome or "",
        opponent=opponent,
        opponents=store.opponent_names(session, bot.id),
        tournament=sought.tournament or "",
        tournaments=[(each.name, each.title or each.name) for each in store.parts(session, bot.id)],
    )


@router.get("/bots/{name}/opponents")
def list_opponents(request: Request, session: InSession, bot: CachedBot, part: Part) -> HTMLResponse:
    """What a bot's games with each other bot came to, over all tournaments."""
    rows, total = careers.opponents(session, bot, part.offset, part.limit)
    return render(
        request,
        "bot_opponents.html",
        bot=_told(bot),
        page=page_of([opponent_of(each) for each in rows], total, part),
    )


@costly.get("/bots/{name}/tournaments")
def list_places(request: Request, session: InSession, bot: CachedBot, part: Few) -> HTMLResponse:
    """The tournaments that a bot is entered in, with its places."""
    rows, total = careers.places(session, bot, part.offset, part.limit)
    return render(
        request,
        "bot_tournaments.html",
        bot=_told(bot),
        page=page_of([place_of(each) for each in rows], total, part),
    )


@costly.get("/bots/{name}/ratings")
def show_ratings(
    request: Request,
    session: InSession,
    bot: CachedBot,
    game: Annotated[str | None, Query(max_length=60)] = None,
) -> HTMLResponse:
    """How a bot's rating in one game came about, over all tournaments."""
    played = careers.game_of(session, bot, game)
    rated = None
    if played is not None:
        cacheable(request, stamps.of_bot_in_game(session, bot, played))
        rated = careers.ratings(session, bot, played, POINTS)
    ratings = bot_ratings_of(bot, rated)
    return render(
        request,
        "bot_ratings.html",
        bot=_told(bot),
        ratings=ratings,
        games=[each.game for each in store.sums(session, bot.id)],
        chart=rating_chart.drawn(
            [point.games for point in ratings.points],
            [(bot.name, [point.rating for point in ratings.points])],
        ),
        size=(rating_chart.WIDTH, rating_chart.HEIGHT),
        made=utc_now(),
    )


def _told(bot: Bot) -> dict[str, object]:
    """What stands over every page of a bot."""
    return {"name": bot.name, "owner": bot.owner.name, "is_teams": permissions.is_team(bot.owner)}
