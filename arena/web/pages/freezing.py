"""The staff's pages of a tournament's timetable, of freezing it, and of the reveal on the projector."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ArenaError, ConflictError, InvalidError, Worded
from arena.core.terms import Act
from arena.planning import local_time
from arena.results import reveal as reveals
from arena.results import tables
from arena.schemas.standings import Leaderboard
from arena.schemas.timetables import TimetableOut
from arena.store import events
from arena.store import timetables as store
from arena.store.models import Tournament, User
from arena.tournaments import freezing, timetables
from arena.web.answers.standings import leaderboard_of
from arena.web.answers.timetables import reveal_of, timetable_of
from arena.web.answers.tournaments import shown
from arena.web.http.dependencies import InSession, InTournament, get_services
from arena.web.http.visibility import Viewer
from arena.web.http.web_sessions import VisitingRunner, get_visiting_runner
from arena.web.pages.forms import Field, moment_of, see
from arena.web.pages.rendering import render
from arena.web.pages.wording import ACTS

FORM = "%Y-%m-%dT%H:%M"
"""A moment as browsers' fields have it, in the arena's time zone."""
router = APIRouter(default_response_class=HTMLResponse)

Step = Annotated[int, Form(ge=0, le=2**31 - 1)]


@router.get("/manage/{name}/timetable")
def show_timetable(
    request: Request, session: InSession, visitor: VisitingRunner, tournament: InTournament
) -> HTMLResponse:
    """When what is to be done by itself, and how things stand behind a freeze."""
    return _timetable(request, session, visitor, tournament)


@router.post("/manage/{name}/timetable")
def set_timetable(
    *,
    request: Request,
    session: InSession,
    visitor: VisitingRunner,
    tournament: InTournament,
    opens: Annotated[Field, Form(alias="open")] = "",
    close: Field = "",
    start: Field = "",
    freeze: Field = "",
    reveal: Field = "",
    own: Annotated[bool, Form()] = False,
) -> Response:
    """Set all moments."""
    sent = dict(zip(Act, (opens, close, start, freeze, reveal), strict=True))
    try:
        wanted = _read(request, session, tournament, sent)
        timetables.change(session, visitor, tournament, wanted, own=own)
    except (InvalidError, ConflictError) as error:
        session.rollback()
        return _timetable(request, session, visitor, tournament, error=error, sent=sent, own=own)
    return see(f"/manage/{tournament.name}/timetable")


@router.post("/manage/{name}/timetable/freeze")
def freeze_tournament(
    *,
    request: Request,
    session: InSession,
    visitor: VisitingRunner,
    tournament: InTournament,
    own: Annotated[bool, Form()] = False,
) -> Response:
    """Freeze it at once."""
    try:
        freezing.freeze(session, visitor, tournament, own=own)
    except ConflictError as error:
        session.rollback()
        return _timetable(request, session, visitor, tournament, error=error)
    return see(f"/manage/{tournament.name}/timetable")


@router.get("/manage/{name}/reveal", dependencies=[Depends(get_visiting_runner)])
def show_reveal(request: Request, session: InSession, tournament: InTournament) -> HTMLResponse:
    """The table between what the public sees and what there is, for the projector."""
    told = reveal_of(tournament, reveals.reveal(session, tournament))
    going_on = tournament.state in timetables.PLAYING
    return render(request, "reveal.html", tournament=tournament, reveal=told, going_on=going_on)


@router.post("/manage/{name}/reveal/step")
def step_reveal(
    session: InSession, visitor: VisitingRunner, tournament: InTournament, at: Step, to: Step
) -> Response:
    """Go on, or back."""
    reveals.go_to(session, visitor, tournament, at=at, to=to)
    return see(f"/manage/{tournament.name}/reveal#latest")


@router.post("/manage/{name}/reveal/all")
def reveal_all(session: InSession, visitor: VisitingRunner, tournament: InTournament) -> Response:
    """Show everybody all results."""
    freezing.reveal(session, visitor, tournament)
    return see(f"/manage/{tournament.name}/reveal")


def _timetable(
    request: Request,
    session: Session,
    visitor: User,
    tournament: Tournament,
    *,
    error: ArenaError | None = None,
    sent: dict[Act, str] | None = None,
    own: bool | None = None,
) -> HTMLResponse:
    """The page, with what was sent where that was refused."""
    told = timetable_of(session, Viewer(visitor), tournament)
    frozen = tournament.frozen_at is not None
    behind = leaderboard_of(tournament, tables.table(session, tournament)) if frozen else None
    values = {moment.act: _written(request, moment.at) for moment in told.moments}
    context: dict[str, Any] = {
        "tournament": shown(session, Viewer(visitor), [tournament])[0],
        "timetable": told,
        "moments": {moment.act: moment for moment in told.moments},
        "not_kept": _not_kept(session, tournament, told),
        "values": sent or values,
        "own": told.own if own is None else own,
        "fixed": _fixed(session, tournament),
        "acts": ACTS,
        "zone": local_time.told(_zone(request), utc_now()),
        "table": Leaderboard.model_validate_json(behind) if behind else None,
        "may_freeze": not frozen and tournament.state in timetables.PLAYING,
        "refused": error,
    }
    return render(request, "timetable.html", error.status if error else 200, **context)


def _not_kept(session: Session, tournament: Tournament, told: TimetableOut) -> dict[Act, Worded]:
    """Why something could not be done at its moment."""
    words = events.not_kept(session, tournament)
    return {
        each.act: words.get(each.act, Worded(each.trouble))
        for each in told.moments
        if each.trouble is not None
    }


def _fixed(session: Session, tournament: Tournament) -> frozenset[Act]:
    """What of the timetable cannot be changed any more."""
    return frozenset(act for act in Act if timetables.is_past(session, tournament, act))


def _read(
    request: Request, session: Session, tournament: Tournament, sent: dict[Act, str]
) -> dict[Act, dt.datetime | None]:
    """The moments that a form has; what stands there as before is as exact as before.

    Raises:
        InvalidError: one cannot be read, is too far away, or no clock ever shows it.
    """
    there = {act: moment.at for act, moment in store.of_tournament(session, tournament).items()}
    fixed = _fixed(session, tournament)
    wanted: dict[Act, dt.datetime | None] = {}
    for act, text in sent.items():
        before = there.get(act)
        if act in fixed or (before is not None and text == _written(request, before)):
            wanted[act] = before
            continue
        wanted[act] = moment_of(text, _zone(request))
    return wanted


def _written(request: Request, at: dt.datetime) -> str:
    return at.astimezone(_zone(request)).strftime(FORM)


def _zone(request: Request) -> dt.tzinfo:
    return local_time.zone_of(get_services(request).settings)
