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

from arena.core.errors import ArenaError, InvalidError, NotFoundError
from arena.web.http.json_bounds import ZERO

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

Refuse = Callable[[Request, ArenaError], Awaitable[Response]]


class PlainAddresses:
    """Answers with `refuse` where a path has a control character, or what stands after it has NUL."""

    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self.app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its address has one."""
        error: ArenaError
        if scope["type"] == "http" and CONTROL.search(scope["path"]):
            error = NotFoundError("there is nothing at an address with a control character")
        elif scope["type"] == "http" and ZERO in scope["query_string"]:
            error = InvalidError("what stands after the “?” has a character that no text has: NUL")
        else:
            await self.app(scope, receive, send)
            return
        await (await self._refuse(Request(scope), error))(scope, receive, send)
