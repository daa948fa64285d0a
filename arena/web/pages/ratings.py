"""The pages of ratings: of a tournament, how they came about, and of whole games; each with its time."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from arena.core.clock import utc_now
from arena.core.terms import HistoryKind
from arena.results import ladders, rating_history, ratings
from arena.results.top_bots import top_bots
from arena.store import stamps
from arena.web.answers.ladders import ladder_of
from arena.web.answers.ratings import rating_history_of, rating_table_of, top_bots_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.costly_routes import CostlyRoute
from arena.web.http.dependencies import CachedTournament, InSession
from arena.web.pages import rating_chart
from arena.web.pages.following import live
from arena.web.pages.rendering import render
from arena.web.pages.tournaments import PUBLIC
from engines.games import all_games, find_presentation

POINTS = 24
TOP, VARIANTS = 10, 4
"""So many of the best bots of a game are shown, and a game with so many different parameters."""

router = APIRouter(default_response_class=HTMLResponse, route_class=CostlyRoute)


@router.get("/ratings")
def show_top_bots(request: Request, session: InSession) -> HTMLResponse:
    """The best bots of each game by all tournaments, and what counts."""
    cacheable(request, stamps.of_all(session))
    tops = [each for name in all_games() for each in top_bots(session, name)[:VARIANTS]]
    return render(
        request,
        "top_bots.html",
        made=utc_now(),
        tops=[(find_presentation(each.game).title(each.params), top_bots_of(each, TOP)) for each in tops],
    )


@router.get("/tournaments/{name}/ratings")
def show_ratings(request: Request, session: InSession, tournament: CachedTournament) -> HTMLResponse:
    """How strong the bots are, with errors, and what that rests on."""
    (plan,) = shown(session, PUBLIC, [tournament])
    table = rating_table_of(tournament, ratings.ratings(session, tournament))
    return render(
        request,
        "ratings.html",
        tournament=plan,
        made=utc_now(),
        table=table,
        bars=rating_chart.error_bars(table.items),
        size=(rating_chart.BAR_WIDTH, rating_chart.BAR_HEIGHT),
        live=live(tournament),
    )


@router.get("/tournaments/{name}/ratings/history")
def show_history(
    request: Request,
    session: InSession,
    tournament: CachedTournament,
    kind: Annotated[HistoryKind, Query()] = "likelihood",
) -> HTMLResponse:
    """How the ratings came about, or the online rating with its own way there."""
    (plan,) = shown(session, PUBLIC, [tournament])
    history = rating_history_of(tournament, rating_history.history(session, tournament, kind, POINTS))
    return render(
        request,
        "rating_history.html",
        tournament=plan,
        made=utc_now(),
        history=history,
        chart=rating_chart.chart(history),
        size=(rating_chart.WIDTH, rating_chart.HEIGHT),
    )


@router.get("/tournaments/{name}/ladder")
def show_ladder(request: Request, session: InSession, tournament: CachedTournament) -> HTMLResponse:
    """How a ladder stands: by rating with errors, what the newest round did, and what was played last."""
    (plan,) = shown(session, PUBLIC, [tournament])
    ladder = ladder_of(tournament, ladders.ladder(session, tournament))
    return render(
        request,
        "ladder.html",
        tournament=plan,
        made=utc_now(),
        ladder=ladder,
        bars=rating_chart.error_bars(ladder.items),
        size=(rating_chart.BAR_WIDTH, rating_chart.BAR_HEIGHT),
        live=live(tournament),
    )
