"""The kinds of problems, where the `type` of a problem leads to."""

from __future__ import annotations

from fastapi import APIRouter

from arena.api.problems import KINDS, Kind, documented
from arena.errors import NotFoundError

router = APIRouter(tags=["problems"])


@router.get("/problems")
def list_problems() -> list[Kind]:
    """Every kind of problem that an answer can be."""
    return list(KINDS)


@router.get("/problems/{code}", responses=documented(404, 422))
def get_problem(code: str) -> Kind:
    """One kind of problem."""
    for kind in KINDS:
        if kind.code == code:
            return kind
    raise NotFoundError(f"there is no kind of problem {code!r}")
