"""Matches: what was planned, how it ended, move by move."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.results import views
from arena.schemas.matches import MatchDetail, MatchOut, Reason
from arena.schemas.paging import Page
from arena.store import matches as store
from arena.store import stamps
from arena.store.models import Match, User
from arena.submissions import versions
from arena.tournaments import lifecycle, matches
from arena.web.answers.matches import detail_of, match_of
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import (
    PUBLIC,
    InMatch,
    InSession,
    InTournament,
    InViewer,
    Runner,
    cacheable_matches,
)
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from arena.web.http.visibility import Viewer
from workers.core.contract import MatchRecord

PATH = "/tournaments/{name}/matches"
router = APIRouter(tags=["matches"], responses=documented(404, 422))


@router.get(PATH, response_model=Page[MatchOut], responses=NOT_MODIFIED)
def list_matches(
    *,
    request: Request,
    session: InSession,
    tournament: InTournament,
    part: Part,
    state: Annotated[MatchState | None, Query(description="Only those in this state.")] = None,
    bot: Annotated[str | None, Query(description="Only those of this bot.")] = None,
) -> Response:
    """A tournament's matches in the order of the schedule."""
    entry = lifecycle.entry_of(session, tournament, versions.get(session, bot)) if bot else None
    cacheable_matches(request, session, tournament, state=state, entry=entry, part=part)
    rows, total = views.list_matches(
        session, tournament, state=state, entry=entry, offset=part.offset, limit=part.limit
    )
    return conditional(request, page_of([match_of(match) for match in rows], total, part))


@router.get(
    PATH + "/{number}",
    name="get_match",
    response_model=MatchDetail,
    responses={**NOT_MODIFIED, **documented(401)},
    openapi_extra=PUBLIC,
)
def show_match(request: Request, session: InSession, viewer: InViewer, match: InMatch) -> Response:
    """A match with its moves. What a bot wrote is shown to its owner and the staff only."""
    cacheable(request, stamps.of_match(session, match))
    return conditional(request, detail_of(viewer, match, store.moves(session, match)))


@router.get(
    PATH + "/{number}/record",
    response_model=MatchRecord,
    responses={**NOT_MODIFIED, **documented(401, 409)},
    openapi_extra=PUBLIC,
)
def get_record(request: Request, session: InSession, viewer: InViewer, match: InMatch) -> Response:
    """What is needed to show or replay the match, as in a line of a record file; hidden texts are empty."""
    cacheable(request, stamps.of_match(session, match))
    return conditional(request, viewer.record(match, views.match_record(session, match)))


@router.post(PATH + "/{number}/retry", responses=documented(401, 403, 409))
def retry_match(session: InSession, staff: Runner, match: InMatch) -> MatchDetail:
    """Give a parked match another chance."""
    matches.retry(session, staff, match)
    return for_staff(session, staff, match)


@router.post(PATH + "/{number}/drop", responses=documented(400, 401, 403, 409, 413))
def drop_match(session: InSession, staff: Runner, match: InMatch, drop: Reason) -> MatchDetail:
    """Call a parked match off: it counts for nobody, and the tournament ends without it."""
    matches.drop(session, staff, match, drop.reason)
    return for_staff(session, staff, match)


def for_staff(session: Session, staff: User, match: Match) -> MatchDetail:
    """The match as it is now, as the staff may see it."""
    session.refresh(match)
    return detail_of(Viewer(staff), match, store.moves(session, match))
