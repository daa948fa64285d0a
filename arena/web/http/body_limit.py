"""A limit on the size of request bodies that holds whatever the client claims."""

from __future__ import annotations

import re

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """Refuses bodies over `limit` bytes with 413: by their announced length, else while they are read.

    To addresses that `batches` matches whole more may be sent.
    """

    def __init__(self, app: ASGIApp, limit: int, of_batches: int, batches: re.Pattern[str]) -> None:
        self.app = app
        self.limit = limit
        self.of_batches = of_batches
        self.batches = batches

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting what is read of its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        size = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 20 else 0
        seen, limit = 0, self.of_batches if self.batches.fullmatch(scope["path"]) else self.limit

        async def counting() -> Message:
            nonlocal seen
            if size > limit:
                raise _too_large(limit)
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise _too_large(limit)
            return message

        await self.app(scope, counting, send)


def _too_large(limit: int) -> HTTPException:
    return HTTPException(413, f"the body is too large; at most {limit} bytes are taken")
