"""Tournaments: the staff plans and runs them, teams enter their bots, everybody sees the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response
from fastapi.openapi.models import Example
from sqlalchemy.orm import Session

from arena.schemas.paging import Page
from arena.schemas.plans import TournamentPlan
from arena.schemas.tournaments import EntriesMade, EntryOut, NewEntries, NewEntry, NewTitle, TournamentOut
from arena.store import stamps
from arena.store.models import Tournament, User
from arena.submissions import versions
from arena.tournaments import entering, lifecycle, lists, pending, titles
from arena.web.answers.tournaments import entered_of, entry_of, shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import (
    PUBLIC,
    Actor,
    CachedTournament,
    InServices,
    InSession,
    InTournament,
    InViewer,
    Runner,
    Staff,
)
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of, part_of
from arena.web.http.visibility import Viewer
from engines import USUAL_GAME

CLASS: Example = {
    "summary": "A class tournament: 60 s a move, three times up to 120 s",
    "value": {
        "name": "spring-final",
        "game": USUAL_GAME,
        "format": "double_round_robin",
        "time": {"move_ms": 60_000, "extensions": 3, "extension_ms": 120_000},
        "openings": 2,
        "seed": 7,
    },
}

router = APIRouter(tags=["tournaments"], responses=documented(422))


@router.get(
    "/tournaments",
    response_model=Page[TournamentOut],
    responses={**NOT_MODIFIED, **documented(401)},
    openapi_extra=PUBLIC,
)
def list_tournaments(request: Request, session: InSession, viewer: InViewer, part: Part) -> Response:
    """All tournaments, newest first."""
    cacheable(request, stamps.of_tournaments(session, part.offset, part.limit))
    rows, total = lists.list_tournaments(session, part.offset, part.limit)
    return conditional(request, page_of(shown(session, viewer, rows), total, part))


@router.get("/me/tournaments", response_model=Page[TournamentOut], responses=documented(401, 403))
def list_own_tournaments(request: Request, session: InSession, staff: Staff, part: Part) -> Response:
    """The tournaments that one runs, newest first; an administrator runs all."""
    rows, total = lists.list_own(session, staff, part.offset, part.limit)
    return conditional(request, page_of(shown(session, Viewer(staff), rows), total, part))


@router.post("/tournaments", status_code=201, responses=documented(400, 401, 403, 404, 409, 413))
def create_tournament(
    session: InSession,
    services: InServices,
    staff: Staff,
    plan: Annotated[TournamentPlan, Body(openapi_examples={"class": CLASS})],
) -> TournamentOut:
    """Plan a tournament and draw its openings; it stays a draft until it is opened.

    Reference bots that it names are handed in, checked and entered by themselves.
    """
    return _one(session, Viewer(staff), pending.create(session, services.archives, staff, plan))


@router.get(
    "/tournaments/{name}",
    response_model=TournamentOut,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def get_tournament(
    request: Request, session: InSession, viewer: InViewer, tournament: InTournament
) -> Response:
    """One tournament, its plan and how far it is."""
    cacheable(request, stamps.of_states(session, tournament))
    return conditional(request, _one(session, viewer, tournament))


@router.put("/tournaments/{name}/title", responses=documented(400, 401, 403, 404, 413))
def set_title(session: InSession, staff: Runner, tournament: InTournament, new: NewTitle) -> TournamentOut:
    """Let another title stand over a tournament, at any time."""
    titles.change(session, staff, tournament, new.title)
    session.refresh(tournament)
    return _one(session, Viewer(staff), tournament)


def _transition(name: str, change: Callable[[Session, User, Tournament], None], summary: str) -> None:
    def endpoint(session: InSession, staff: Runner, tournament: InTournament) -> TournamentOut:
        change(session, staff, tournament)
        session.refresh(tournament)
        return _one(session, Viewer(staff), tournament)

    router.post(
        f"/tournaments/{{name}}/{name}",
        name=f"{name}_tournament",
        description=summary,
        responses=documented(401, 403, 404, 409),
    )(endpoint)


_transition("open", lifecycle.open_, "Let teams enter their bots.")
_transition(
    "start", lifecycle.start, "Make all matches, with the openings that were drawn at creation, and begin."
)
_transition("end", lifecycle.end, "Let a ladder end; what is planned already is still played.")
_transition("pause", lifecycle.pause, "Issue no more matches; those being played are recorded.")
_transition("resume", lifecycle.resume, "Issue matches again.")
_transition("cancel", lifecycle.cancel, "End it for good; what is recorded stays.")


@router.post(
    "/tournaments/{name}/entries", status_code=201, responses=documented(400, 401, 403, 404, 409, 413)
)
def enter_bot(session: InSession, actor: Actor, tournament: InTournament, new: NewEntry) -> EntryOut:
    """Enter a bot, or another version of one that is entered already."""
    bot = versions.get(session, new.bot)
    return entry_of(lifecycle.enter(session, actor, tournament, bot, new.version))


@router.post("/tournaments/{name}/entries/class", responses=documented(400, 401, 403, 404, 409, 413))
def enter_class(session: InSession, staff: Runner, tournament: InTournament, new: NewEntries) -> EntriesMade:
    """Enter the newest version of every bot of a class that is not entered yet."""
    return entered_of(entering.enter_class(session, staff, tournament, new.class_name))


@router.get(
    "/tournaments/{name}/entries",
    response_model=Page[EntryOut],
    responses={**NOT_MODIFIED, **documented(404)},
)
def list_entries(request: Request, session: InSession, tournament: CachedTournament, part: Part) -> Response:
    """The entries by number."""
    entries = [entry_of(entry) for entry in lifecycle.entries(session, tournament)]
    return conditional(request, part_of(entries, part))


def _one(session: Session, viewer: Viewer, tournament: Tournament) -> TournamentOut:
    return shown(session, viewer, [tournament])[0]
