"""Who is let in, and that nobody inside waits for somebody else who is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any

import pytest
from fastapi.testclient import TestClient

from arena.core.errors import UnavailableError
from arena.store.stamps import SqliteStamps
from arena.web import app as application
from arena.web.http.admission import Lane
from arena.web.http.answer_cache import AnswerCache
from arena.web.http.costly import Costly
from arena.web.http.dependencies import Services
from arena.web.http.sharing import Shared
from tests.integration.arena.lab import Lab
from tests.integration.arena.site import PLAN, Site, calculator_of, make_site, play_cup, start_cup
from tests.integration.arena.world import World

PATHS = [
    *("/tournaments/cup", "/tournaments/cup/leaderboard", "/tournaments/cup/crosstable"),
    *(
        "/tournaments/cup/ratings?pairwise=true",
        "/tournaments/cup/ratings/history",
        "/tournaments/cup/balance",
    ),
    *("/tournaments/cup/bots/red", "/tournaments/cup/head-to-head?one=red&other=blue"),
    *("/tournaments/cup/matches", "/tournaments/cup/matches/1", "/tournaments/cup/matches/1/record"),
    *("/tournaments/cup/report", "/tournaments/cup/report.csv", "/tournaments/cup/log"),
    *("/tournaments/cup/verification", "/experiments/1", "/experiments/1/results", "/languages", "/me"),
    *(f"/tournaments/cup/export?format={form}" for form in ("csv", "jsonl", "pgn", "ggf", "transcripts")),
    *("/experiments/1/export?format=csv", "/experiments/1/export?format=jsonl"),
    *("/bots/green/versions/1/check", "/tournaments/open/estimate", "/tournaments/going/eta"),
]
PAGES = [
    *(
        "/",
        "/bots",
        "/tournaments/cup",
        "/tournaments/going",
        "/tournaments/open",
        "/tournaments/cup/matches",
    ),
    *("/tournaments/cup/crosstable", "/tournaments/cup/ratings", "/tournaments/cup/matches/1"),
]

PATIENCE_SECONDS = 60.0
"""So long is waited where nobody may have to wait."""


@pytest.fixture
def narrow(sqlite_world: Callable[[], World], monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site with a single connection to its database: who holds it and wants another one waits in vain."""
    monkeypatch.setattr(application, "CONNECTIONS", 1)
    monkeypatch.setattr(application, "LOCK_SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr(application, "Costly", partial(Costly, patience_seconds=PATIENCE_SECONDS))
    world = sqlite_world()
    settings = world.settings.model_copy(update={"database_url": str(world.database.engine.url)})
    app = application.create_app(settings, world.broker, calculator_of(settings, world))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield make_site(world, client)


def test_every_request_does_with_one_connection(narrow: Site) -> None:
    """Reading, exports, forecasts and changes alike: none takes a second connection while it holds one."""
    start_cup(narrow)
    play_cup(narrow)
    start_cup(narrow, "going")
    assert narrow.post("/tournaments", "staff", json=PLAN | {"name": "open"}).status_code == 201
    assert narrow.post("/tournaments/open/open", "staff").status_code == 200
    for bot in ("red", "blue"):
        assert narrow.post("/tournaments/open/entries", bot, json={"bot": bot}).status_code == 201
    assert narrow.submit("green", "red").status_code == 201
    asked = {"plan": PLAN, "bots": 4}
    assert narrow.post("/estimates", "red", json=asked).status_code == 200
    Lab(narrow.world).create(record_games=True)
    assert {path: narrow.get(path, "staff").status_code for path in PATHS} == dict.fromkeys(PATHS, 200)
    assert {path: narrow.client.get(path).status_code for path in PAGES} == dict.fromkeys(PAGES, 200)


def test_there_is_a_connection_for_everybody_who_is_let_in(site: Site) -> None:
    """Whoever has a place never waits for a connection."""
    services: Services = site.client.app.state.services  # type: ignore[attr-defined]  # a FastAPI application
    lanes = services.reading, services.writing
    places = sum(lane._slots._value for lane in lanes)
    assert services.database.engine.pool.size() == places  # type: ignore[attr-defined]  # a QueuePool


async def _all(*asking: Any) -> list[Any]:
    return list(await asyncio.gather(*asking, return_exceptions=True))


def test_the_others_wait_in_order() -> None:
    """Never more than may are inside, and whoever came first is let in first."""
    inside: list[int] = []
    most, order = 0, []

    async def ask(lane: Lane, number: int) -> None:
        nonlocal most
        async with lane.slot():
            order.append(number)
            inside.append(number)
            most = max(most, len(inside))
            await asyncio.sleep(0.001)
            inside.remove(number)

    async def crowd() -> list[Any]:
        lane = Lane(3, patience_seconds=PATIENCE_SECONDS)
        return await _all(*(ask(lane, number) for number in range(50)))

    assert asyncio.run(crowd()) == [None] * 50
    assert (most, order) == (3, list(range(50)))


def test_who_would_wait_in_vain_is_told_at_once() -> None:
    """A full line turns away; a place that does not come is not waited for for ever; and both come free."""

    async def ask(lane: Lane, may_go: asyncio.Event) -> str:
        async with lane.slot():
            await may_go.wait()
        return "served"

    async def crowd() -> tuple[str, list[Any], list[Any]]:
        lane, may_go = Lane(1, most_waiting=2, patience_seconds=0.05), asyncio.Event()
        first = asyncio.ensure_future(ask(lane, may_go))
        await asyncio.sleep(0)
        others = await _all(*(ask(lane, may_go) for _ in range(3)))
        may_go.set()
        return await first, others, await _all(ask(lane, may_go), ask(lane, may_go))

    first, others, then = asyncio.run(crowd())
    assert [type(each) for each in others] == [UnavailableError] * 3
    assert "busy" in str(others[0])
    assert "more ask" in str(others[2])
    assert [first, *then] == ["served"] * 3


def test_a_failure_leaves_its_place() -> None:
    """Whoever fails inside makes room like anybody else."""

    async def fail(lane: Lane) -> None:
        async with lane.slot():
            raise ValueError

    async def crowd() -> list[Any]:
        lane = Lane(1, patience_seconds=1)
        return await _all(*(fail(lane) for _ in range(5)))

    assert [type(each) for each in asyncio.run(crowd())] == [ValueError] * 5


class _Counter:
    """An application that answers how often it was asked, once all have asked who were to ask meanwhile."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        del receive
        self.asked += 1
        number = self.asked
        await self.may_answer.wait()
        if scope["path"] == "/broken":
            raise ValueError
        await send({"type": "http.response.start", "status": 200, "headers": []})
        stream = scope["path"] == "/stream"
        await send({"type": "http.response.body", "body": str(number).encode(), "more_body": stream})
        if stream:
            await send({"type": "http.response.body", "body": b".", "more_body": False})


async def _ask(app: Any, path: str) -> str:
    told: list[bytes] = []

    async def send(message: Any) -> None:
        told.append(message.get("body", b""))

    await app({"type": "http", "path": path, "headers": []}, None, send)
    return b"".join(told).decode()


async def _answered(app: _Counter, crowd: Coroutine[Any, Any, list[Any]]) -> list[Any]:
    """What a crowd is told by an application that answers when everybody has asked."""
    asking = asyncio.ensure_future(crowd)
    for _ in range(2):  # the crowd asks, and those ask who are in it
        await asyncio.sleep(0)
    app.may_answer.set()
    return await asking


def _shared(app: _Counter) -> Shared:
    return Shared(app, lambda scope: scope["path"], AnswerCache(SqliteStamps("")))


def test_who_asks_the_same_shares_an_answer_begun_after_the_question() -> None:
    """The first is answered alone; all who come while that goes on get the next answer, never the first."""

    async def crowd() -> tuple[list[Any], int]:
        app = _Counter()
        shared = _shared(app)
        crowd = _all(*(_ask(shared, "/same") for _ in range(101)))
        return [*await _answered(app, crowd), await _ask(shared, "/same")], app.asked

    told, asked = asyncio.run(crowd())
    assert told == ["1", *["2"] * 100, "3"]
    assert asked == 3


def test_other_questions_streams_and_failures_are_everybody_s_own() -> None:
    """Nobody gets the answer to another question, nor a part of a stream, nor success for a failure."""

    async def crowd(path: str) -> tuple[list[Any], int]:
        app = _Counter()
        shared = _shared(app)
        crowd = _all(*(_ask(shared, path.format(number)) for number in range(10)))
        return await _answered(app, crowd), app.asked

    for path in ("/{}", "/stream"):
        told, asked = asyncio.run(crowd(path))
        assert len(set(told)) == asked == 10
    told, _ = asyncio.run(crowd("/broken"))
    assert [type(each) for each in told] == [ValueError] * 10
