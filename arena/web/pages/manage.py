"""The staff's pages of tournaments: those that one runs, and the form that makes another one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ArenaError, ConflictError, Term
from arena.core.terms import Act
from arena.events import questions
from arena.people import classes
from arena.planning import local_time
from arena.schemas.plans import TournamentPlan
from arena.store import tournaments as store
from arena.store.database import release
from arena.store.models import User
from arena.theory.pairing.formats import FORMATS
from arena.tournaments import lifecycle, lists, pending, timetables
from arena.web.answers.tournaments import shown
from arena.web.http.dependencies import InServices, InSession, Services
from arena.web.http.responses import MAX_LIMIT, Part, page_of
from arena.web.http.visibility import Viewer
from arena.web.http.web_sessions import StaffVisitor
from arena.web.pages import wizard
from arena.web.pages.forms import see
from arena.web.pages.planning import Outlook, Supposed, foreseen
from arena.web.pages.rendering import render
from arena.web.pages.wizard import Draft
from arena.web.pages.wizard_faults import LABELS, LIMITS, TAKEN, Fault, RefusedError, fault_of
from arena.web.pages.wizard_templates import TEMPLATES
from arena.web.pages.wording import ACTS
from engines.games import all_games, find_game
from workers.core.contract import GameSpec

USUAL_BOTS = 10
"""How many take part in a forecast where nobody says."""

router = APIRouter(default_response_class=HTMLResponse)


async def _sent(request: Request) -> Draft:
    form = await request.form()
    return Draft(_cut(form.multi_items()))


def _asked(request: Request) -> Draft:
    return Draft(_cut(request.query_params.multi_items()))


def _cut(items: list[tuple[str, Any]]) -> dict[str, str]:
    return {name: value[: wizard.MAX_FIELD_CHARS] for name, value in items if isinstance(value, str)}


@dataclass(frozen=True)
class _Asker:
    """Somebody of the staff asks for the form."""

    request: Request
    services: Services
    session: Session
    visitor: User

    @property
    def zone(self) -> dt.tzinfo:
        """The zone of the times in the form."""
        return local_time.zone_of(self.services.settings)


def _asker(request: Request, services: InServices, session: InSession, visitor: StaffVisitor) -> _Asker:
    return _Asker(request, services, session, visitor)


InAsker = Annotated[_Asker, Depends(_asker)]
Sent = Annotated[Draft, Depends(_sent)]
AskedFor = Annotated[Draft, Depends(_asked)]


@router.get("/manage")
def own_tournaments(request: Request, session: InSession, visitor: StaffVisitor, part: Part) -> HTMLResponse:
    """The tournaments that one runs, newest first: how far they are, and what they need."""
    rows, total = lists.list_own(session, visitor, part.offset, part.limit)
    is_open = questions.count_open(session, visitor)
    return render(
        request,
        "manage.html",
        page=page_of(shown(session, Viewer(visitor), rows), total, part),
        open_questions=is_open,
        asked_about={row.name: is_open.get(row.id, 0) for row in rows},
    )


@router.get("/manage/new")
def new_tournament(asker: InAsker, draft: AskedFor) -> HTMLResponse:
    """The form that makes a tournament, with what to expect of it beside."""
    return _form(asker, draft)


@router.post("/manage/new")
def make_tournament(asker: InAsker, draft: Sent) -> Response:
    """Make the tournament, or say what is wrong with it."""
    day = f"{utc_now():%Y-%m-%d}"
    name = wizard.made_name(draft, day, frozenset(store.names(asker.session)))
    try:
        plan, moments = draft.plan(name), draft.moments(utc_now(), asker.zone)
    except RefusedError as refused:
        return _form(asker, draft, refused.faults, 422)
    try:
        _make(asker, draft, plan, moments)
    except ArenaError as error:
        asker.session.rollback()
        alike = error.values.get("kind") == Term("tournament")
        taken = isinstance(error, ConflictError) and (alike or error.values.get("cup") == plan.name)
        told = Fault(LABELS["name"], TAKEN) if taken else fault_of(draft["game"], error)
        return _form(asker, draft, [told], error.status)
    return see(f"/manage/{plan.name}")


def _make(asker: _Asker, draft: Draft, plan: TournamentPlan, moments: Mapping[Act, dt.datetime]) -> None:
    """Make the tournament with its timetable, and open it at once where no moment is set for that."""
    session, visitor = asker.session, asker.visitor
    tournament = pending.create(session, asker.services.archives, visitor, plan)
    own = draft.ticked("own", usually=False)
    if moments or own:
        timetables.change(session, visitor, tournament, moments, own=own)
    if Act.OPEN not in moments and draft.ticked("open", usually=True):
        lifecycle.open_(session, visitor, tournament)


def _form(asker: _Asker, draft: Draft, faults: Sequence[Fault] = (), status: int = 200) -> HTMLResponse:
    rows, _ = classes.list_classes(asker.session, asker.visitor, 0, MAX_LIMIT)
    names = [row.name for row in rows]
    release(asker.session)
    return render(
        asker.request,
        "manage_new.html",
        status,
        draft=draft,
        faults=faults,
        classes=names,
        games=[_usual(name) for name in sorted(all_games())],
        formats=list(FORMATS),
        templates=TEMPLATES,
        labels=LABELS,
        limits=LIMITS,
        choices=wizard.CHOICES,
        acts=ACTS,
        fields=wizard.MOMENTS,
        zone=local_time.told(asker.zone, utc_now()),
        moments=_moments(asker, draft),
        planning=_foreseen(asker.services, draft),
    )


def _moments(asker: _Asker, draft: Draft) -> Mapping[Act, dt.datetime]:
    """What the timetable comes to; nothing where it cannot be read, which is said when it is sent."""
    try:
        return draft.moments(utc_now(), asker.zone)
    except RefusedError:
        return {}


def _usual(name: str) -> GameSpec:
    game = find_game(name)
    return GameSpec(name=name, params=game.params, version=game.version)


def _foreseen(services: Services, draft: Draft) -> Outlook:
    """What is to be expected; nothing where the form makes no plan, which is said when it is sent."""
    given = {name: draft[name].strip() for name in ("bots", "workers", "start", "until")}
    try:
        asked = Supposed.model_validate({"bots": USUAL_BOTS} | {k: v for k, v in given.items() if v})
        plan = draft.plan("plan")
    except (RefusedError, ValidationError):
        return Outlook(within=True)
    with services.database.reading() as session:
        return foreseen(session, services.settings, plan, asked)
