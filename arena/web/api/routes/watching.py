"""For who watches over the arena: whether a process lives, whether it can serve, and its figures.

They stand at the addresses where such programs look for them.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from arena.access import permissions
from arena.coordinator.figures import Backlog, Figures, figures
from arena.coordinator.watch import BROKER, DATABASE
from arena.core.addresses import is_here
from arena.core.errors import ArenaError, AuthRequiredError, UnavailableError
from arena.people import users
from arena.store.failures import Failure
from arena.web.answers.metrics import MEDIA_TYPE, Watched, written
from arena.web.http.dependencies import InServices, Services, address_of

router = APIRouter(include_in_schema=False)
UNKEPT = {"Cache-Control": "no-store"}
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""By these a proxy says that somebody else asks."""
NEEDED = (DATABASE, BROKER)


class Readiness(BaseModel):
    """Whether a process can serve."""

    status: Literal["ready", "not ready"]
    failing: dict[str, Failure] = Field(description="The parts that are not ready, and why.")


@router.get("/healthz")
async def healthz() -> Response:
    """Whether this process lives; nothing else is asked."""
    return PlainTextResponse("ok\n", headers=UNKEPT)


@router.get("/readyz")
async def readyz(services: InServices, response: Response) -> Readiness:
    """Whether this process can serve: database and broker took what was written to them last."""
    await services.watch.first()
    failing = {each.part: each.failure for each in services.watch.troubles if each.part in NEEDED}
    response.status_code = 503 if failing else 200
    response.headers.update(UNKEPT)
    return Readiness(status="not ready" if failing else "ready", failing=failing)


@router.get("/metrics")
async def metrics(request: Request, services: InServices) -> Response:
    """The figures of the arena and of this process, for this machine and for administrators' tokens."""
    if not _is_local(request):
        try:
            await _require_admin(services, request.headers.get("authorization", ""))
        except ArenaError as error:  # for a program, and not for a reader who could sign in
            asked = {"WWW-Authenticate": "Bearer"} if error.status == HTTPStatus.UNAUTHORIZED else {}
            return PlainTextResponse(f"{error}\n", error.status, UNKEPT | asked)
    text = await services.scrapes.get(lambda: _scrape(services))
    return Response(text, media_type=MEDIA_TYPE, headers=UNKEPT)


def _is_local(request: Request) -> bool:
    """Whether a program of this machine asks for itself."""
    return is_here(address_of(request)) and not any(name in request.headers for name in FORWARDED)


async def _require_admin(services: Services, authorization: str) -> None:
    """Let only administrators' tokens pass: figures tell of all tournaments, the frozen ones too.

    Raises:
        AuthRequiredError: there is no valid token.
        ForbiddenError: it is not one of an administrator's that is good for reading.
        UnavailableError: too many others read.
    """
    scheme, _, secret = authorization.partition(" ")
    if scheme.lower() != "bearer" or not secret:
        raise AuthRequiredError(
            "figures are shown on the arena's own machine; from elsewhere send an administrator's token as "
            "'Authorization: Bearer TOKEN'"
        )
    async with services.reading.slot():
        await run_in_threadpool(_look_at, services, secret.strip())


def _look_at(services: Services, secret: str) -> None:
    with services.database.reading() as session:
        token = users.find_token(session, secret)
        permissions.require_scope(token.scope, "metrics", reads=True)
        permissions.require_admin(token.user)


async def _scrape(services: Services) -> bytes:
    await services.watch.first()
    found = await _ask_database(services), await run_in_threadpool(_ask_broker, services)
    return written(Watched(services.watch.troubles, *found), services.telemetry.registry)


async def _ask_database(services: Services) -> Figures | None:
    """What the database tells; nobody waits for one that is known to be away."""
    if any(each.part == DATABASE and each.failure == Failure.AWAY for each in services.watch.troubles):
        return None
    try:
        async with services.reading.slot():
            return await run_in_threadpool(_read, services)
    except (SQLAlchemyError, UnavailableError):
        return None


def _read(services: Services) -> Figures:
    with services.database.reading() as session:
        return figures(session, services.settings)


def _ask_broker(services: Services) -> Backlog | None:
    if any(each.part == BROKER and each.failure == Failure.AWAY for each in services.watch.troubles):
        return None
    try:
        return services.backlogs.look()
    except UnavailableError:
        return None
