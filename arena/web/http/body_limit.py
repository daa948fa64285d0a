"""Limits on the size of request bodies, which hold whatever the client claims, and on the time they take."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.core.errors import UnavailableError
from arena.web.http.admission import Lane

STRANGERS_BYTES = 16 * 1024
"""Nobody is asked who they are who sends no more: so much have forms that are for everybody."""
SMALL_BYTES = 64 * 1024
"""What has no more is read beside any number of others."""
CARRIERS = 16
"""So many larger bodies are read at once."""
PATIENCE_SECONDS = 20.0
MIN_BYTES_A_SECOND = 16 * 1024
"""Somebody's bytes are waited for so long, and as much longer as those that came would take at this rate."""
FAIR_SECONDS = 3.0
FAIR_BYTES_A_SECOND = 64 * 1024
"""Whose bytes were waited for so long and came more slowly has no place that somebody else waits for."""
PRESSING_SECONDS = 1.0
"""So often who waits for a place has the slowest give way."""


class BodyLimit:
    """Refuses with 413 what is longer than `limits` says of its path and type, announced or read.

    So it does what has more than `STRANGERS_BYTES` and is of somebody of whom `is_known` says no, where that
    does not refuse them in its own words. What comes too slowly is refused with 408. Of larger bodies only
    some are read at a time; the others wait, and the slowest of those that are slow gives way to them.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: Callable[[str, str], int],
        is_known: Callable[[Scope], Awaitable[bool]],
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self.app = app
        self.limits = limits
        self._is_known = is_known
        self._patience_seconds = patience_seconds
        self._places = _Places()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting what is read of its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        announced, kind = headers.get("content-length", ""), headers.get("content-type", "")
        size = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 20 else 0
        async with AsyncExitStack() as held:
            limit, is_known = self.limits(scope["path"], kind), partial(self._is_known, scope)
            body = _Body(receive, size, limit, is_known, self._patience_seconds)
            await self.app(scope, lambda: body.read(self._places, held), send)


class _Places:
    """Where larger bodies are read, and which those are."""

    def __init__(self) -> None:
        self._lane = Lane(CARRIERS)
        self._bodies: set[_Body] = set()

    @asynccontextmanager
    async def place(self, body: _Body) -> AsyncIterator[None]:
        """A place, for as long as the context lasts.

        Raises:
            UnavailableError: too many wait already, or it took too long.
        """
        async with AsyncExitStack() as held:
            pressing = asyncio.create_task(self._press())
            try:
                await held.enter_async_context(self._lane.slot())
            finally:
                pressing.cancel()
            self._bodies.add(body)
            held.callback(self._bodies.discard, body)
            yield

    async def _press(self) -> None:
        while True:
            await asyncio.sleep(PRESSING_SECONDS)
            slow = [body for body in self._bodies if body.is_slow()]
            if slow:
                min(slow, key=_Body.bytes_a_second).give_way()


class _Body:
    """A body that is being read: how much of it has come, and how long it was waited for."""

    def __init__(
        self,
        receive: Receive,
        size: int,
        limit: int,
        is_known: Callable[[], Awaitable[bool]],
        patience_seconds: float,
    ) -> None:
        self._receive, self._size, self._limit = receive, size, limit
        self._is_known, self._may_be_large = is_known, False
        self._patience_seconds = patience_seconds
        self._seen, self._waited, self._is_carried, self._is_there = 0, 0.0, False, False
        self._least, self._since = MIN_BYTES_A_SECOND, 0.0
        self._waiting: asyncio.Timeout | None = None

    async def read(self, places: _Places, held: AsyncExitStack) -> Message:
        """The next piece, or whatever comes when all are there; `held` is the place that it needs until then.

        Raises:
            HTTPException: the body is too large or too slow, or too many others are being read.
        """
        if self._is_there:
            return await self._receive()
        goes_on = False
        try:
            message = await self._piece(places, held)
            goes_on = not self._is_there
        finally:
            if not goes_on:
                await held.aclose()
        return message

    def bytes_a_second(self) -> float:
        """How fast they come, of the time in which they were waited for."""
        return self._seen / max(self._waited_seconds(), 1e-9)

    def is_slow(self) -> bool:
        """Whether it is waited for, has been for a while, and comes more slowly than is fair to others."""
        waits = self._waiting is not None and not self._waiting.expired()
        late = self._waited_seconds() >= FAIR_SECONDS
        return waits and late and self.bytes_a_second() < FAIR_BYTES_A_SECOND

    def give_way(self) -> None:
        """Be waited for no more."""
        if self._waiting is not None:
            self._least = FAIR_BYTES_A_SECOND
            self._waiting.reschedule(asyncio.get_running_loop().time())

    def _waited_seconds(self) -> float:
        now = asyncio.get_running_loop().time()
        return self._waited + (now - self._since if self._waiting is not None else 0.0)

    async def _piece(self, places: _Places, held: AsyncExitStack) -> Message:
        await self._allow(self._size)
        if max(self._size, self._seen) > SMALL_BYTES and not self._is_carried:
            await self._be_carried(places, held)
        message = await self._next()
        self._seen += len(message.get("body", b""))
        await self._allow(self._seen)
        self._is_there = not message.get("more_body", False)
        return message

    async def _allow(self, size: int) -> None:
        if size > self._limit:
            raise _too_large(self._limit)
        if size > STRANGERS_BYTES and not self._may_be_large:
            if not await self._is_known():
                raise _too_large(STRANGERS_BYTES)
            self._may_be_large = True

    async def _be_carried(self, places: _Places, held: AsyncExitStack) -> None:
        try:
            await held.enter_async_context(places.place(self))
        except UnavailableError as error:
            raise HTTPException(503, str(error)) from None
        self._is_carried = True

    async def _next(self) -> Message:
        self._since = asyncio.get_running_loop().time()
        left = self._patience_seconds + self._seen / MIN_BYTES_A_SECOND - self._waited
        try:
            async with asyncio.timeout(left) as self._waiting:
                return await self._receive()
        except TimeoutError:
            raise HTTPException(
                408,
                f"the body came too slowly; send at least {self._least // 1024} KiB a second",
                {"Connection": "close"},
            ) from None
        finally:
            self._waited = self._waited_seconds()
            self._waiting = None


def _too_large(limit: int) -> HTTPException:
    return HTTPException(413, f"the body is too large; at most {limit} bytes are taken")
