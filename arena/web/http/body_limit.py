"""Limits on the size of request bodies, which hold whatever the client claims, and on the time they take."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.core.errors import UnavailableError
from arena.web.http.admission import Lane

SMALL_BYTES = 64 * 1024
"""What has no more is read beside any number of others."""
CARRIERS = 16
"""So many larger bodies are read at once."""
PATIENCE_SECONDS = 20.0
LEAST_BYTES_A_SECOND = 16 * 1024
"""Somebody's bytes are waited for so long, and as much longer as those that came would take at this rate."""


class BodyLimit:
    """Refuses with 413 what is longer than `limits` says of its path and type, announced or read.

    What comes too slowly is refused with 408. Of larger bodies only some are read at a time, the others wait.
    """

    def __init__(
        self, app: ASGIApp, limits: Callable[[str, str], int], patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self.app = app
        self.limits = limits
        self._patience_seconds = patience_seconds
        self._carrying = Lane(CARRIERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting what is read of its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        announced, kind = headers.get("content-length", ""), headers.get("content-type", "")
        size = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 20 else 0
        async with AsyncExitStack() as held:
            body = _Body(receive, size, self.limits(scope["path"], kind), self._patience_seconds)
            await self.app(scope, lambda: body.read(self._carrying, held), send)


class _Body:
    """A body that is being read: how much of it has come, and how long it was waited for."""

    def __init__(self, receive: Receive, size: int, limit: int, patience_seconds: float) -> None:
        self._receive, self._size, self._limit = receive, size, limit
        self._patience_seconds = patience_seconds
        self._seen, self._waited, self._is_carried, self._is_there = 0, 0.0, False, False

    async def read(self, carrying: Lane, held: AsyncExitStack) -> Message:
        """The next piece, or whatever comes when all are there.

        Raises:
            HTTPException: the body is too large or too slow, or too many others are being read.
        """
        if self._is_there:
            return await self._receive()
        if self._size > self._limit:
            raise _too_large(self._limit)
        if max(self._size, self._seen) > SMALL_BYTES and not self._is_carried:
            await self._be_carried(carrying, held)
        message = await self._next()
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit:
            raise _too_large(self._limit)
        self._is_there = not message.get("more_body", False)
        return message

    async def _be_carried(self, carrying: Lane, held: AsyncExitStack) -> None:
        try:
            await held.enter_async_context(carrying.slot())
        except UnavailableError as error:
            raise HTTPException(503, str(error)) from None
        self._is_carried = True

    async def _next(self) -> Message:
        loop = asyncio.get_running_loop()
        began = loop.time()
        left = self._patience_seconds + self._seen / LEAST_BYTES_A_SECOND - self._waited
        try:
            async with asyncio.timeout(left):
                return await self._receive()
        except TimeoutError:
            raise HTTPException(
                408,
                f"the body came too slowly; send at least {LEAST_BYTES_A_SECOND // 1024} KiB a second",
                {"Connection": "close"},
            ) from None
        finally:
            self._waited += loop.time() - began


def _too_large(limit: int) -> HTTPException:
    return HTTPException(413, f"the body is too large; at most {limit} bytes are taken")
