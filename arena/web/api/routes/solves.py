"""Games that are solved on the workers: asked for by administrators, and followed by everybody."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Request, Response
from fastapi.openapi.models import Example

from arena.experiments import solves
from arena.schemas.paging import Page
from arena.schemas.solves import SolveOut, SolvePlan
from arena.store.models import Solve
from arena.web.answers.solves import checkpoint_of, proof_of, solve_of, solves_of
from arena.web.http.costly_routes import ExportRoute
from arena.web.http.dependencies import PUBLIC, Actor, InServices, InSession, InViewer
from arena.web.http.download import Download
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from engines import USUAL_GAME

router = APIRouter(tags=["experiments"], responses=documented(422))
costly = APIRouter(tags=["experiments"], responses=documented(202, 422, 429), route_class=ExportRoute)

EXAMPLES: dict[str, Example] = {
    "smallest": {
        "summary": "The smallest board, which takes seconds",
        "value": {"game": USUAL_GAME, "params": {"size": 4}},
    },
    "ordinary": {
        "summary": "The next board where more discs win, with tables of 256 MiB",
        "value": {"game": USUAL_GAME, "params": {"size": 6, "reversed": False}, "memory_mb": 256},
    },
}
LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "Lines of text.", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


def get_solve(session: InSession, number: Annotated[int, Path(examples=[1])]) -> Solve:
    """The solve that the path names."""
    return solves.get(session, number)


InSolve = Annotated[Solve, Depends(get_solve)]


@router.get(
    "/solves",
    response_model=Page[SolveOut],
    responses={**NOT_MODIFIED, **documented(401)},
    openapi_extra=PUBLIC,
)
def list_solves(request: Request, session: InSession, viewer: InViewer, part: Part) -> Response:
    """All solves, newest first."""
    rows, total = solves.list_solves(session, part.offset, part.limit)
    return conditional(request, page_of(solves_of(session, viewer.user, rows), total, part))


@router.post("/solves", status_code=201, responses=documented(400, 401, 403, 413))
def create_solve(
    session: InSession, actor: Actor, plan: Annotated[SolvePlan, Body(openapi_examples=EXAMPLES)]
) -> SolveOut:
    """Have a game solved by the workers that have nothing else to do, from now on."""
    return solve_of(session, actor, solves.create(session, actor, plan))


@router.get(
    "/solves/{number}",
    name="get_solve",
    response_model=SolveOut,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def show_solve(request: Request, session: InSession, viewer: InViewer, solve: InSolve) -> Response:
    """One solve and how far it is."""
    return conditional(request, solve_of(session, viewer.user, solve))


@router.post("/solves/{number}/pause", responses=documented(401, 403, 404, 409))
def pause_solve(session: InSession, actor: Actor, solve: InSolve) -> SolveOut:
    """Give nothing more out, and take back what is; what is known stays."""
    solves.pause(session, actor, solve)
    return solve_of(session, actor, solve)


@router.post("/solves/{number}/resume", responses=documented(401, 403, 404, 409))
def resume_solve(session: InSession, actor: Actor, solve: InSolve) -> SolveOut:
    """Go on with a solve that was paused."""
    solves.resume(session, actor, solve)
    return solve_of(session, actor, solve)


@router.post("/solves/{number}/cancel", responses=documented(401, 403, 404, 409))
def cancel_solve(session: InSession, actor: Actor, solve: InSolve) -> SolveOut:
    """End it for good; what is known stays, and its checkpoint can be gone on from."""
    solves.cancel(session, actor, solve)
    return solve_of(session, actor, solve)


@costly.get(
    "/solves/{number}/checkpoint",
    response_class=Response,
    responses={**LINES, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def get_solve_checkpoint(services: InServices, solve: InSolve) -> Download:
    """All that is known by now; another solve of the game can begin with it, here or elsewhere."""
    return checkpoint_of(services, solve)


@costly.get(
    "/solves/{number}/proof",
    response_class=Response,
    responses={**LINES, **documented(401, 404, 409)},
    openapi_extra=PUBLIC,
)
def get_solve_proof(services: InServices, solve: InSolve) -> Download:
    """The proof of what came out, which `arena solve verify` checks."""
    return proof_of(services, solve)
