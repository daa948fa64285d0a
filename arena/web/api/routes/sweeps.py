"""Sweeps: an experiment for every combination of some values, asked for together."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Query, Request, Response
from fastapi.openapi.models import Example

from arena.access import permissions
from arena.core.terms import ExperimentFormat
from arena.experiments import sweeps
from arena.experiments.grid import SweepPlan
from arena.experiments.quotas import Quota
from arena.schemas.paging import Page
from arena.schemas.sweeps import SweepOut
from arena.store.models import Sweep
from arena.web.answers.experiment_export import table_of
from arena.web.answers.sweeps import sweep_of, sweeps_of
from arena.web.http.costly_routes import PersonalRoute
from arena.web.http.dependencies import PUBLIC, Actor, InServices, InSession, InViewer, Player
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from engines import USUAL_GAME

router = APIRouter(tags=["experiments"], responses=documented(422))
costly = APIRouter(tags=["experiments"], responses=documented(202, 422, 429), route_class=PersonalRoute)

EXAMPLES: dict[str, Example] = {
    "boards": {
        "summary": "Two players on two boards by two rules: four experiments",
        "value": {
            "name": "boards",
            "vary": {"size": [6, 8], "reversed": [True, False]},
            "each": {
                "game": USUAL_GAME,
                "params": {"size": "{size}", "reversed": "{reversed}"},
                "first": "greedy",
                "second": "random",
                "games": 100_000,
                "stop_when_ci": 0.005,
            },
        },
    },
}

TABLE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A row an experiment.",
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "application/jsonl": {"schema": {"type": "string"}},
        },
    }
}


def get_sweep(session: InSession, viewer: InViewer, name: Annotated[str, Path(examples=["boards"])]) -> Sweep:
    """The sweep that the path names."""
    return sweeps.get(session, viewer.user, name)


InSweep = Annotated[Sweep, Depends(get_sweep)]


@router.get(
    "/sweeps",
    response_model=Page[SweepOut],
    responses={**NOT_MODIFIED, **documented(401)},
    openapi_extra=PUBLIC,
)
def list_sweeps(request: Request, session: InSession, viewer: InViewer, part: Part) -> Response:
    """All sweeps that one may see, newest first."""
    rows, total = sweeps.list_sweeps(session, viewer.user, part.offset, part.limit)
    return conditional(request, page_of(sweeps_of(session, viewer.user, rows), total, part))


@router.post(
    "/sweeps",
    status_code=201,
    responses={200: {"model": SweepOut}, **documented(400, 401, 403, 404, 409, 413)},
)
def create_sweep(
    session: InSession,
    services: InServices,
    actor: Player,
    response: Response,
    plan: Annotated[SweepPlan, Body(openapi_examples=EXAMPLES)],
) -> SweepOut:
    """Have an experiment played for every combination of some values; 200 where it is there already.

    One of the same name and contents that was cancelled, or whose experiments failed, goes on from there.
    """
    sweep, new = sweeps.create(session, actor, plan, Quota.of(services.settings))
    response.status_code = 201 if new else 200
    return sweep_of(session, actor, sweep)


@router.get(
    "/sweeps/{name}",
    name="get_sweep",
    response_model=SweepOut,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def show_sweep(request: Request, session: InSession, viewer: InViewer, sweep: InSweep) -> Response:
    """One sweep and how far it is."""
    return conditional(request, sweep_of(session, viewer.user, sweep))


@router.post("/sweeps/{name}/cancel", responses=documented(401, 403, 404, 409))
def cancel_sweep(session: InSession, actor: Actor, sweep: InSweep) -> SweepOut:
    """End what is not over of it; what the first games of each experiment came to stays."""
    permissions.require_order(actor, sweep)
    sweeps.cancel(session, actor, sweep)
    return sweep_of(session, actor, sweep)


@costly.get(
    "/sweeps/{name}/table",
    response_class=Response,
    responses={**TABLE, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def export_sweep(
    session: InSession,
    viewer: InViewer,
    sweep: InSweep,
    format: Annotated[ExperimentFormat, Query()] = ExperimentFormat.CSV,  # noqa: A002  (the parameter's public name)
) -> Response:
    """What the games of each experiment come to so far, with intervals: a row an experiment."""
    return table_of(session, viewer.user, sweep, format)
