"""Requests are told apart by their routes, and no stranger's paths are kept."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from structlog.contextvars import get_contextvars

from arena.web.http import telemetry
from arena.web.http.telemetry import HEADER, Observed, Routed, Telemetry


class Measured:
    """An application that answers with a status, and what is measured of it."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.telemetry = Telemetry()
        self.observed = Observed(self._outer, self.telemetry)
        self.kept: set[str] = set()

    def ask(self, path: str, method: str = "GET") -> None:
        """Ask for a path."""
        headers = [(HEADER.lower().encode(), b"mine")]
        asyncio.run(self.observed(_scope(path, method, headers), _nothing, _away))

    def counted(self, route: str, method: str = "GET") -> float:
        """How many answers have been counted with a route."""
        labels = {"method": method, "route": route, "status": f"{self.status // 100}xx"}
        return self.telemetry.registry.get_sample_value("arena_api_request_seconds_count", labels) or 0

    async def _outer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in self.kept:
            await self._start(send)
        else:
            await Routed(self._inner, self.telemetry)({**scope}, receive, send)

    async def _inner(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        if self.status == 500:
            raise ValueError("broken")
        scope["route"] = SimpleNamespace(path="/x/{name}")
        await self._start(send)

    async def _start(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status, "headers": []})


def _scope(path: str, method: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    return {"type": "http", "path": path, "method": method, "headers": headers}


async def _nothing() -> Message:
    return {"type": "http.request"}


async def _away(_message: Message) -> None:
    """Nobody is answered."""


def test_what_is_told_again_counts_for_its_route() -> None:
    """Once it was answered by that; each other request counts for its own, and is not remembered."""
    measured = Measured()
    measured.ask("/x/one")
    measured.kept.add("/x/one")
    measured.ask("/x/one")
    assert measured.counted("/x/{name}") == 2
    measured.ask("/x/two", "POST")
    assert measured.counted("/x/{name}", "POST") == 1
    assert list(measured.telemetry._routes) == ["/x/one"]


@pytest.mark.parametrize(("status", "path"), [(404, "/x/guessed"), (200, "/x/" + "long" * 100)])
def test_paths_that_anybody_can_make_up_are_not_kept(status: int, path: str) -> None:
    """They count for their route, and push nothing out."""
    measured = Measured(status)
    measured.ask(path)
    assert measured.counted("/x/{name}") == 1
    assert not measured.telemetry._routes


def test_no_more_paths_are_kept_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are learned anew."""
    monkeypatch.setattr(telemetry, "MAX_PATHS", 10)
    measured = Measured()
    for number in range(25):
        measured.ask(f"/x/{number}")
    assert len(measured.telemetry._routes) <= 10


def test_who_logs_what_failed_knows_the_requests_name() -> None:
    """The server does, after the application has ended."""

    async def logged() -> str:
        with pytest.raises(ValueError, match="broken"):
            await Measured(500).observed(
                _scope("/x/one", "GET", [(HEADER.lower().encode(), b"mine")]), _nothing, _away
            )
        return str(get_contextvars().get("request"))

    assert asyncio.run(logged()) == "mine"
