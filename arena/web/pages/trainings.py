"""The pages of players that are learned on the workers: all of them, and one with how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ArenaError, ConflictError, InvalidError
from arena.core.terms import OPEN_TRAININGS, TrainingState
from arena.experiments import trainings
from arena.store.models import Training, User
from arena.web.answers.trainings import parts_of, training_out, trainings_out
from arena.web.http.dependencies import InServices, InSession
from arena.web.http.download import Download
from arena.web.http.responses import Part, page_of
from arena.web.http.visited_routes import VisitedExportRoute
from arena.web.http.web_sessions import AdminVisitor, MaybeVisitor, Visitor
from arena.web.pages.experiments import Number
from arena.web.pages.following import again
from arena.web.pages.forms import refused, see
from arena.web.pages.lab_forms import NEW_TRAINING, TRAINING_LABELS, TrainingTyped
from arena.web.pages.own_words import games_with
from arena.web.pages.plan_forms import faults_of
from arena.web.pages.rendering import render

HOME = "/trainings"
router = APIRouter(default_response_class=HTMLResponse)
exporting = APIRouter(route_class=VisitedExportRoute)


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
    return render(
        request,
        "trainings.html",
        page=page,
        game_of=trainings.game_of,
        acts=permissions.is_admin(visitor),
        live=again(going=going),
    )


@router.get("/trainings/new")
def prepare(request: Request, _admin: AdminVisitor) -> HTMLResponse:
    """The form by which a training is asked for."""
    return _form(request, NEW_TRAINING)


@router.post("/trainings/new")
def create(
    request: Request, session: InSession, admin: AdminVisitor, typed: Annotated[TrainingTyped, Form()]
) -> Response:
    """Have a player learned by the workers that have nothing else to do."""
    try:
        return see(f"{HOME}/{trainings.create(session, admin, typed.plan()).id}")
    except InvalidError as error:
        session.rollback()
        return _form(request, typed, error)


@router.get("/trainings/{number}")
def show(request: Request, session: InSession, visitor: MaybeVisitor, training: InTraining) -> HTMLResponse:
    """One training: what it is at, what its rounds came to, and how its files are had."""
    return _page(request, session, visitor, training)


@router.post("/trainings/{number}/pause")
def pause(request: Request, session: InSession, admin: AdminVisitor, training: InTraining) -> Response:
    """Give nothing more out, and take back what is."""
    return _done(request, session, admin, training, trainings.pause)


@router.post("/trainings/{number}/resume")
def resume(request: Request, session: InSession, admin: AdminVisitor, training: InTraining) -> Response:
    """Go on with one that was paused."""
    return _done(request, session, admin, training, trainings.resume)


@router.post("/trainings/{number}/cancel")
def cancel(request: Request, session: InSession, admin: AdminVisitor, training: InTraining) -> Response:
    """End it for good."""
    return _done(request, session, admin, training, trainings.cancel)


@exporting.get("/trainings/{number}/parts", response_class=Response)
def export_parts(services: InServices, _visitor: Visitor, training: InTraining) -> Download:
    """All that is done by now, a part a line."""
    return parts_of(services, training)


def _form(request: Request, typed: TrainingTyped, error: ArenaError | None = None) -> HTMLResponse:
    return render(
        request,
        "training_new.html",
        error.status if error else 200,
        typed=typed,
        games=games_with(lambda row: row.trainer is not None),
        refused=error,
        faults=faults_of(error, TRAINING_LABELS) if error else (),
    )


def _done(
    request: Request,
    session: Session,
    admin: User,
    training: Training,
    act: Callable[[Session, User, Training], None],
) -> Response:
    """The page after an act, or what refused it."""
    try:
        act(session, admin, training)
    except ConflictError as error:
        session.rollback()
        return refused(_page(request, session, admin, training, error), error)
    return see(f"{HOME}/{training.id}")


def _page(
    request: Request,
    session: Session,
    visitor: User | None,
    training: Training,
    error: ArenaError | None = None,
) -> HTMLResponse:
    return render(
        request,
        "training.html",
        error.status if error else 200,
        training=training_out(session, visitor, training),
        game=trainings.game_of(training.plan),
        over=training.state not in OPEN_TRAININGS,
        acts=permissions.is_admin(visitor),
        visitor=visitor,
        refused=error,
        live=again(going=training.state == TrainingState.RUNNING),
    )
