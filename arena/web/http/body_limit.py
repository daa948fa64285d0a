"""A limit on the size of request bodies that holds whatever the client claims."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """Refuses with 413 what is longer than `limits` says of its path, announced or read."""

    def __init__(self, app: ASGIApp, limits: Callable[[str], int]) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting what is read of its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        size = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 20 else 0
        seen, limit = 0, self.limits(scope["path"])

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
