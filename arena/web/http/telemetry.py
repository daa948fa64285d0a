"""What this process measures of its answers, and the name by which each request is found in the logs."""

from __future__ import annotations

import re
import secrets
import time
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from workers.core import tracing

HEADER = "X-Request-ID"
GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""What a proxy may call a request; another name is replaced."""
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
API = "/api/v1"
"""The routes of the API do not tell that they stand below it."""
STATIC = "/static/"
NO_ROUTE = "none"
MAX_PATHS, MAX_PATH_CHARS = 4096, 300
"""Of what may be told again without a route."""
_CAME_TO = "arena.came_to"
"""Where the scope of a request is told its route, from within."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Telemetry:
    """The figures of one process of the API. Requests are told apart by routes, never by paths."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._seconds = Histogram(
            "arena_api_request_seconds",
            "How long it took until answers began, in this process of the API.",
            ("method", "route", "status"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._routes: dict[str, str] = {}

    def learn(self, scope: Scope, status: int) -> None:
        """Remember which route a request came to, and its path: what is told again comes to none."""
        route, path = scope.get("route"), scope["path"]
        if route is None:
            return
        name = f"{API if path.startswith(API) else ''}{route.path}"
        scope.get(_CAME_TO, []).append(name)
        if scope["method"] != "GET" or status != HTTPStatus.OK or len(path) > MAX_PATH_CHARS:
            return
        if len(self._routes) >= MAX_PATHS:
            self._routes.clear()
        self._routes[path] = name

    def observe(self, scope: Scope, status: int, seconds: float, name: str) -> None:
        """Count an answer that began after so many seconds, and tell it in a trace, by its request's name."""
        method = scope["method"] if scope["method"] in METHODS else "other"
        path = scope["path"]
        came_to = scope.get(_CAME_TO) or [self._routes.get(path, NO_ROUTE)]
        route = STATIC if path.startswith(STATIC) else came_to[-1]
        self._seconds.labels(method, route, f"{status // 100}xx").observe(seconds)
        tracing.tell(
            f"{method} {route}",
            time.time_ns() - round(seconds * 1e9),
            {
                "http.request.method": method,
                "http.route": route,
                "http.response.status_code": status,
                "request": name,
            },
            kind="server",
            failed=str(status) if status >= HTTPStatus.INTERNAL_SERVER_ERROR else None,
        )


class Routed:
    """Innermost: learns from what the application does with a request which route it came to."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self.app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and look where it went before its answer begins, or as it fails."""

        async def looking(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._telemetry.learn(scope, message["status"])
            await send(message)

        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            await self.app(scope, receive, looking)
        except Exception:
            self._telemetry.learn(scope, HTTPStatus.INTERNAL_SERVER_ERROR)
            raise


class Observed:
    """Outermost: names each request, in its answer and in what is logged meanwhile, and measures it."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self.app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; its name is the one that a proxy gave it, or a new one."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        name = given if GIVEN.fullmatch(given) else secrets.token_hex(8)
        began = time.perf_counter()
        scope[_CAME_TO] = []

        async def naming(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": list(message["headers"])}
                MutableHeaders(scope=message)[HEADER] = name
                self._telemetry.observe(scope, message["status"], time.perf_counter() - began, name)
            await send(message)

        bind_contextvars(request=name)  # for the rest of the task, where the server logs what has failed
        await self.app(scope, receive, naming)
