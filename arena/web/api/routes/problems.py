"""The kinds of problems, where the `type` of a problem leads to."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.core.errors import NotFoundError
from arena.schemas.paging import Page
from arena.web.http.problems import KINDS, ProblemKind, documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, part_of

router = APIRouter(tags=["problems"])


@router.get("/problems", response_model=Page[ProblemKind], responses={**NOT_MODIFIED, **documented(422)})
def list_problems(request: Request, part: Part) -> Response:
    """Every kind of problem that an answer can be."""
    return conditional(request, part_of(KINDS, part))


@router.get("/problems/{code}", responses=documented(404, 422))
def get_problem(code: str) -> ProblemKind:
    """One kind of problem."""
    for kind in KINDS:
        if kind.code == code:
            return kind
    raise NotFoundError(f"there is no kind of problem {code!r}")
