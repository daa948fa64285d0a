"""The pages of players that are learned on the workers: all of them, and one with how far it is."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from arena.core.terms import TrainingState
from arena.experiments import trainings
from arena.store.models import Training
from arena.web.answers.trainings import training_out, trainings_out
from arena.web.http.dependencies import InSession
from arena.web.http.responses import Part, page_of
from arena.web.http.web_sessions import MaybeVisitor
from arena.web.pages.experiments import Number
from arena.web.pages.following import again
from arena.web.pages.rendering import render

router = APIRouter(default_response_class=HTMLResponse)


def get_training(session: InSession, number: Number) -> Training:
    """The training that the path names."""
    return trainings.get(session, number)


InTraining = Annotated[Training, Depends(get_training)]


@router.get("/trainings")
def list_trainings(request: Request, session: InSession, visitor: MaybeVisitor, part: Part) -> HTMLResponse:
    """All trainings, newest first."""
    rows, total = trainings.list_trainings(session, part.offset, part.limit)
    page = page_of(trainings_out(session, visitor, rows), total, part)
    going = any(each.state == TrainingState.RUNNING for each in page.items)
    return render(request, "trainings.html", page=page, game_of=trainings.game_of, live=again(going=going))


@router.get("/trainings/{number}")
def show(request: Request, session: InSession, visitor: MaybeVisitor, training: InTraining) -> HTMLResponse:
    """One training: what it is at, what its rounds came to, and how its files are had."""
    return render(
        request,
        "training.html",
        training=training_out(session, visitor, training),
        game=trainings.game_of(training.plan),
        live=again(going=training.state == TrainingState.RUNNING),
    )
