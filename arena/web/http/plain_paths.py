"""No address has a control character: what is decided by its text would be another thing than its route.

A route matches before a line's end that stands last in a path; an expression that tells from the path what is
frozen, or may be shared, need not.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.core.errors import NotFoundError

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

Refuse = Callable[[Request, NotFoundError], Awaitable[Response]]


class PlainPaths:
    """Answers with `refuse` where a path has a control character."""

    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self.app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its path has one."""
        if scope["type"] != "http" or not CONTROL.search(scope["path"]):
            await self.app(scope, receive, send)
            return
        error = NotFoundError("there is nothing at an address with a control character")
        await (await self._refuse(Request(scope), error))(scope, receive, send)
