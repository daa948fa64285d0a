"""Routes whose answers cost much: what is asked of them goes to the calculators."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable
from http import HTTPStatus
from typing import ClassVar

from anyio import to_thread
from fastapi import HTTPException, Request
from fastapi.routing import APIRoute
from fastapi.security.utils import get_authorization_scheme_param
from starlette.datastructures import MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from arena.access import permissions
from arena.core.errors import AuthRequiredError, ForbiddenError
from arena.people import users
from arena.people.attempts import network_of
from arena.web.http import freezing
from arena.web.http.answer_cache import Answer
from arena.web.http.costly import Caller, Costly, Order, Question
from arena.web.http.dependencies import NO_TOKEN, SAFE_METHODS, TROUBLES, Services, address_of, get_services
from arena.web.http.responses import is_known

WHOLE_BYTES = 2**20
"""What has no more is sent at once, and does not count among the downloads."""
PASSED_ON = ("type", "asgi", "http_version", "method", "scheme", "server", "path", "raw_path", "root_path")
HEADERS_PASSED_ON = {b"host", b"accept-language", b"content-type"}
MAX_ASKED_BYTES = 64 * 1024
"""A question has no more in its body, which is kept with its answer."""
LANGUAGE_COOKIE = "lang"
"""The one cookie that is passed on: a calculator needs to know of no session."""
MAX_AGE = re.compile(r"(?:^|[ ,])max-age=([0-9]{1,6})(?:$|[ ,])")


class CostlyRoute(APIRoute):
    """A route whose answers are worked out by the calculators, and kept.

    `personal` ones depend on who asks; the others show everybody the same, whatever token comes along.
    """

    personal: ClassVar[bool] = False

    @classmethod
    def is_costly(cls, request: Request) -> bool:
        """Whether what is asked for costs much; else it is answered like everything."""
        return request.method in SAFE_METHODS

    def is_long(self, request: Request) -> bool:
        """Whether what is asked for may keep a calculator for minutes."""
        del request
        return False

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to read; everything is as usual within a calculator itself."""
        request = Request(scope, receive)
        services = get_services(request)
        if services.costly is None or not self.is_costly(request):
            await super().handle(scope, receive, send)
            return
        question = await self._question(services, services.costly, request)
        answer = await services.costly.answer(question)
        await _send(services, answer, request, send)

    async def _question(self, services: Services, costly: Costly, request: Request) -> Question:
        caller, rights, sees_more = await self._caller(services, request)
        personal = self.personal or sees_more
        asker = (request.headers.get("authorization"), rights) if personal else None
        scope = {name: request.scope[name] for name in PASSED_ON if name in request.scope}
        scope[TROUBLES] = services.watch.troubles
        scope["query_string"] = request.scope["query_string"]
        scope["headers"] = self._headers(request, personal=personal)
        body = b"" if request.method in SAFE_METHODS else await _body_of(request)
        return Question(
            key=(asker, costly.depends_on(request.scope), request.headers.get("content-type"), body),
            scope=scope,
            caller=caller,
            long=self.is_long(request),
            most_age=_most_age(request),
            body=body,
        )

    @staticmethod
    def _headers(request: Request, *, personal: bool) -> list[tuple[bytes, bytes]]:
        """What of a request's headers an answer may depend on."""
        passed_on = HEADERS_PASSED_ON | ({b"authorization"} if personal else set())
        headers = [each for each in request.scope["headers"] if each[0] in passed_on]
        language = request.cookies.get(LANGUAGE_COOKIE, "")
        if language.isascii() and language.replace("-", "").isalnum():
            headers.append((b"cookie", f"{LANGUAGE_COOKIE}={language}".encode()))
        return headers

    async def _caller(self, services: Services, request: Request) -> tuple[Caller, Hashable, bool]:
        """Who asks, and what decides what they may see; None of who has no account.

        Last, whether that is more of a frozen tournament than everybody sees.

        Raises:
            AuthRequiredError: the answer depends on that, and no token that is known was shown.
            ForbiddenError: it does, and the token is not good for reading.
        """
        shown = request.headers.get("authorization")
        scheme, token = get_authorization_scheme_param(shown)
        if scheme.lower() == "bearer" and token:
            try:
                async with services.reading.slot():
                    return await to_thread.run_sync(_user_of, services, request, token)
            except (AuthRequiredError, ForbiddenError):
                if self.personal:
                    raise
        elif shown is not None and self.personal:
            raise AuthRequiredError(NO_TOKEN)
        return Caller(network_of(address_of(request)), known=False), None, False


class PersonalRoute(CostlyRoute):
    """One whose answers depend on who asks."""

    personal = True


class AskingRoute(PersonalRoute):
    """One whose question is in the body of a POST, which changes nothing."""

    @classmethod
    def is_costly(cls, request: Request) -> bool:
        """Whether it is asked."""
        return request.method == "POST"


class PublicExportRoute(CostlyRoute):
    """One that tells everything there is, and everybody the same."""

    def is_long(self, request: Request) -> bool:
        """It always may."""
        del request
        return True


class ExportRoute(PublicExportRoute):
    """One whose answers depend on who asks."""

    personal = True


def _user_of(services: Services, request: Request, token: str) -> tuple[Caller, Hashable, bool]:
    with services.database.reading() as session:
        user = users.authenticate(session, token)
        sees_more = freezing.sees_more(request, session)
        return Caller(user.name, known=True), permissions.rights_of(user), sees_more


async def _body_of(request: Request) -> bytes:
    """The body of a question.

    Raises:
        HTTPException: it is too long.
    """
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_ASKED_BYTES:
            raise HTTPException(413, f"the body is too large; at most {MAX_ASKED_BYTES} bytes are taken here")
    return body


def _most_age(request: Request) -> float | None:
    """How old an answer may be that is told to a program; browsers say that of themselves, for every page."""
    said = MAX_AGE.search(request.headers.get("cache-control", ""))
    return float(said[1]) if said and request.url.path.startswith("/api/") else None


async def _send(services: Services, order: Order, request: Request, send: Send) -> None:
    """Send an answer, or that the reader has it."""
    assert order.start is not None  # noqa: S101  (it has begun, or there would be an error)
    status, headers = order.start.status, list(order.start.headers)
    if services.costly is not None and not await services.costly.is_true(order):
        headers.append((b"age", str(services.costly.age(order)).encode()))
    if order.ended.is_set() and order.size <= WHOLE_BYTES:
        body = await to_thread.run_sync(os.pread, order.fd, order.size, 0)
        answer = Answer(status, tuple(headers), body)
        known = status == HTTPStatus.OK and is_known(request.headers.get("if-none-match", ""), answer.etag)
        await (answer.without_body() if known else answer).send(send)
        return
    start: Message = {"type": "http.response.start", "status": status, "headers": headers}
    if order.ended.is_set():
        MutableHeaders(scope=start).setdefault("content-length", str(order.size))
    await services.downloads.send(order, start, request.scope, request.receive, send)
