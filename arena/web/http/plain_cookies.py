"""No cookie of ours is quoted: those that are never come to who would take the quotation apart.

`http.cookies` of Python before 3.11.10 and 3.12.6 does that in quadratic time, for each request anew
(CVE-2024-7592): one header of 60 KiB would keep everybody waiting for half a minute.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = b"cookie"


class PlainCookies:
    """Passes requests on without cookies that are quoted, which another site of the host may have set."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the others."""
        if scope["type"] == "http":
            plain = [(name, _plain(value) if name == COOKIE else value) for name, value in scope["headers"]]
            scope = {**scope, "headers": plain}
        await self.app(scope, receive, send)


def _plain(cookies: bytes) -> bytes:
    return b";".join(each for each in cookies.split(b";") if b'"' not in each)
