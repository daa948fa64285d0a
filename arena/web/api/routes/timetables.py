"""Timetables of tournaments, freezing one, and revealing what was hidden."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.results import reveal as reveals
from arena.schemas.timetables import NewFreeze, NewTimetable, RevealOut, RevealStep, TimetableOut
from arena.schemas.tournaments import TournamentOut
from arena.tournaments import freezing, timetables
from arena.web.answers.timetables import reveal_of, timetable_of
from arena.web.answers.tournaments import shown
from arena.web.http.dependencies import (
    PUBLIC,
    CachedTournament,
    InSession,
    InTournament,
    InViewer,
    Runner,
)
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, conditional
from arena.web.http.visibility import Viewer

PATH = "/tournaments/{name}"
router = APIRouter(tags=["freeze and reveal"], responses=documented(404, 422))


@router.get(
    PATH + "/timetable",
    response_model=TimetableOut,
    responses={**NOT_MODIFIED, **documented(401)},
    openapi_extra=PUBLIC,
)
def get_timetable(
    request: Request, session: InSession, viewer: InViewer, tournament: CachedTournament
) -> Response:
    """What the arena does by itself to a tournament, and when; its staff sees why something was not done."""
    return conditional(request, timetable_of(session, viewer, tournament))


@router.put(PATH + "/timetable", responses=documented(400, 401, 403, 409, 413))
def set_timetable(
    session: InSession, staff: Runner, tournament: InTournament, new: NewTimetable
) -> TimetableOut:
    """Set all moments of a tournament's timetable; those that have passed have to stay as they are."""
    timetables.change(session, staff, tournament, new.moments(), own=new.own)
    session.refresh(tournament)
    return timetable_of(session, Viewer(staff), tournament)


@router.post(PATH + "/freeze", responses=documented(400, 401, 403, 409, 413))
def freeze_tournament(
    session: InSession, staff: Runner, tournament: InTournament, new: NewFreeze
) -> TournamentOut:
    """Hide all results that are recorded from now on from everybody but the tournament's staff."""
    freezing.freeze(session, staff, tournament, own=new.own)
    session.refresh(tournament)
    return shown(session, Viewer(staff), [tournament])[0]


@router.get(PATH + "/reveal", response_model=RevealOut, responses={**NOT_MODIFIED, **documented(401, 403)})
def get_reveal(request: Request, session: InSession, staff: Runner, tournament: InTournament) -> Response:
    """The table between what the public sees and what there is, as far as the reveal has come."""
    del staff
    return conditional(request, reveal_of(tournament, reveals.reveal(session, tournament)))


@router.post(PATH + "/reveal/step", responses=documented(400, 401, 403, 409, 413))
def step_reveal(session: InSession, staff: Runner, tournament: InTournament, step: RevealStep) -> RevealOut:
    """Go on with the reveal, or back; after the last step everybody sees all results."""
    reveals.go_to(session, staff, tournament, at=step.at, to=step.to)
    session.refresh(tournament)
    return reveal_of(tournament, reveals.reveal(session, tournament))


@router.post(PATH + "/reveal", responses=documented(401, 403, 409))
def reveal_tournament(session: InSession, staff: Runner, tournament: InTournament) -> TournamentOut:
    """Show everybody all results, at once."""
    freezing.reveal(session, staff, tournament)
    session.refresh(tournament)
    return shown(session, Viewer(staff), [tournament])[0]
