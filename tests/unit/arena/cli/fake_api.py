"""An arena's API as a table of answers, behind httpx2's mock transport."""

from __future__ import annotations

import datetime as dt
import json
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin

import httpx2
import pytest
from pydantic import BaseModel

from arena.schemas.matches import MatchDetail, SeatOut
from arena.schemas.standings import Leaderboard, StandingOut
from arena.schemas.tournaments import TournamentOut
from tests.unit.arena.cli.conftest import Run

PREFIX = "/api/v1"
REAL_CLIENT = httpx2.Client


class FakeApi:
    """Answers from `answers` (method and path to JSON value or response) and remembers what was asked."""

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], Any] = {}
        self.asked: list[httpx2.Request] = []

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        """The answer of the table, the next one where there is a list of them, else a 404 problem."""
        self.asked.append(request)
        answer = self.answers.get((request.method, request.url.path.removeprefix(PREFIX)))
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx2.Response):
            return answer
        if answer is None:
            return problem(404, "there is nothing at this address")
        return httpx2.Response(200, json=answer)

    def sent(self, index: int = -1) -> Any:
        """The JSON body of a request."""
        return json.loads(self.asked[index].content)


@pytest.fixture
def api(run: Run, monkeypatch: pytest.MonkeyPatch) -> FakeApi:
    """A fake arena that every client talks to, and a token for it."""
    del run  # it clears the environment first
    fake = FakeApi()

    def client(**options: Any) -> httpx2.Client:
        return REAL_CLIENT(**options | {"transport": httpx2.MockTransport(fake.handle)})

    monkeypatch.setattr("arena.client.connection.httpx2.Client", client)
    monkeypatch.setenv("ARENA_URL", "http://arena.test")
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    return fake


def problem(status: int, detail: str) -> httpx2.Response:
    """A problem document."""
    return httpx2.Response(status, json={"title": "Problem", "status": status, "detail": detail})


def sample(schema: type[BaseModel], **told: Any) -> dict[str, Any]:
    """An answer of that schema as JSON: what is `told`, and of whatever else it needs the simplest."""
    needed = {name: field for name, field in schema.model_fields.items() if field.is_required()}
    rest = {name: _simplest(field.annotation) for name, field in needed.items() if name not in told}
    return schema.model_validate(rest | told).model_dump(mode="json")


def _simplest(kind: Any) -> Any:
    origin, parts = get_origin(kind), get_args(kind)
    if type(None) in parts:
        found: Any = None
    elif origin is Literal:
        found = parts[0]
    elif origin is tuple:
        found = [_simplest(part) for part in parts if part is not Ellipsis]
    elif origin is not None:
        found = _simplest(parts[0]) if origin is Annotated else origin()
    elif issubclass(kind, BaseModel):
        found = sample(kind)
    elif issubclass(kind, Enum):
        found = next(iter(kind))
    else:
        found = {dt.datetime: "2030-01-01T00:00:00Z", str: "x"}.get(kind) or kind()
    return found


def page(*items: dict[str, Any], total: int | None = None) -> dict[str, Any]:
    """A part of a list, which is the whole where no total is given."""
    return {"items": items, "total": len(items) if total is None else total, "offset": 0, "limit": 100}


def tournament(state: str, finished: int = 0, pending: int = 0) -> dict[str, Any]:
    """A tournament as the API tells it."""
    matches = {"finished": finished, "pending": pending}
    return sample(TournamentOut, name="spring", state=state, entries=2, matches=matches)


def match(state: str) -> dict[str, Any]:
    """A match of two bots as the staff sees it."""
    seats = [sample(SeatOut, bot="ann"), sample(SeatOut, bot="bob")]
    return sample(MatchDetail, number=7, state=state, seats=seats)


LEADERBOARD = sample(
    Leaderboard,
    tournament="spring",
    state="finished",
    played=1,
    matches=1,
    order=[{"name": "points", "rules": "this arena"}, {"name": "direct", "rules": "FIDE"}],
    items=[
        sample(StandingOut, rank=1, bot="ann", owner="team-1", games=1, points=1.0, wins=1)
        | {"score_own": 20, "score_other": 44, "wall_ms": 1234, "tie_breaks": [1.0, None]}
    ],
)
