"""Experiments: many games between two players; everybody sees the administrators', a team its own."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Query, Request, Response
from fastapi.openapi.models import Example

from arena.access import permissions
from arena.core.terms import ExperimentFormat
from arena.experiments import lifecycle
from arena.experiments.quotas import Quota
from arena.schemas.experiments import ExperimentOut, ExperimentResults
from arena.schemas.paging import Page
from arena.schemas.plans import ExperimentPlan
from arena.store.models import Experiment
from arena.web.answers.experiment_export import export_of, part_of_recording
from arena.web.answers.experiments import experiment_of, results_of
from arena.web.http.costly_routes import ExportRoute
from arena.web.http.dependencies import PUBLIC, Actor, InServices, InSession, InViewer, Player
from arena.web.http.download import Download
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from arena.web.http.visibility import Viewer
from engines import USUAL_GAME
from workers.simulation.contract import MAX_GAMES

router = APIRouter(tags=["experiments"], responses=documented(422))
costly = APIRouter(tags=["experiments"], responses=documented(202, 422, 429), route_class=ExportRoute)

EXAMPLES: dict[str, Example] = {
    "strategies": {
        "summary": "A million games: the best response against random play, on the smallest board",
        "value": {
            "game": USUAL_GAME,
            "params": {"size": 4},
            "first": "best_response",
            "second": "random",
            "games": 1_000_000,
            "seed": 1,
        },
    },
    "bots": {
        "summary": "Two submitted bots from both seats, until the score is known to two points in a hundred",
        "value": {
            "game": USUAL_GAME,
            "first": "bot:group8@2",
            "second": "bot:greedy",
            "games": 20_000,
            "swap": True,
            "openings": 20,
            "stop_when_ci": 0.02,
        },
    },
}


def get_experiment(
    session: InSession, viewer: InViewer, number: Annotated[int, Path(examples=[1])]
) -> Experiment:
    """The experiment that the path names."""
    return lifecycle.get_for(session, viewer.user, number)


InExperiment = Annotated[Experiment, Depends(get_experiment)]


LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A line a count, or a line a game.",
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "application/jsonl": {"schema": {"type": "string"}},
        },
    }
}


@router.get(
    "/experiments",
    response_model=Page[ExperimentOut],
    responses={**NOT_MODIFIED, **documented(401)},
    openapi_extra=PUBLIC,
)
def list_experiments(request: Request, session: InSession, viewer: InViewer, part: Part) -> Response:
    """All experiments that one may see, newest first."""
    rows, total = lifecycle.list_experiments(session, viewer.user, part.offset, part.limit)
    return conditional(request, page_of([experiment_of(viewer, row) for row in rows], total, part))


@router.post("/experiments", status_code=201, responses=documented(400, 401, 403, 404, 409, 413))
def create_experiment(
    session: InSession,
    services: InServices,
    actor: Player,
    plan: Annotated[ExperimentPlan, Body(openapi_examples=EXAMPLES)],
) -> ExperimentOut:
    """Have games played on the workers, from now on; the openings are drawn first.

    A team, or an organiser, may ask for so many games a day as the arena lets it, between players by name,
    its own bots and the staff's.
    """
    made = lifecycle.create(session, actor, plan, Quota.of(services.settings))
    return experiment_of(Viewer(actor), made)


@router.get(
    "/experiments/{number}",
    name="get_experiment",
    response_model=ExperimentOut,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def show_experiment(request: Request, viewer: InViewer, experiment: InExperiment) -> Response:
    """One experiment and how far it is."""
    return conditional(request, experiment_of(viewer, experiment))


@router.post("/experiments/{number}/cancel", responses=documented(401, 403, 404, 409))
def cancel_experiment(session: InSession, actor: Actor, experiment: InExperiment) -> ExperimentOut:
    """End it; what its first games came to stays."""
    permissions.require_order(actor, experiment)
    lifecycle.cancel(session, actor, experiment)
    return experiment_of(Viewer(actor), experiment)


@router.get(
    "/experiments/{number}/results",
    response_model=ExperimentResults,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def get_experiment_results(request: Request, viewer: InViewer, experiment: InExperiment) -> Response:
    """What the games that are done come to, final or not: every integer, and what follows from them."""
    return conditional(request, results_of(viewer, experiment))


@costly.get(
    "/experiments/{number}/export",
    response_class=Response,
    responses={**LINES, **documented(401, 404, 409)},
    openapi_extra=PUBLIC,
)
def export_experiment(
    services: InServices,
    experiment: InExperiment,
    format: Annotated[ExperimentFormat, Query()] = ExperimentFormat.CSV,  # noqa: A002  (the parameter's public name)
) -> Download:
    """The counts for a spreadsheet, or the games themselves, a line each, in the order of their indices."""
    return export_of(services, experiment, format)


PART: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A Parquet file.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get(
    "/experiments/{number}/parts/{start}",
    response_class=Response,
    responses={**PART, **documented(401, 404, 409)},
    openapi_extra=PUBLIC,
)
def get_recorded_part(
    services: InServices,
    viewer: InViewer,
    experiment: InExperiment,
    start: Annotated[int, Path(ge=0, lt=MAX_GAMES, description="A multiple of `chunk`.", examples=[0])],
) -> Response:
    """The recorded games from one on, as many as a chunk has; the last part may have games beyond `done`."""
    return part_of_recording(services, viewer.user, experiment, start)
