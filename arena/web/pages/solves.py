"""The pages of games that are solved on the workers: all of them, and one with how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, File, Request, Response, UploadFile
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ArenaError, ConflictError, InvalidError
from arena.core.terms import OPEN_SOLVES, SolveState
from arena.experiments import solves
from arena.store.models import Solve, User
from arena.web.answers.positions import game_of, position_of, scene_of
from arena.web.answers.solves import checkpoint_of, proof_of, solve_of, solves_of
from arena.web.http.dependencies import InServices, InSession
from arena.web.http.download import Download
from arena.web.http.responses import Part, page_of
from arena.web.http.visited_routes import MaybeVisitedExportRoute
from arena.web.http.web_sessions import AdminVisitor, MaybeVisitor
from arena.web.pages.experiments import Number
from arena.web.pages.following import again
from arena.web.pages.forms import refused, see
from arena.web.pages.lab_forms import SOLVE_LABELS, SolveTyped, solve_typed
from arena.web.pages.own_words import games_with
from arena.web.pages.plan_forms import faults_of
from arena.web.pages.rendering import render

HOME = "/solves"
router = APIRouter(default_response_class=HTMLResponse)
exporting = APIRouter(route_class=MaybeVisitedExportRoute)


def get_solve(session: InSession, number: Number) -> Solve:
    """The solve that the path names."""
    return solves.get(session, number)


InSolve = Annotated[Solve, Depends(get_solve)]


@router.get("/solves")
def list_solves(request: Request, session: InSession, visitor: MaybeVisitor, part: Part) -> HTMLResponse:
    """All solves, newest first."""
    rows, total = solves.list_solves(session, part.offset, part.limit)
    page = page_of(solves_of(session, visitor, rows), total, part)
    going = any(each.state == SolveState.RUNNING for each in page.items)
    acts = permissions.is_admin(visitor)
    return render(request, "solves.html", page=page, acts=acts, live=again(going=going))


@router.get("/solves/new")
def prepare(request: Request, _admin: AdminVisitor) -> HTMLResponse:
    """The form by which a solve is asked for."""
    return _form(request, SolveTyped())


@router.post("/solves/new")
def create(
    request: Request,
    session: InSession,
    admin: AdminVisitor,
    typed: Annotated[SolveTyped, Depends(solve_typed)],
    checkpoint: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """Have a game solved by the workers that have nothing else to do."""
    known = checkpoint.file.read().decode("utf-8", "replace") if checkpoint else ""
    try:
        return see(f"{HOME}/{solves.create(session, admin, typed.plan(known)).id}")
    except InvalidError as error:
        session.rollback()
        return _form(request, typed, error)


@router.get("/solves/{number}")
def show(request: Request, session: InSession, visitor: MaybeVisitor, solve: InSolve) -> HTMLResponse:
    """One solve: what is known by now, how far it is, and what came out."""
    return _page(request, session, visitor, solve)


@router.post("/solves/{number}/pause")
def pause(request: Request, session: InSession, admin: AdminVisitor, solve: InSolve) -> Response:
    """Give nothing more out, and take back what is."""
    return _done(request, session, admin, solve, solves.pause)


@router.post("/solves/{number}/resume")
def resume(request: Request, session: InSession, admin: AdminVisitor, solve: InSolve) -> Response:
    """Go on with one that was paused."""
    return _done(request, session, admin, solve, solves.resume)


@router.post("/solves/{number}/cancel")
def cancel(request: Request, session: InSession, admin: AdminVisitor, solve: InSolve) -> Response:
    """End it for good."""
    return _done(request, session, admin, solve, solves.cancel)


@exporting.get("/solves/{number}/checkpoint", response_class=Response)
def export_checkpoint(services: InServices, solve: InSolve) -> Download:
    """All that is known by now, from which another solve can begin."""
    return checkpoint_of(services, solve)


@exporting.get("/solves/{number}/proof", response_class=Response)
def export_proof(services: InServices, solve: InSolve) -> Download:
    """The proof of what came out, which anybody can check."""
    return proof_of(services, solve)


def _form(request: Request, typed: SolveTyped, error: ArenaError | None = None) -> HTMLResponse:
    return render(
        request,
        "solve_new.html",
        error.status if error else 200,
        typed=typed,
        games=games_with(lambda row: row.solver is not None and row.solver.cut is not None),
        refused=error,
        faults=faults_of(error, SOLVE_LABELS) if error else (),
    )


def _done(
    request: Request,
    session: Session,
    admin: User,
    solve: Solve,
    act: Callable[[Session, User, Solve], None],
) -> Response:
    """The page after an act, or what refused it."""
    try:
        act(session, admin, solve)
    except ConflictError as error:
        session.rollback()
        return refused(_page(request, session, admin, solve, error), error)
    return see(f"{HOME}/{solve.id}")


def _page(
    request: Request, session: Session, visitor: User | None, solve: Solve, error: ArenaError | None = None
) -> HTMLResponse:
    told = solve_of(session, visitor, solve)
    game = game_of(told.game) if told.position else None
    state = game.state_from_json(told.position) if game and told.position else None
    return render(
        request,
        "solve.html",
        error.status if error else 200,
        solve=told,
        scene=scene_of(game) if game else None,
        position=position_of(game, state, 0, legal=False) if game else None,
        over=solve.state not in OPEN_SOLVES,
        acts=permissions.is_admin(visitor),
        refused=error,
        live=again(going=solve.state == SolveState.RUNNING),
    )
