"""Events as they happen, and what the staff announces."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from arena.events import announcements
from arena.events.channels import Scope
from arena.schemas.events import EventOut, NewAnnouncement
from arena.schemas.paging import Page
from arena.web.http.dependencies import (
    PUBLIC,
    InMatch,
    InServices,
    InSession,
    InTournament,
    InViewer,
    Staff,
)
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from arena.web.http.streams import STREAM, EventStream, after_asked

router = APIRouter(tags=["events"], responses=documented(422))

After = Annotated[int | None, Depends(after_asked)]


@router.get(
    "/events",
    response_class=Response,
    responses={**STREAM, **documented(401)},
    openapi_extra=PUBLIC,
)
def follow_arena(services: InServices, viewer: InViewer, after: After) -> EventStream:
    """All that happens in the arena, as a stream that does not end. An administrator sees more of it."""
    scope = Scope(None, None, moves=False, staff=viewer.is_admin)
    return EventStream(services.feed, scope, after, trusted=viewer.user is not None)


@router.get(
    "/tournaments/{name}/events",
    response_class=Response,
    responses={**STREAM, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def follow_tournament(
    services: InServices,
    viewer: InViewer,
    tournament: InTournament,
    after: After,
    moves: Annotated[bool, Query(description="Also the moves of matches that are being played.")] = False,
) -> EventStream:
    """All that happens in a tournament, and how far it is, as a stream that does not end.

    Who runs the tournament sees more of it.
    """
    scope = Scope(tournament.id, None, moves=moves, staff=viewer.runs(tournament))
    return EventStream(services.feed, scope, after, trusted=viewer.user is not None)


@router.get(
    "/tournaments/{name}/matches/{number}/events",
    response_class=Response,
    responses={**STREAM, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def follow_match(services: InServices, viewer: InViewer, match: InMatch, after: After) -> EventStream:
    """All that happens to a match and its moves while it is played, as a stream that does not end.

    Who runs the tournament sees more of it.
    """
    scope = Scope(match.tournament_id, match.id, moves=True, staff=viewer.runs(match.tournament))
    return EventStream(services.feed, scope, after, trusted=viewer.user is not None)


@router.get("/announcements", response_model=Page[EventOut], responses=NOT_MODIFIED)
def list_announcements(request: Request, session: InSession, part: Part) -> Response:
    """What the staff has announced, newest first."""
    told, total = announcements.listed(session, offset=part.offset, limit=part.limit)
    return conditional(request, page_of(told, total, part))


@router.post("/announcements", status_code=201, responses=documented(400, 401, 403, 404, 413))
def announce(session: InSession, staff: Staff, new: NewAnnouncement) -> EventOut:
    """Tell everybody something, as an administrator; or about a tournament, as one of those who run it."""
    return announcements.make(session, staff, new)
