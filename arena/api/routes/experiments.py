"""Experiments: the staff has many games played between two players, everybody sees what they come to."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Query, Request, Response
from fastapi.openapi.models import Example
from fastapi.responses import StreamingResponse

from arena import experiments
from arena.api.dependencies import PUBLIC, InServices, InSession, InViewer, Staff
from arena.api.experiment_export import csv_lines, game_lines
from arena.api.problems import documented
from arena.api.responses import NOT_MODIFIED, Page, Part, conditional, page_of
from arena.api.schemas.experiments import ExperimentOut, ExperimentResults
from arena.api.visibility import Viewer
from arena.errors import ConflictError
from arena.plans import ExperimentPlan
from arena.store.models import Experiment

router = APIRouter(tags=["experiments"], responses=documented(422))

EXAMPLES: dict[str, Example] = {
    "strategies": {
        "summary": "A million games of circle Nim: an algorithm of the document against random play",
        "value": {
            "game": "circle_nim",
            "params": {"rows": 5},
            "first": "algo3:10000",
            "second": "random",
            "games": 1_000_000,
            "seed": 1,
        },
    },
    "bots": {
        "summary": "Two submitted bots from both seats, until the score is known to two points in a hundred",
        "value": {
            "game": "reversed_reversi",
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
    return experiments.get(session, number)


InExperiment = Annotated[Experiment, Depends(get_experiment)]


class ExperimentFormat(StrEnum):
    """`csv`: the counts in a table. `jsonl`: every game that is done, where they are recorded."""

    CSV = "csv"
    JSONL = "jsonl"


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
    rows, total = experiments.list_experiments(session, part.offset, part.limit)
    return conditional(request, page_of([ExperimentOut.seen_by(viewer, row) for row in rows], total, part))


@router.post("/experiments", status_code=201, responses=documented(400, 401, 403, 404, 413))
def create_experiment(
    session: InSession, staff: Staff, plan: Annotated[ExperimentPlan, Body(openapi_examples=EXAMPLES)]
) -> ExperimentOut:
    """Have games played on the workers, from now on; the openings are drawn first."""
    return ExperimentOut.seen_by(Viewer(staff), experiments.create(session, staff, plan))


@router.get(
    "/experiments/{number}",
    name="get_experiment",
    response_model=ExperimentOut,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def show_experiment(request: Request, viewer: InViewer, experiment: InExperiment) -> Response:
    """One experiment and how far it is."""
    return conditional(request, ExperimentOut.seen_by(viewer, experiment))


@router.post("/experiments/{number}/cancel", responses=documented(401, 403, 404, 409))
def cancel_experiment(session: InSession, staff: Staff, experiment: InExperiment) -> ExperimentOut:
    """End it for good; what its first games came to stays."""
    experiments.cancel(session, staff, experiment)
    return ExperimentOut.seen_by(Viewer(staff), experiment)


@router.get(
    "/experiments/{number}/results",
    response_model=ExperimentResults,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def get_experiment_results(request: Request, viewer: InViewer, experiment: InExperiment) -> Response:
    """What the games that are done come to, final or not: every integer, and what follows from them."""
    return conditional(request, ExperimentResults.seen_by(viewer, experiment))


@router.get(
    "/experiments/{number}/export",
    response_class=StreamingResponse,
    responses={**LINES, **documented(401, 404, 409)},
    openapi_extra=PUBLIC,
)
def export_experiment(
    services: InServices,
    experiment: InExperiment,
    format: Annotated[ExperimentFormat, Query()] = ExperimentFormat.CSV,  # noqa: A002  (the parameter's public name)
) -> StreamingResponse:
    """The counts for a spreadsheet, or the games themselves, a line each, in the order of their indices."""
    if format is ExperimentFormat.JSONL and not experiments.spec_of(experiment).record_games:
        raise ConflictError(
            f"experiment {experiment.id} does not record its games; create one with record_games"
        )

    def lines() -> Iterator[str]:
        with services.database.reading() as session:
            found = experiments.get(session, experiment.id)
            yield from csv_lines(found) if format is ExperimentFormat.CSV else game_lines(session, found)

    media_type = {
        ExperimentFormat.CSV: "text/csv; charset=utf-8",
        ExperimentFormat.JSONL: "application/jsonl",
    }[format]
    name = f'attachment; filename="experiment-{experiment.id}.{format}"'
    return StreamingResponse(lines(), media_type=media_type, headers={"Content-Disposition": name})
