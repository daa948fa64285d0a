"""Experiments: the staff has many games played between two players, everybody sees what they come to."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Query, Request, Response
from fastapi.openapi.models import Example

from arena.core.errors import ConflictError
from arena.core.terms import ExperimentFormat
from arena.experiments import lifecycle
from arena.schemas.experiments import ExperimentOut, ExperimentResults
from arena.schemas.paging import Page
from arena.store.models import Experiment
from arena.tournaments.plans import ExperimentPlan
from arena.web.answers.experiments import experiment_of, results_of
from arena.web.api.experiment_export import csv_lines, game_lines
from arena.web.http.dependencies import PUBLIC, InServices, InSession, InViewer, Staff
from arena.web.http.download import Download, Texts
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from arena.web.http.visibility import Viewer
from engines import USUAL_GAME

router = APIRouter(tags=["experiments"], responses=documented(422))

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


def get_experiment(session: InSession, number: Annotated[int, Path(examples=[1])]) -> Experiment:
    """The experiment that the path names."""
    return lifecycle.get(session, number)


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
    """All experiments, newest first."""
    rows, total = lifecycle.list_experiments(session, part.offset, part.limit)
    return conditional(request, page_of([experiment_of(viewer, row) for row in rows], total, part))


@router.post("/experiments", status_code=201, responses=documented(400, 401, 403, 404, 413))
def create_experiment(
    session: InSession, staff: Staff, plan: Annotated[ExperimentPlan, Body(openapi_examples=EXAMPLES)]
) -> ExperimentOut:
    """Have games played on the workers, from now on; the openings are drawn first."""
    return experiment_of(Viewer(staff), lifecycle.create(session, staff, plan))


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
def cancel_experiment(session: InSession, staff: Staff, experiment: InExperiment) -> ExperimentOut:
    """End it for good; what its first games came to stays."""
    lifecycle.cancel(session, staff, experiment)
    return experiment_of(Viewer(staff), experiment)


@router.get(
    "/experiments/{number}/results",
    response_model=ExperimentResults,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def get_experiment_results(request: Request, viewer: InViewer, experiment: InExperiment) -> Response:
    """What the games that are done come to, final or not: every integer, and what follows from them."""
    return conditional(request, results_of(viewer, experiment))


@router.get(
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
    if format is ExperimentFormat.JSONL and not lifecycle.spec_of(experiment).record_games:
        raise ConflictError(
            f"experiment {experiment.id} does not record its games; create one with record_games"
        )

    def lines() -> Texts:
        with services.database.reading() as session:
            stored = lifecycle.get(session, experiment.id)
            yield from csv_lines(stored) if format is ExperimentFormat.CSV else game_lines(session, stored)

    media_type = {
        ExperimentFormat.CSV: "text/csv; charset=utf-8",
        ExperimentFormat.JSONL: "application/jsonl",
    }[format]
    return Download(services.downloads, lines, f"experiment-{experiment.id}.{format}", media_type)
