"""The pages of sweeps: those that there are, the table of one while it is played, and the form for a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ArenaError
from arena.core.terms import UNFINISHED, ExperimentFormat, ExperimentState
from arena.experiments import quotas, sweeps
from arena.experiments.grid import SweepPlan
from arena.experiments.quotas import Quota
from arena.schemas.paging import Page
from arena.store.models import Sweep, User
from arena.web.answers.experiment_export import table_of
from arena.web.answers.sweeps import sweep_of, sweeps_of
from arena.web.http.dependencies import InServices, InSession, Services
from arena.web.http.responses import Part, Window, page_of
from arena.web.http.visited_routes import MaybeVisitedRoute
from arena.web.http.web_sessions import MaybeVisitor, PlayerVisitor, Visitor
from arena.web.pages import experiment_forms
from arena.web.pages.experiment_forms import MOST_CHARS
from arena.web.pages.following import again
from arena.web.pages.forms import refused, see
from arena.web.pages.rendering import render

BROKEN = frozenset({ExperimentState.CANCELLED, ExperimentState.FAILED})
FIRST = Window(offset=0, limit=50)
router = APIRouter(default_response_class=HTMLResponse)
exporting = APIRouter(route_class=MaybeVisitedRoute)


def get_sweep(session: InSession, visitor: MaybeVisitor, name: str) -> Sweep:
    """The sweep that the path names."""
    return sweeps.get(session, visitor, name)


InSweep = Annotated[Sweep, Depends(get_sweep)]


@router.get("/sweeps")
def list_sweeps(request: Request, session: InSession, visitor: MaybeVisitor, part: Part) -> HTMLResponse:
    """All sweeps that one may see, newest first."""
    rows, total = sweeps.list_sweeps(session, visitor, part.offset, part.limit)
    page = page_of(sweeps_of(session, visitor, rows), total, part)
    going = any(each.state in UNFINISHED for each in page.items)
    plays = visitor is not None and permissions.plays(visitor)
    return render(request, "sweeps.html", page=page, plays=plays, live=again(going=going))


@router.get("/experiments/grid")
def prepare(
    request: Request, session: InSession, services: InServices, visitor: PlayerVisitor
) -> HTMLResponse:
    """The form by which a sweep is asked for."""
    return _form(request, session, services, visitor, experiment_forms.example())


@router.post("/experiments/grid")
def create(
    request: Request,
    session: InSession,
    services: InServices,
    visitor: PlayerVisitor,
    plan: Annotated[str, Form(max_length=MOST_CHARS)] = "",
) -> Response:
    """Have an experiment played for every combination of some values."""
    try:
        asked = experiment_forms.grid(plan)
        made, _ = sweeps.create(session, visitor, asked, Quota.of(services.settings))
        return see(f"/sweeps/{made.name}")
    except ArenaError as error:
        session.rollback()
        return refused(_form(request, session, services, visitor, plan, error), error)


@router.get("/sweeps/{name}")
def show(
    request: Request, session: InSession, visitor: MaybeVisitor, sweep: InSweep, part: Part
) -> HTMLResponse:
    """One sweep: what varies, how far it is, and what the games of each experiment come to."""
    return _page(request, session, visitor, sweep, part)


@router.post("/sweeps/{name}/cancel")
def cancel(request: Request, session: InSession, visitor: Visitor, sweep: InSweep) -> Response:
    """End what is not over of it."""
    permissions.require_order(visitor, sweep)
    try:
        sweeps.cancel(session, visitor, sweep)
    except ArenaError as error:
        session.rollback()
        return refused(_page(request, session, visitor, sweep, FIRST, error), error)
    return see(f"/sweeps/{sweep.name}")


@router.post("/sweeps/{name}/resume")
def resume(
    request: Request, session: InSession, services: InServices, visitor: Visitor, sweep: InSweep
) -> Response:
    """Ask for it again: what was cancelled or has failed goes on from where it was."""
    permissions.require_order(visitor, sweep)
    try:
        plan = SweepPlan.model_validate(sweep.plan)
        sweeps.create(session, visitor, plan, Quota.of(services.settings))
    except ArenaError as error:
        session.rollback()
        return refused(_page(request, session, visitor, sweep, FIRST, error), error)
    return see(f"/sweeps/{sweep.name}")


@exporting.get("/sweeps/{name}/table.csv", response_class=Response)
def export_csv(session: InSession, visitor: MaybeVisitor, sweep: InSweep) -> Response:
    """Its table for a spreadsheet."""
    return table_of(session, visitor, sweep, ExperimentFormat.CSV)


@exporting.get("/sweeps/{name}/table.jsonl", response_class=Response)
def export_lines(session: InSession, visitor: MaybeVisitor, sweep: InSweep) -> Response:
    """Its table as JSON, a line an experiment."""
    return table_of(session, visitor, sweep, ExperimentFormat.JSONL)


def _page(
    request: Request,
    session: Session,
    visitor: User | None,
    sweep: Sweep,
    part: Window,
    error: ArenaError | None = None,
) -> HTMLResponse:
    told = sweep_of(session, visitor, sweep)
    rows: list[Mapping[str, Any]] = list(sweeps.rows(session, visitor, sweep, part.offset, part.limit))
    opens = permissions.opens_order(visitor, sweep)
    return render(
        request,
        "sweep.html",
        error.status if error else 200,
        sweep=told,
        page=Page(items=rows, total=told.cells, offset=part.offset, limit=part.limit),
        recorded=sweep.plan["each"].get("columns") is not None,
        cancels=opens and told.state in UNFINISHED,
        resumes=opens and any(told.states.get(state) for state in BROKEN),
        refused=error,
        live=again(going=told.state in UNFINISHED),
    )


def _form(
    request: Request,
    session: Session,
    services: Services,
    visitor: User,
    plan: str,
    error: ArenaError | None = None,
) -> HTMLResponse:
    quota = Quota.of(services.settings)
    return render(
        request,
        "sweep_new.html",
        error.status if error else 200,
        plan=plan,
        most=MOST_CHARS,
        quota=quota,
        left=quotas.left(session, visitor, quota),
        refused=error,
    )
