"""Every error of the interface as `application/problem+json` (RFC 9457)."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.orm.exc import StaleDataError
from starlette.exceptions import HTTPException
from starlette.routing import Match, Mount

from arena.core.errors import ArenaError, PendingError, TooManyError
from arena.store.failures import WORDS, failure_of

MEDIA_TYPE = "application/problem+json"
TYPES = "/api/v1/problems/"
RETRY_SECONDS = 5
"""When who was told 503 may ask again."""
NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
MAX_FAULTS, MAX_STEPS, MAX_CHARS = 50, 20, 500
"""What is told of a request that cannot be used: so many faults, how deep they are, and in how many words."""
MAX_DETAIL_CHARS = 4000
METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


class ProblemKind(BaseModel):
    """A kind of problem: what its `type` leads to."""

    code: str = Field(examples=["conflict"])
    status: int
    title: str
    description: str = Field(description="What has happened and what to do.")


KINDS = (
    *(
        ProblemKind(code=error.code, status=error.status, title=error.title, description=error.__doc__ or "")
        for error in ArenaError.__subclasses__()
    ),
    ProblemKind(
        code="unreadable",
        status=400,
        title="Not readable",
        description="The body cannot be read; send what its Content-Type says.",
    ),
    ProblemKind(
        code="method-not-allowed",
        status=405,
        title="Not done here",
        description="The address does not take this method; the Allow header names those that it does.",
    ),
    ProblemKind(
        code=ArenaError.code,
        status=500,
        title=ArenaError.title,
        description="The arena failed; nothing was changed, and the log tells its staff why.",
    ),
)
BY_STATUS = {kind.status: kind for kind in KINDS}


class FieldFault(BaseModel):
    """One part of a request that cannot be used."""

    where: str = Field(description="The part, as in `body.time.move_ms` or `query.limit`.")
    message: str = Field(description="What is wrong with it.")


class Problem(BaseModel):
    """What was wrong with a request, and what to do."""

    type: str = Field(
        description="The kind of problem, by an address that describes it.", examples=[f"{TYPES}conflict"]
    )
    title: str = Field(description="The kind of problem in words.", examples=["Conflict"])
    status: int = Field(description="The HTTP status.", examples=[409])
    detail: str = Field(description="What was wrong in this case, and what to do.")
    instance: str = Field(description="The path that was asked for.", examples=["/api/v1/tournaments/spring"])
    errors: list[FieldFault] | None = Field(
        default=None, description="The faulty parts of an invalid request."
    )
    retry_seconds: int | None = Field(
        default=None, description="After so many seconds it may be asked again, as `Retry-After` says."
    )


class ProblemResponse(Response):
    """A problem on its way out. Only ASCII is written, so that no text of a request can break it."""

    def __init__(self, problem: Problem, status: int, headers: Mapping[str, str]) -> None:
        content = json.dumps(problem.model_dump(exclude_none=True), ensure_ascii=True)
        super().__init__(content, status, headers, MEDIA_TYPE)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that can end in problems of these statuses."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": HTTPStatus(status).phrase, "content": content} for status in statuses}


def field_faults(error: RequestValidationError) -> list[FieldFault]:
    """The first faulty parts of a request, in the words of whoever refused them."""
    return [
        FieldFault(
            where=".".join(str(part)[:80] for part in fault["loc"][:MAX_STEPS]),
            message=_shortened(fault["msg"].removeprefix("Value error, ")),
        )
        for fault in error.errors()[:MAX_FAULTS]
    ]


def _shortened(message: str, most: int = MAX_CHARS) -> str:
    return message if len(message) <= most else f"{message[: most - 1]}…"


def _methods(app: FastAPI, request: Request) -> list[str]:
    """All methods that the path of `request` takes, by whichever route; HEAD wherever there is GET."""
    scope = {**request.scope, "root_path": request.scope.get("app_root_path", "")}  # a mount has its own
    taken = [
        method
        for method in METHODS
        if any(
            route.matches({**scope, "method": method})[0] is Match.FULL
            for route in app.routes
            if method == "GET" or not isinstance(route, Mount)
        )
    ]
    return [*taken, "HEAD"] if "GET" in taken else taken


def _answering(elsewhere: Callable[[Request, Problem], Response]) -> Callable[..., Response]:
    """What answers with a status: under `/api/` with a problem, otherwise with `elsewhere`."""

    def answer(
        request: Request,
        status: int,
        detail: str,
        headers: Mapping[str, str] | None = None,
        errors: list[FieldFault] | None = None,
    ) -> Response:
        headers = dict(headers or {})
        if status == 503:
            headers["Retry-After"] = str(RETRY_SECONDS)
        if status == TooManyError.status:
            headers["Cache-Control"] = "no-store"  # what one has used up is told to nobody else
        retry = int(headers["Retry-After"]) if "Retry-After" in headers else None
        kind = BY_STATUS.get(status)
        problem = Problem(
            type=TYPES + kind.code if kind else "about:blank",
            title=kind.title if kind else HTTPStatus(status).phrase,
            status=status,
            detail=_shortened(detail, MAX_DETAIL_CHARS),
            instance=request.url.path,
            errors=errors,
            retry_seconds=retry,
        )
        if request.url.path.startswith("/api/"):
            return ProblemResponse(problem, status, headers)
        response = elsewhere(request, problem)
        response.headers.update(headers)
        return response

    return answer


def install(app: FastAPI, elsewhere: Callable[[Request, Problem], Response]) -> None:
    """Let `app` answer every error under `/api/` with a problem, and every other one with `elsewhere`."""
    answer = _answering(elsewhere)

    @app.exception_handler(ArenaError)
    async def arena_error(request: Request, error: ArenaError) -> Response:
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
        if isinstance(error, PendingError | TooManyError):
            headers["Retry-After"] = str(error.retry_seconds)
        return answer(request, error.status, str(error), headers)

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        plain = error.detail == HTTPStatus(error.status_code).phrase or error.status_code == 400
        kind = BY_STATUS.get(error.status_code)
        detail = kind.description if plain and kind else error.detail
        headers = {"Allow": ", ".join(_methods(app, request))} if error.status_code == 405 else error.headers
        return answer(request, error.status_code, detail, headers)

    @app.exception_handler(RequestValidationError)
    def invalid_request(request: Request, error: RequestValidationError) -> Response:
        faults = field_faults(error)
        detail = "; ".join(f"{fault.where}: {fault.message}" for fault in faults[:5])
        return answer(request, 422, detail, errors=faults)

    @app.exception_handler(IntegrityError)
    @app.exception_handler(StaleDataError)
    def lost_race(request: Request, _error: SQLAlchemyError) -> Response:
        detail = "somebody else changed the same thing at the same time; look again and repeat if need be"
        return answer(request, 409, detail)

    _install_failures(app, answer)

    @app.exception_handler(Exception)
    def our_fault(request: Request, _error: Exception) -> Response:
        return answer(request, 500, BY_STATUS[500].description)


def _install_failures(app: FastAPI, answer: Callable[[Request, int, str], Response]) -> None:
    """Let `app` answer where a part that it stands on does not do its work."""

    @app.exception_handler(DBAPIError)
    @app.exception_handler(NoConnectionError)
    def no_database(request: Request, error: SQLAlchemyError) -> Response:
        if (failure := failure_of(error)) is None:
            raise error
        return answer(request, 503, WORDS[failure])

    @app.exception_handler(OSError)
    def no_room(request: Request, error: OSError) -> Response:
        if error.errno not in NO_ROOM:
            raise error
        return answer(request, 503, "a disk of the arena is full; nothing can be written until there is room")
