"""What is changed in a tournament that has begun, and whether its totals are still what they should be."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from sqlalchemy.orm import Session

from arena.schemas.amendments import Decision, Disqualification, LogLine, Verification
from arena.schemas.matches import MatchDetail, Reason
from arena.schemas.paging import Page
from arena.schemas.tournaments import TournamentOut
from arena.store.models import Tournament, User
from arena.submissions import versions
from arena.tournaments import amendments, audit
from arena.web.answers.tournaments import log_line_of, shown
from arena.web.api.routes.matches import PATH as MATCHES
from arena.web.api.routes.matches import for_staff
from arena.web.http.costly_routes import PersonalRoute
from arena.web.http.dependencies import Actor, InMatch, InSession, InTournament, Runner
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from arena.web.http.visibility import Viewer

TOURNAMENT = "/tournaments/{name}"
ENTRY = TOURNAMENT + "/entries/{bot}"
BotName = Annotated[str, Path(description="The bot's name.", max_length=60, examples=["group8"])]
RoundNumber = Annotated[int, Path(description="Counts from 1.", ge=1, lt=2**31)]

router = APIRouter(tags=["amendments"], responses=documented(401, 403, 404, 422))
costly = APIRouter(
    tags=["amendments"], responses=documented(202, 401, 403, 404, 422, 429), route_class=PersonalRoute
)


@router.post(ENTRY + "/withdraw", responses=documented(400, 409, 413))
def withdraw_bot(
    session: InSession, actor: Actor, tournament: InTournament, bot: BotName, why: Reason
) -> TournamentOut:
    """Take a bot out, by its owner or the staff; its opponents win what it has not played yet."""
    amendments.withdraw(session, actor, tournament, versions.get(session, bot), why.reason)
    return _changed(session, actor, tournament)


@router.post(ENTRY + "/disqualify", responses=documented(400, 409, 413))
def disqualify_bot(
    session: InSession, staff: Runner, tournament: InTournament, bot: BotName, why: Disqualification
) -> TournamentOut:
    """Expel a bot; its games stay, or none of them counts when they are annulled."""
    amendments.disqualify(session, staff, tournament, versions.get(session, bot), why.reason, annul=why.annul)
    return _changed(session, staff, tournament)


@router.post(TOURNAMENT + "/rounds/{number}/rerun", responses=documented(400, 409, 413))
def rerun_round(
    session: InSession, staff: Runner, tournament: InTournament, number: RoundNumber, why: Reason
) -> TournamentOut:
    """Have all matches of a round played again; their results count no more, and are kept."""
    amendments.rerun_round(session, staff, tournament, number, why.reason)
    return _changed(session, staff, tournament)


@router.post(MATCHES + "/{number}/rerun", responses=documented(400, 409, 413))
def rerun_match(session: InSession, staff: Runner, match: InMatch, why: Reason) -> MatchDetail:
    """Have a finished match played again; its result counts no more, and is kept."""
    amendments.rerun(session, staff, match, why.reason)
    return for_staff(session, staff, match)


@router.post(MATCHES + "/{number}/result", responses=documented(400, 409, 413))
def set_result(session: InSession, staff: Runner, match: InMatch, decision: Decision) -> MatchDetail:
    """Decide a match that waits, is parked or was played; a result that it had is kept."""
    amendments.set_result(session, staff, match, decision.winner, decision.reason)
    return for_staff(session, staff, match)


@router.get(TOURNAMENT + "/log", response_model=Page[LogLine], responses=NOT_MODIFIED)
def show_log(
    request: Request, session: InSession, staff: Runner, tournament: InTournament, part: Part
) -> Response:
    """Who did what to a tournament and why, newest first; the daily round of its matches is left out."""
    del staff
    rows, total = audit.log(session, tournament, offset=part.offset, limit=part.limit)
    return conditional(request, page_of([log_line_of(event) for event in rows], total, part))


@costly.get(TOURNAMENT + "/verification")
def verify_totals(session: InSession, staff: Runner, tournament: InTournament) -> Verification:
    """Whether the totals are those that the log of events and the results add up to."""
    del staff
    differences = audit.verify(session, tournament)
    return Verification(tournament=tournament.name, agrees=not differences, differences=differences)


def _changed(session: Session, user: User, tournament: Tournament) -> TournamentOut:
    session.refresh(tournament)
    return shown(session, Viewer(user), [tournament])[0]
