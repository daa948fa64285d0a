"""How often an address, and who shows a token or a session, may ask: what is kept for others is not counted.

The counts are this process's own, so that counting waits for nobody, and nothing that is away lets everybody
in or keeps everybody out. Several processes of the API allow as many times as much.
"""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.core.errors import TooManyError
from arena.core.settings import Settings
from arena.people.attempts import network_of
from arena.people.secret import digest
from arena.web.http.dependencies import SAFE_METHODS, address_of
from arena.web.http.web_sessions import SESSION

MINUTE = 60.0
MAX_KEPT = 20_000

Refuse = Callable[[Request, TooManyError], Awaitable[Response]]


class Rates:
    """Who has asked how often: a minute's worth at once, and then as it comes back.

    Of each it keeps the one moment at which all will have come back (the generic cell rate algorithm).
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def take(self, wishes: Mapping[str, int]) -> float:
        """Count a request of each of these, who may have so many a minute; or how long it has to wait.

        Where one has to wait nothing is counted; 0 a minute are as many as one likes.
        """
        now = self._clock()
        bounded = {key: MINUTE / often for key, often in wishes.items() if often}
        untils = {key: max(now, self._until.get(key, now)) + pause for key, pause in bounded.items()}
        wait = max((until - now - MINUTE for until in untils.values()), default=0.0)
        if wait > 1e-9:
            return wait
        for key, until in untils.items():
            self._until.pop(key, None)
            self._until[key] = until  # the last in order has asked last
        if len(self._until) > MAX_KEPT:
            self._forget(now)
        return 0.0

    def _forget(self, now: float) -> None:
        """Forget to whom all has come back, and if that is not a tenth, who has not asked for longest."""
        kept = [(key, until) for key, until in self._until.items() if until > now]
        self._until = dict(kept[-MAX_KEPT * 9 // 10 :])


class RateLimit:
    """Answers with `refuse` who asks more often than the settings allow."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        uncounted: tuple[str, ...],
        refuse: Refuse,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self._uncounted = uncounted
        self._refuse = refuse
        self._rates = Rates(clock)
        self._reading = settings.rate_reads, settings.rate_address_reads
        self._writing = settings.rate_writes, settings.rate_address_writes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless there were too many."""
        if scope["type"] != "http" or scope["path"].startswith(self._uncounted):
            await self.app(scope, receive, send)
            return
        reads = scope["method"] in SAFE_METHODS
        of_one, of_address = self._reading if reads else self._writing
        kind, request = "r" if reads else "w", Request(scope)
        wishes = {f"{kind} {network_of(address_of(request))}": of_address}
        if secret := request.headers.get("authorization") or SESSION.shown(request):
            wishes[f"{kind} {digest(secret)}"] = of_one
        wait = self._rates.take(wishes)
        if not wait:
            await self.app(scope, receive, send)
            return
        seconds = math.ceil(wait)
        error = TooManyError(
            "you have asked as often as anybody may; go on in %(seconds)s s", seconds, seconds=seconds
        )
        await (await self._refuse(request, error))(scope, receive, send)
