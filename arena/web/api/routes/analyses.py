"""Analyses of games by exact solvers: asked for here, made on the workers."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from arena.core.errors import ConflictError
from arena.results.accuracy import accuracies
from arena.schemas.accuracy import AccuracyOut, LeftOut
from arena.schemas.analyses import AnalysisAsked, AnalysisOut
from arena.store import analyses as analysis_store
from arena.store import matches as store
from arena.store import stamps
from arena.store.models import Tournament
from arena.tournaments import analyses, matches
from arena.web.answers.accuracy import accuracy_of
from arena.web.answers.analyses import analysis_of, asked_analysis, played_of
from arena.web.answers.copying import copied
from arena.web.api.routes.matches import PATH as MATCHES
from arena.web.http.answer_cache import cacheable
from arena.web.http.costly_routes import CostlyRoute
from arena.web.http.dependencies import (
    PUBLIC,
    Actor,
    InMatch,
    InServices,
    InSession,
    InTournament,
    InViewer,
    MatchNumber,
    Runner,
)
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, conditional

PATH = MATCHES + "/{number}/analysis"
ALL = "/tournaments/{name}/analyses"

router = APIRouter(tags=["matches"], responses=documented(401, 404, 409, 422))
costly = APIRouter(tags=["tournaments"], responses=documented(202, 422, 429), route_class=CostlyRoute)


@router.get(
    PATH, response_model=AnalysisOut, responses={**NOT_MODIFIED, **documented(202)}, openapi_extra=PUBLIC
)
def get_analysis(request: Request, session: InSession, _viewer: InViewer, match: InMatch) -> Response:
    """What each position was worth with perfect play; 202 while that is found out, 404 if nobody asked."""
    row = analyses.done(session, match)
    told = analysis_of(row, played_of(match, store.moves(session, match)), match.number)
    if told is None:
        raise ConflictError(
            "this installation has other rules than those that match %(match)s was played by",
            match=match.number,
        )
    cacheable(request, stamps.of_match(session, match))
    return conditional(request, told)


@router.post(PATH, status_code=202, responses=documented(403, 429))
def ask_analysis(
    *,
    response: Response,
    session: InSession,
    services: InServices,
    actor: Actor,
    tournament: InTournament,
    number: MatchNumber,
) -> AnalysisAsked:
    """Have a game analysed on the workers, when no match or move waits; who has asked before asks in vain."""
    match = matches.get_shown(session, actor, tournament, number)
    row = analyses.ask(session, actor, match, services.settings.analyses)
    return asked_analysis(response, row, match.number)


@costly.get(
    "/tournaments/{name}/accuracy",
    response_model=AccuracyOut,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_accuracy(request: Request, session: InSession, tournament: InTournament) -> Response:
    """How well each bot has moved, by the exact values of those games that are analysed."""
    cacheable(request, stamps.of_accuracy(session, tournament))
    return conditional(request, accuracy_of(tournament, accuracies(session, tournament)))


@router.get(ALL, responses=documented(403))
def get_analyses(session: InSession, _staff: Runner, tournament: InTournament) -> LeftOut:
    """Whether all games of a tournament are analysed, and how many are left."""
    return _left_of(session, tournament)


@router.post(ALL, status_code=202, responses=documented(403))
def ask_analyses(
    services: InServices, session: InSession, staff: Runner, tournament: InTournament
) -> LeftOut:
    """Have all games of a tournament analysed by workers that have nothing else to do, later ones too."""
    analyses.ask_all(session, staff, tournament, services.settings.analyses)
    return _left_of(session, tournament)


@router.delete(ALL, status_code=204, responses=documented(403))
def call_off_analyses(session: InSession, _staff: Runner, tournament: InTournament) -> None:
    """Have no more games of a tournament analysed by themselves; what is analysed stays."""
    analyses.call_off(session, tournament)


def _left_of(session: Session, tournament: Tournament) -> LeftOut:
    return copied(
        LeftOut,
        analysis_store.left(session, tournament.id),
        ordered=tournament.analysed_for is not None,
    )
