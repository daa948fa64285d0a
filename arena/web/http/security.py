"""Headers that keep an answer from loading, sending or being framed by anything that is not ours, or kept."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; object-src 'none'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


FRAMED = {
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace("ancestors 'none'", "ancestors *")
}


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


_USUAL, _FRAMED = _raw(HEADERS), _raw(HEADERS | FRAMED)


class Security:
    """Adds those of `HEADERS` that an answer lacks; what is `private`, or for a token, nobody may keep.

    What is `framed` may be shown within pages of others, and nothing else.
    """

    def __init__(self, app: ASGIApp, private: Callable[[str], bool], framed: Callable[[str], bool]) -> None:
        self.app = app
        self._private = private
        self._framed = framed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and complete the answer's headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        alone = self._private(scope["path"]) or any(name == b"authorization" for name, _ in scope["headers"])

        added = _FRAMED if self._framed(scope["path"]) else _USUAL

        async def completing(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                ours = [each for each in added if each[0] not in own]
                message = {**message, "headers": [*message["headers"], *ours]}
                if alone:
                    MutableHeaders(scope=message)["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, completing)
