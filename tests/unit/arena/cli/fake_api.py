"""An arena's API as a table of answers, behind httpx's mock transport."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.unit.arena.cli.conftest import Run

PREFIX = "/api/v1"
REAL_CLIENT = httpx.Client


class FakeApi:
    """Answers from `answers` (method and path to JSON value or response) and remembers what was asked."""

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], Any] = {}
        self.asked: list[httpx.Request] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        """The answer of the table, the next one where there is a list of them, else a 404 problem."""
        self.asked.append(request)
        answer = self.answers.get((request.method, request.url.path.removeprefix(PREFIX)))
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx.Response):
            return answer
        if answer is None:
            return problem(404, "there is nothing at this address")
        return httpx.Response(200, json=answer)

    def sent(self, index: int = -1) -> Any:
        """The JSON body of a request."""
        return json.loads(self.asked[index].content)


@pytest.fixture
def api(run: Run, monkeypatch: pytest.MonkeyPatch) -> FakeApi:
    """A fake arena that every client talks to, and a token for it."""
    del run  # it clears the environment first
    fake = FakeApi()

    def client(**options: Any) -> httpx.Client:
        return REAL_CLIENT(**options | {"transport": httpx.MockTransport(fake.handle)})

    monkeypatch.setattr("arena.client.http.httpx.Client", client)
    monkeypatch.setenv("ARENA_URL", "http://arena.test")
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    return fake


def problem(status: int, detail: str) -> httpx.Response:
    """A problem document."""
    return httpx.Response(status, json={"title": "Problem", "status": status, "detail": detail})


def tournament(state: str, finished: int = 0, pending: int = 0) -> dict[str, Any]:
    """A tournament as the API tells it."""
    return {
        "name": "spring",
        "state": state,
        "format": "round_robin",
        "game": {"name": "reversed_reversi"},
        "entries": 2,
        "matches": {"finished": finished, "pending": pending},
    }


LEADERBOARD: dict[str, Any] = {
    "tournament": "spring",
    "state": "finished",
    "played": 1,
    "matches": 1,
    "order": [{"name": "points", "rules": "this arena"}, {"name": "direct", "rules": "FIDE"}],
    "bracket": False,
    "means": [],
    "lot_seed": None,
    "items": [
        {"rank": 1, "bot": "ann", "owner": "team-1", "games": 1, "points": 1.0, "wins": 1, "draws": 0}
        | {"losses": 0, "forfeits": 0, "direct": None, "score_own": 20, "score_other": 44, "wall_ms": 1234}
        | {"byes": 0.0, "left_as": None, "tie_breaks": [1.0, None]}
    ],
}
