"""Environments: the packages that Python bots find."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from arena.schemas.bots import EnvironmentChoice, EnvironmentOut
from arena.schemas.paging import Page
from arena.submissions import choosing
from arena.web.answers.bots import environment_of
from arena.web.http.dependencies import Admin, InServices, InSession
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, part_of

router = APIRouter(tags=["bots"], responses=documented(422))


@router.get("/environments", response_model=Page[EnvironmentOut], responses=NOT_MODIFIED)
def list_environments(request: Request, services: InServices, session: InSession, part: Part) -> Response:
    """The environments that Python bots can name in their `bot.toml`."""
    known = choosing.list_all(session, services.settings)
    return conditional(request, part_of([environment_of(each) for each in known], part))


@router.put("/environments/{name}", responses=documented(400, 401, 403, 404, 413))
def choose_environment(
    services: InServices,
    session: InSession,
    admin: Admin,
    name: Annotated[str, Path(min_length=1, max_length=40, examples=["numpy"])],
    choice: EnvironmentChoice,
) -> EnvironmentOut:
    """Let a name mean other packages from now on, which a worker host has that is there now."""
    return environment_of(choosing.choose(session, services.settings, admin, name, choice.digest))
