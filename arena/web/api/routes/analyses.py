"""Analyses of games by exact solvers: asked for here, made on the workers."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.core.errors import ConflictError
from arena.schemas.accuracy import LeftOut
from arena.schemas.analyses import AnalysisAsked, AnalysisOut
from arena.store import matches as store
from arena.store import stamps
from arena.tournaments import analyses
from arena.web.answers.analyses import analysis_of, asked_analysis, played_of
from arena.web.answers.copying import copied
from arena.web.api.routes.matches import PATH as MATCHES
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import (
    PUBLIC,
    Actor,
    InMatch,
    InServices,
    InSession,
    InTournament,
    InViewer,
    Runner,
)
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, conditional

PATH = MATCHES + "/{number}/analysis"
ALL = "/tournaments/{name}/analyses"

router = APIRouter(tags=["matches"], responses=documented(401, 404, 409, 422))


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
    response: Response, session: InSession, services: InServices, actor: Actor, match: InMatch
) -> AnalysisAsked:
    """Have a game analysed on the workers, when no match or move waits; who has asked before asks in vain."""
    row = analyses.ask(session, actor, match, services.settings.analyses)
    return asked_analysis(response, row, match.number)


@router.get(ALL, responses=documented(403))
def get_analyses(session: InSession, _staff: Runner, tournament: InTournament) -> LeftOut:
    """Whether all games of a tournament are analysed, and how many are left."""
    return copied(LeftOut, analyses.left(session, tournament))


@router.post(ALL, status_code=202, responses=documented(403))
def ask_analyses(session: InSession, staff: Runner, tournament: InTournament) -> LeftOut:
    """Have all games of a tournament analysed by workers that have nothing else to do, later ones too."""
    return copied(LeftOut, analyses.ask_all(session, staff, tournament))
