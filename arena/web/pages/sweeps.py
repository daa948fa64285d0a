"""The pages of sweeps: all of them, the table of one while it is played, and the form for a new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ArenaError
from arena.core.terms import UNFINISHED, ExperimentFormat, ExperimentState
from arena.experiments import sweeps
from arena.experiments.grid import SweepPlan
from arena.experiments.quotas import Quota
from arena.store.models import Sweep, User
from arena.web.answers.experiment_export import table_of
from arena.web.answers.sweeps import sweep_of, sweeps_of
from arena.web.http.dependencies import InServices, InSession
from arena.web.http.responses import Part, Window, page_of
from arena.web.http.visited_routes import MaybeVisitedExportRoute
from arena.web.http.web_sessions import MaybeVisitor, Visitor
from arena.web.pages import experiment_forms
from arena.web.pages.experiment_forms import MAX_CHARS, Asker, InAsker
from arena.web.pages.following import again
from arena.web.pages.forms import refused, see
from arena.web.pages.plan_forms import Fault, FaultyError
from arena.web.pages.rendering import render

BROKEN = frozenset({ExperimentState.CANCELLED, ExperimentState.FAILED})
FIRST = Window(offset=0, limit=50)
router = APIRouter(default_response_class=HTMLResponse)
exporting = APIRouter(route_class=MaybeVisitedExportRoute)


def get_sweep(session: InSession, visitor: MaybeVisitor, name: str) -> Sweep:
    """The sweep that the path names."""
    return sweeps.get(session, visitor, name)


InSweep = Annotated[Sweep, Depends(get_sweep)]


@dataclass(frozen=True)
class Reader:
    """Somebody asks for the page of a sweep; who is not signed in is no `visitor`."""

    request: Request
    session: Session
    visitor: User | None
    sweep: Sweep


def get_reader(request: Request, session: InSession, visitor: MaybeVisitor, sweep: InSweep) -> Reader:
    """Whoever asks, for a sweep that they may see."""
    return Reader(request, session, visitor, sweep)


InReader = Annotated[Reader, Depends(get_reader)]


@router.get("/sweeps")
def list_sweeps(request: Request, session: InSession, visitor: MaybeVisitor, part: Part) -> HTMLResponse:
    """All sweeps that one may see, newest first."""
    rows, total = sweeps.list_sweeps(session, visitor, part.offset, part.limit)
    page = page_of(sweeps_of(session, visitor, rows), total, part)
    going = any(each.state in UNFINISHED for each in page.items)
    plays = visitor is not None and permissions.plays(visitor)
    return render(request, "sweeps.html", page=page, plays=plays, live=again(going=going))


@router.get("/experiments/grid")
def prepare(asker: InAsker) -> HTMLResponse:
    """The form by which a sweep is asked for."""
    return _form(asker, experiment_forms.example())


@router.post("/experiments/grid")
def create(asker: InAsker, plan: Annotated[str, Form(max_length=MAX_CHARS)] = "") -> Response:
    """Have an experiment played for every combination of some values."""
    try:
        asked = experiment_forms.grid(plan)
        made, _ = sweeps.create(asker.session, asker.visitor, asked, asker.quota)
        return see(f"/sweeps/{made.name}")
    except ArenaError as error:
        asker.session.rollback()
        return _form(asker, plan, error)


@router.get("/sweeps/{name}")
def show(reader: InReader, part: Part) -> HTMLResponse:
    """One sweep: what varies, how far it is, and what the games of each experiment come to."""
    return _page(reader, part)


@router.post("/sweeps/{name}/cancel")
def cancel(visitor: Visitor, reader: InReader) -> Response:
    """End what is not over of it."""
    return _done(reader, visitor, lambda: sweeps.cancel(reader.session, visitor, reader.sweep))


@router.post("/sweeps/{name}/resume")
def resume(visitor: Visitor, reader: InReader, services: InServices) -> Response:
    """Ask for it again: what was cancelled or has failed goes on from where it was."""
    plan, quota = SweepPlan.model_validate(reader.sweep.plan), Quota.of(services.settings)
    return _done(reader, visitor, lambda: sweeps.create(reader.session, visitor, plan, quota))


@exporting.get("/sweeps/{name}/table.csv", response_class=Response)
def export_csv(session: InSession, visitor: MaybeVisitor, sweep: InSweep) -> Response:
    """Its table for a spreadsheet."""
    return table_of(session, visitor, sweep, ExperimentFormat.CSV)


@exporting.get("/sweeps/{name}/table.jsonl", response_class=Response)
def export_lines(session: InSession, visitor: MaybeVisitor, sweep: InSweep) -> Response:
    """Its table as JSON, a line an experiment."""
    return table_of(session, visitor, sweep, ExperimentFormat.JSONL)


def _done(reader: Reader, visitor: User, act: Callable[[], object]) -> Response:
    """The page after an act of who opens the sweep, or what refused it."""
    permissions.require_order(visitor, reader.sweep)
    try:
        act()
    except ArenaError as error:
        reader.session.rollback()
        return refused(_page(reader, FIRST, error), error)
    return see(f"/sweeps/{reader.sweep.name}")


def _page(reader: Reader, part: Window, error: ArenaError | None = None) -> HTMLResponse:
    session, visitor, sweep = reader.session, reader.visitor, reader.sweep
    told = sweep_of(session, visitor, sweep)
    rows: list[Mapping[str, Any]] = list(sweeps.rows(session, visitor, sweep, part.offset, part.limit))
    opens = permissions.opens_order(visitor, sweep)
    return render(
        reader.request,
        "sweep.html",
        error.status if error else 200,
        sweep=told,
        page=page_of(rows, told.cells, part),
        recorded=sweep.plan["each"].get("columns") is not None,
        cancels=opens and told.state in UNFINISHED,
        resumes=opens and any(told.states.get(state) for state in BROKEN),
        refused=error,
        live=again(going=told.state in UNFINISHED),
    )


def _form(asker: Asker, plan: str, error: ArenaError | None = None) -> HTMLResponse:
    faults = error.faults if isinstance(error, FaultyError) else [Fault(error)] if error else ()
    return asker.form("sweep_new.html", error, faults, plan=plan, most=MAX_CHARS)
