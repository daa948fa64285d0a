"""A limit on the size of request bodies that holds whatever the client claims."""

from __future__ import annotations

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """Refuses bodies over `limit` bytes with 413: by their announced length, else while they are read."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting what is read of its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        size = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 20 else 0
        seen = 0

        async def counting() -> Message:
            nonlocal seen
            if size > self.limit:
                raise self._too_large()
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.limit:
                raise self._too_large()
            return message

        await self.app(scope, counting, send)

    def _too_large(self) -> HTTPException:
        return HTTPException(413, f"the body is too large; at most {self.limit} bytes are taken")
