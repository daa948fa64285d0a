"""The ratings of a tournament's bots, and of a game's by all tournaments."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from arena.core.terms import HistoryKind
from arena.results import ladders, rating_history, ratings
from arena.results.top_bots import TopBots, top_bots
from arena.schemas.ladders import LadderOut
from arena.schemas.ratings import RatingHistory, RatingTable, TopBotsOut
from arena.store import stamps
from arena.theory.rating.models import ModelName
from arena.web.answers.ladders import ladder_of
from arena.web.answers.ratings import rating_history_of, rating_table_of, top_bots_of
from arena.web.http.answer_cache import cacheable
from arena.web.http.costly_routes import CostlyRoute
from arena.web.http.dependencies import CachedTournament, InSession
from arena.web.http.given_games import GivenParams, game_with
from arena.web.http.problems import documented
from arena.web.http.responses import MAX_LIMIT, NOT_MODIFIED, conditional

MAX_RESAMPLES = 1000
MAX_POINTS = 100


class RatingRoute(CostlyRoute):
    """Resampling rates the games again and again."""

    def is_long(self, request: Request) -> bool:
        """Whether there are resamples."""
        return request.query_params.get("resamples", "0") != "0"


router = APIRouter(tags=["tournaments"], responses=documented(202, 422, 429), route_class=RatingRoute)

Resamples = Annotated[
    int, Query(ge=0, le=MAX_RESAMPLES, description="Resamples for the errors; 1 counts as 2, 0 is none.")
]


@router.get(
    "/tournaments/{name}/ratings",
    response_model=RatingTable,
    responses={**NOT_MODIFIED, **documented(404, 409)},
)
def get_ratings(
    request: Request,
    session: InSession,
    tournament: CachedTournament,
    *,
    resamples: Resamples = 0,
    seed: Annotated[int, Query(ge=0, lt=2**53, description="What resamples are drawn from.")] = 0,
    pairwise: Annotated[bool, Query(description="Everybody against everybody.")] = False,
    model: Annotated[
        ModelName, Query(description="Ours, or that of another program for comparing figures.")
    ] = "davidson",
) -> Response:
    """How strong the bots are by all games so far, in Elo, with errors."""
    rated = ratings.ratings(
        session,
        tournament,
        resamples=max(2, resamples) if resamples else 0,
        seed=seed,
        pairwise=pairwise,
        model=model,
    )
    return conditional(request, rating_table_of(tournament, rated))


@router.get(
    "/tournaments/{name}/ratings/history",
    response_model=RatingHistory,
    responses={**NOT_MODIFIED, **documented(404, 409)},
)
def get_history(
    request: Request,
    session: InSession,
    tournament: CachedTournament,
    *,
    kind: Annotated[
        HistoryKind,
        Query(description="`likelihood` by rounds, in no order; `online` in the order of recording."),
    ] = "likelihood",
    points: Annotated[
        int, Query(ge=1, le=MAX_POINTS, description="Points at most, evenly spread; the last one is now.")
    ] = 20,
) -> Response:
    """How the ratings came about, or the online rating, which depends on the order of the games."""
    history = rating_history.history(session, tournament, kind, points)
    return conditional(request, rating_history_of(tournament, history))


@router.get(
    "/games/{name}/ratings",
    tags=["games"],
    response_model=TopBotsOut,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_top_bots(
    request: Request,
    session: InSession,
    name: str,
    params: GivenParams = "{}",
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT, description="How many bots to give at most.")] = 50,
) -> Response:
    """How strong the bots of a game are by all tournaments and ladders, in Elo, with errors."""
    game = game_with(name, params)
    cacheable(request, stamps.of_all(session, game=name))
    tops = top_bots(session, name, game.params) or [TopBots(name, game.params, 0, 0, ())]
    return conditional(request, top_bots_of(tops[0], limit))


@router.get(
    "/tournaments/{name}/ladder", response_model=LadderOut, responses={**NOT_MODIFIED, **documented(404)}
)
def get_ladder(request: Request, session: InSession, tournament: CachedTournament) -> Response:
    """How a ladder stands: by rating, with what the newest round did, everybody's form and the last games."""
    return conditional(request, ladder_of(tournament, ladders.ladder(session, tournament)))
