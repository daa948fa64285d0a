"""A class that looks at one tournament at once, and an arena whose parts fail: on real processes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from benchmarks.readers import HEALTH, Answer, ask, burst
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.postgres import PostgresServer

READERS = 500
AT_ONCE_SECONDS = 20.0
"""So soon health is answered even where there is much other work; who waits for a connection waits longer."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def arena(request: pytest.FixtureRequest, make_arena: MakeArena) -> Iterator[Arena]:
    """An arena with an open tournament and no workers, on each database."""
    server = PostgresServer() if request.param == "postgresql" else None
    arena = make_arena(0, **({"ARENA_DATABASE_URL": server.empty()} if server else {}))
    arena.command("tournament", "create", "class", "--open")
    yield arena
    arena.down()
    if server:
        server.close()


def _check_health(answers: list[Answer]) -> None:
    """On a machine that is busy with more than the crowd some may say so; all come at once."""
    assert {answer.status for answer in answers} <= {"200", "503"}
    assert sum(answer.status == "200" for answer in answers) > len(answers) / 2
    assert max(answer.seconds for answer in answers) < AT_ONCE_SECONDS


def test_a_crowd_is_answered(arena: Arena) -> None:
    """All who look at one page at once see it; of as many pages nothing fails; and health answers at once."""
    url, page = arena.state.url, "/tournaments/class"
    found, health = asyncio.run(burst(url, [page] * READERS))
    assert {answer.status for answer in found} == {"200"}
    _check_health(health)
    api = "/api/v1/tournaments/class/leaderboard"
    each = [f"{(page, api)[number % 2]}?reader={number}" for number in range(READERS)]
    found, health = asyncio.run(burst(url, each))
    assert {answer.status for answer in found} <= {"200", "503"}
    assert all(answer.retry_after for answer in found if answer.status == "503")
    assert sum(answer.status == "200" for answer in found) >= 50
    _check_health(health)
    after = asyncio.run(ask(url, page))
    assert after.status == "200"
    assert after.seconds < AT_ONCE_SECONDS
    eventually(lambda: asyncio.run(ask(url, HEALTH)).status == "200")
