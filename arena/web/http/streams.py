"""Streams of server-sent events: answers that do not end, and hold neither a place nor a connection.

Who may see what is found out before; whoever showed a token is asked for it again after a while, by ending
the stream: programs come back by themselves, with the number of the last event that they had.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

import structlog
from fastapi import Header, Query
from sqlalchemy.exc import SQLAlchemyError
from sse_starlette import EventSourceResponse, ServerSentEvent
from sse_starlette.sse import SendTimeoutError
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from arena.core.errors import ArenaError, InvalidError
from arena.events import channels
from arena.events.channels import TooSlowError
from arena.events.feed import Feed
from arena.people.attempts import network_of
from arena.web.http.dependencies import address_of
from arena.web.http.head import is_head

PING_SECONDS = 15
STALLED_SECONDS = 30.0
"""A reader who takes nothing for so long is not waited for."""
TRUSTED_SECONDS = 600.0
"""So long a token that was shown is trusted."""
RETRY_MS = 2000
MAX_NUMBER = 2**63 - 1
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events; docs/events.md says which there are.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}

log = structlog.get_logger()


def after_asked(
    after: Annotated[
        int | None,
        Query(ge=0, le=MAX_NUMBER, description="Begin after the event of that number; without, now."),
    ] = None,
    last_event_id: Annotated[
        str | None, Header(description="The number of the last event that was read; it goes first.")
    ] = None,
) -> int | None:
    """The number of the event after which a stream begins; None where it begins now.

    Raises:
        InvalidError: what the reader says to have read last is no number of an event.
    """
    if last_event_id is None or not last_event_id.strip():
        return after
    text = last_event_id.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise InvalidError(f"Last-Event-ID is the number of an event of this arena, not {text[:50]!r}")
    return int(text)


class EventStream(EventSourceResponse):
    """What happens in a scope, after that number or from now on, until the reader goes."""

    def __init__(self, feed: Feed, scope: channels.Scope, after: int | None, *, trusted: bool) -> None:
        super().__init__(
            self._told(scope, after, TRUSTED_SECONDS if trusted else None),
            ping=PING_SECONDS,
            ping_message_factory=lambda: ServerSentEvent(comment="", sep="\n"),
            send_timeout=STALLED_SECONDS,
            headers={"Vary": "Authorization"},
        )
        self._feed = feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream; 503 where as many are being sent as can be."""
        if is_head(scope):
            await super().__call__({**scope, "method": "HEAD"}, receive, send)
            return
        complete = False

        async def sending(message: Message) -> None:
            nonlocal complete
            await send(message)
            complete = message["type"] == "http.response.body" and not message.get("more_body")

        with self._feed.follower(network_of(address_of(Request(scope)))):
            try:
                await super().__call__(scope, receive, sending)
            except SendTimeoutError:
                log.info("a stream was broken off: nobody takes it", path=scope["path"])
                return
        if not complete:  # the server is to stop
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _told(
        self, scope: channels.Scope, after: int | None, seconds: float | None
    ) -> AsyncIterator[bytes]:
        until = None if seconds is None else asyncio.get_running_loop().time() + seconds
        yield f"retry: {RETRY_MS}\n\n".encode()
        try:
            async for piece in self._feed.follow(scope, after, until):
                yield piece
        except TooSlowError:
            yield b": you read too slowly; come back with the last number\n\n"
        except (SQLAlchemyError, ArenaError) as error:
            log.warning("a stream was broken off", error=str(error))
            yield b": the arena has trouble; come back with the last number\n\n"
