"""HEAD wherever there is GET."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ASKED = "arena.head"


def is_head(scope: Scope) -> bool:
    """Whether only the headers of an answer are asked for, which an answer without an end must know."""
    return _ASKED in scope


class Head:
    """Answers HEAD as GET, with the same status and headers and without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; of the answer to HEAD, drop the body."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def dropping(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app({**scope, "method": "GET", _ASKED: True}, receive, dropping)
