"""The same arena on services of their own: PostgreSQL by URL, and a broker by TCP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.acceptance.tables import check_tables
from tests.collector import Collector, collecting
from tests.ports import own_port
from tests.postgres import PostgresServer
from tests.valkey import running

pytestmark = pytest.mark.long


@pytest.fixture
def broker_url(tmp_path: Path) -> Iterator[str]:
    """A Valkey server that listens on a TCP port."""
    port = own_port()
    url = f"redis://127.0.0.1:{port}/0"
    with running(redis.Redis.from_url(url), tmp_path, "--port", str(port)):
        yield url


@pytest.fixture
def database_url(postgres: PostgresServer) -> Iterator[str]:
    """An empty PostgreSQL database."""
    url = postgres.empty()
    yield url
    postgres.drop(url)


@pytest.fixture
def collector() -> Iterator[Collector]:
    """What is told in traces."""
    with collecting() as collector:
        yield collector


def test_the_main_job_runs_on_postgresql_and_a_broker_by_tcp(
    broker_url: str, database_url: str, collector: Collector, make_arena: MakeArena
) -> None:
    """With two URLs in the environment the same commands use other services, and start none of their own.

    A collector of traces hears of every match from all who had to do with it, and no secrets.
    """
    told = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_EXPORTER_OTLP_HEADERS": "api-key=hidden"}
    arena = make_arena(1, ARENA_BROKER_URL=broker_url, ARENA_DATABASE_URL=database_url, **told)
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
    arena.down()
    _check_traces(collector, arena)


def _check_traces(collector: Collector, arena: Arena) -> None:
    """Each of three matches and three checks is one trace over three processes; requests have their own."""
    whole = {("arena-coordinator", "issue"), ("arena-worker", "do"), ("arena-recorder", "record")}
    for what in ("match", "check"):
        spans = [each for each in collector.spans if each.name.endswith(f" {what}")]
        traces = {each.trace for each in spans}
        assert len(traces) == 3
        for trace in traces:
            of_it = [each for each in spans if each.trace == trace]
            assert {(each.service, each.name.partition(" ")[0]) for each in of_it} == whole
            assert len({(each.about[what], each.about["attempt"]) for each in of_it}) == 1
            assert len([each for each in of_it if not each.parent]) == 1
    for part in ("build", "play", "start"):
        within = {each.trace for each in collector.named(part)}
        assert {each.trace for each in collector.named("do match")} <= within
    asked = [each for each in collector.spans if each.service == "arena-api"]
    assert "POST /api/v1/tournaments/{name}/entries" in {each.name for each in asked}
    assert {tuple(sorted(each.about)) for each in asked} == {
        ("http.request.method", "http.response.status_code", "http.route", "request")
    }
    token = arena.folder.admin_token.read_text().strip()
    sent = b"".join(collector.raw)
    assert not [
        each for each in (token, "hidden", "arena_bot", str(arena.folder.root)) if each.encode() in sent
    ]
    assert {each["api-key"] for each in collector.headers} == {"hidden"}
    logs = "".join(file.read_text(errors="replace") for file in arena.folder.logs.iterdir())
    assert "hidden" not in logs
    assert "traces are not taken" not in logs
