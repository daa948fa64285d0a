"""A class that looks at one tournament at once, and an arena whose parts fail: on real processes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from arena.web.http.dependencies import READERS as LET_IN
from benchmarks.readers import HEALTH, Answer, ask, burst
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.postgres import PostgresServer

pytestmark = pytest.mark.long

READERS = 500


@pytest.fixture(params=["sqlite", "postgresql"])
def arena(request: pytest.FixtureRequest, make_arena: MakeArena) -> Iterator[Arena]:
    """An arena with an open tournament and no workers, on each database."""
    server: PostgresServer | None = None
    environment = {}
    if request.param == "postgresql":
        server = request.getfixturevalue("postgres")
        environment["ARENA_DATABASE_URL"] = server.empty()
    arena = make_arena(0, **environment)
    arena.command("tournament", "create", "class", "--open")
    yield arena
    arena.down()
    if server:
        server.drop(environment["ARENA_DATABASE_URL"])


def _crowd(url: str, pages: Sequence[str]) -> tuple[list[Answer], list[Answer]]:
    """What becomes of a crowd and of questions about health meanwhile; all of these are answered.

    On a machine that is busy with more than the crowd some may say so.
    """
    found, health = asyncio.run(burst(url, pages))
    assert {answer.status for answer in health} <= {"200", "503"}
    return found, health


def test_a_crowd_is_answered(arena: Arena) -> None:
    """All who look at one page at once see it; of as many pages nothing fails; health does not wait in line.

    A question about health is answered before a good part of those who came earlier. Where the machine is so
    slow that none is asked in time for that, another crowd comes.
    """
    url, page = arena.state.url, "/tournaments/class"
    found, _ = _crowd(url, [page] * READERS)
    assert {answer.status for answer in found} == {"200"}
    api = "/api/v1/tournaments/class/leaderboard"
    each = [f"{(page, api)[number % 2]}?reader={number}" for number in range(READERS)]

    def health_overtakes() -> bool:
        found, health = _crowd(url, each)
        assert {answer.status for answer in found} <= {"200", "503"}
        assert all(answer.retry_after for answer in found if answer.status == "503")
        assert sum(answer.status == "200" for answer in found) >= LET_IN
        return any(one.status == "200" and one.overtook(found) > READERS / 4 for one in health)

    eventually(health_overtakes)
    assert asyncio.run(ask(url, page)).status == "200"
    eventually(lambda: asyncio.run(ask(url, HEALTH)).status == "200")
