"""Players learned on the workers: asked for by administrators, and followed by everybody."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Request, Response
from fastapi.openapi.models import Example

from arena.experiments import trainings
from arena.schemas.paging import Page
from arena.schemas.trainings import TrainingOut, TrainingPlan
from arena.store.models import Training
from arena.web.answers.trainings import parts_of, training_out, trainings_out
from arena.web.http.costly_routes import ExportRoute
from arena.web.http.dependencies import PUBLIC, Actor, InServices, InSession, InViewer
from arena.web.http.download import Download
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from engines import USUAL_GAME

router = APIRouter(tags=["experiments"], responses=documented(422))
costly = APIRouter(tags=["experiments"], responses=documented(202, 422, 429), route_class=ExportRoute)

EXAMPLES: dict[str, Example] = {
    "usual": {
        "summary": "The usual rounds of 120,000 games in all",
        "value": {"game": USUAL_GAME, "seed": 1},
    },
    "rounds": {
        "summary": "One short round on the smallest board",
        "value": {
            "game": USUAL_GAME,
            "params": {"size": 4},
            "rounds": [{"games": 300, "depth": 2, "solved": 4, "steps": 20}],
        },
    },
}
LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "Lines of JSON.", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


def get_training(session: InSession, number: Annotated[int, Path(examples=[1])]) -> Training:
    """The training that the path names."""
    return trainings.get(session, number)


InTraining = Annotated[Training, Depends(get_training)]


@router.get(
    "/trainings",
    response_model=Page[TrainingOut],
    responses={**NOT_MODIFIED, **documented(401)},
    openapi_extra=PUBLIC,
)
def list_trainings(request: Request, session: InSession, viewer: InViewer, part: Part) -> Response:
    """All trainings, newest first."""
    rows, total = trainings.list_trainings(session, part.offset, part.limit)
    return conditional(request, page_of(trainings_out(session, viewer.user, rows), total, part))


@router.post("/trainings", status_code=201, responses=documented(400, 401, 403, 413))
def create_training(
    session: InSession, actor: Actor, plan: Annotated[TrainingPlan, Body(openapi_examples=EXAMPLES)]
) -> TrainingOut:
    """Have a player learned by the workers that have nothing else to do, from now on."""
    return training_out(session, actor, trainings.create(session, actor, plan))


@router.get(
    "/trainings/{number}",
    name="get_training",
    response_model=TrainingOut,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def show_training(request: Request, session: InSession, viewer: InViewer, training: InTraining) -> Response:
    """One training, how far it is, and what its rounds came to."""
    return conditional(request, training_out(session, viewer.user, training))


@router.post("/trainings/{number}/pause", responses=documented(401, 403, 404, 409))
def pause_training(session: InSession, actor: Actor, training: InTraining) -> TrainingOut:
    """Give nothing more out, and take back what is; what is done stays."""
    trainings.pause(session, actor, training)
    return training_out(session, actor, training)


@router.post("/trainings/{number}/resume", responses=documented(401, 403, 404, 409))
def resume_training(session: InSession, actor: Actor, training: InTraining) -> TrainingOut:
    """Go on with a training that was paused."""
    trainings.resume(session, actor, training)
    return training_out(session, actor, training)


@router.post("/trainings/{number}/cancel", responses=documented(401, 403, 404, 409))
def cancel_training(session: InSession, actor: Actor, training: InTraining) -> TrainingOut:
    """End it for good; what is done stays, and can be gone on with elsewhere."""
    trainings.cancel(session, actor, training)
    return training_out(session, actor, training)


@costly.get(
    "/trainings/{number}/parts",
    response_class=Response,
    responses={**LINES, **documented(401, 404)},
)
def get_training_parts(services: InServices, actor: Actor, training: InTraining) -> Download:
    """All that is done by now, for whoever has an account: the plan, then a part a line.

    What is learned follows from them. The games of a round are left out once it is fitted.
    """
    del actor
    return parts_of(services, training)
