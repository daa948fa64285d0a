"""The same arena on services of their own: PostgreSQL by URL, and a broker by TCP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from arena.supervisor.launch import free_port
from tests.acceptance.conftest import MakeArena, eventually
from tests.acceptance.tables import check_tables
from tests.postgres import PostgresServer
from tests.valkey import running

pytestmark = pytest.mark.long


@pytest.fixture
def broker_url(tmp_path: Path) -> Iterator[str]:
    """A Valkey server that listens on a TCP port."""
    port = free_port("127.0.0.1")
    url = f"redis://127.0.0.1:{port}/0"
    with running(redis.Redis.from_url(url), tmp_path, "--port", str(port)):
        yield url


@pytest.fixture
def database_url(postgres: PostgresServer) -> Iterator[str]:
    """An empty PostgreSQL database."""
    url = postgres.empty()
    yield url
    postgres.drop(url)


def test_the_main_job_runs_on_postgresql_and_a_broker_by_tcp(
    broker_url: str, database_url: str, make_arena: MakeArena
) -> None:
    """With two URLs in the environment the same commands use other services, and start none of their own."""
    arena = make_arena(1, ARENA_BROKER_URL=broker_url, ARENA_DATABASE_URL=database_url)
    names = [child.name for child in arena.state.children]
    assert "valkey" not in names
    arena.command("tournament", "create", "small", "--param", "size=4", "--openings", "0", "--open")
    bot = arena.folder.root.parent / "bot.py"
    bot.write_text(
        "from arena_bot import run\n\n\nclass First:\n"
        "    def choose(self, request):\n        return request.legal[0]\n\n\nrun(First())\n"
    )
    for name in ("one", "two", "three"):
        arena.command("bot", "submit", str(bot), "--name", name, "--wait")
        arena.command("tournament", "enter", "small", name)
    arena.command("tournament", "start", "small")
    with arena.client() as client:
        eventually(lambda: client.tournament("small").state == "finished")
    check_tables(arena, "small")
    board = arena.json("tournament", "standings", "small")
    assert [row["games"] for row in board["items"]] == [2, 2, 2]
    assert sum(row["points"] for row in board["items"]) == 3
    assert not (arena.folder.root / "arena.sqlite3").exists()
