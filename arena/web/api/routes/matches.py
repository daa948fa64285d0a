"""Matches: what was planned, how it ended, move by move."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from arena.core.errors import InvalidError
from arena.results import views
from arena.schemas.matches import MatchDetail, MatchOut, Reason
from arena.schemas.paging import Page
from arena.schemas.positions import PositionsOut
from arena.store import matches as store
from arena.store import stamps
from arena.store.models import Match, User
from arena.tournaments import matches
from arena.web.answers.languages import LANGUAGES
from arena.web.answers.matches import detail_of, match_of, page_response
from arena.web.answers.positions import game_of as find_rules
from arena.web.answers.positions import positions_of
from arena.web.answers.team import game_of
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import (
    PUBLIC,
    AreSought,
    InMatch,
    InSession,
    InTournament,
    InViewer,
    Runner,
    cacheable_matches,
)
from arena.web.http.problems import documented
from arena.web.http.responses import MAX_OFFSET, NOT_MODIFIED, Part, conditional, page_of
from arena.web.http.visibility import Viewer
from workers.core.contract import MatchRecord

PATH = "/tournaments/{name}/matches"
Lang = Annotated[Literal["en", "zh-Hant-TW"], Query(description="The language of the page.")]
router = APIRouter(tags=["matches"], responses=documented(404, 422))


@router.get(PATH, response_model=Page[MatchOut], responses=NOT_MODIFIED)
def list_matches(
    request: Request,
    session: InSession,
    tournament: InTournament,
    sought: AreSought,
    part: Part,
) -> Response:
    """A tournament's matches in the order of the schedule."""
    cacheable_matches(request, session, tournament, sought, part)
    rows, total = views.list_matches(session, tournament, sought, offset=part.offset, limit=part.limit)
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


@router.get(
    PATH + "/{number}/file",
    response_class=HTMLResponse,
    responses={**NOT_MODIFIED, **documented(401, 409)},
    openapi_extra=PUBLIC,
)
def get_match_file(
    *,
    request: Request,
    session: InSession,
    viewer: InViewer,
    match: InMatch,
    lang: Lang = "en",
) -> Response:
    """The match as a page in one file that opens without any server; it has nothing that bots wrote."""
    del viewer  # whose token is looked at: in a freeze some see more
    cacheable(request, stamps.of_match(session, match))
    return page_response(session, match, LANGUAGES[lang])


@router.get(PATH + "/{number}/positions", response_model=PositionsOut, responses=NOT_MODIFIED)
def list_positions(
    request: Request,
    session: InSession,
    match: InMatch,
    first: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="The first ply to be shown.")] = 0,
) -> Response:
    """The positions of a match as they are drawn, 512 at most; before its end those of its opening."""
    cacheable(request, stamps.of_match(session, match))
    moves = [move.move for move in store.moves(session, match)] or match.opening
    spec = game_of(match.tournament)
    game = find_rules(spec)
    if game is None:
        raise InvalidError(f"{spec.name} has other rules here than version {spec.version}, which was played")
    return conditional(request, positions_of(game, moves, first))


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
