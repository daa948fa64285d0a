"""Where there is https, http is for this machine: others are led on, or told so, before anything is read."""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.core.addresses import url_of
from arena.core.errors import ForbiddenError
from arena.web.http.dependencies import is_secret
from arena.web.http.problems import TYPES, Problem, ProblemResponse

CA_PATH = "/ca.crt"
"""The certificate of the arena's own authority, by which what comes by https is believed."""


class HttpsOnly:
    """Leads readers who came by http over a network to `port`; tokens and what changes something are refused.

    A program that sends its token by http would not notice if it were only led on.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app = app
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what came by https, from this machine, or asks for the certificate."""
        if scope["type"] != "http" or scope["path"] == CA_PATH or is_secret(Request(scope)):
            await self.app(scope, receive, send)
            return
        await self._elsewhere(Request(scope))(scope, receive, send)

    def _elsewhere(self, request: Request) -> Response:
        address = url_of("https", request.url.hostname or "localhost", self._port) + request.url.path
        reads = request.method in {"GET", "HEAD"} and "authorization" not in request.headers
        if reads and not request.url.path.startswith("/api/"):
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(address + query, 307, {"Cache-Control": "no-store"})
        detail = f"this arena is reached by https, as others can read what is sent by http; use {address}"
        problem = Problem(
            type=TYPES + ForbiddenError.code,
            title=ForbiddenError.title,
            status=ForbiddenError.status,
            detail=detail,
            instance=request.url.path,
        )
        return ProblemResponse(problem, problem.status, {"Cache-Control": "no-store"})
