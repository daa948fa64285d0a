"""What the databases do when asked: nothing goes through a table that grows with every match."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import Connection, text

from arena.store.database import Database
from tests.integration.arena.asking import Asked, asked
from tests.integration.arena.site import Site, play_cup, served, start_cup
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World, issue_matches, play

GROWING = (
    *("matches", "results", "superseded_results", "moves", "events", "encounters", "entries"),
    *("byes", "void_attempts"),
)
"""The tables that grow with every match or entry."""
OF_MATCHES = GROWING[:5]
WHOLE = r"SCAN ({tables})(_\d+)?\b"
"""How SQLite says that it goes through a whole table."""
WHOLE_OR_ANALYSES = rf"{WHOLE}|SEARCH analyses(_\d+)? USING INDEX ix_analyses_state"
"""How it says so, or that it goes through all analyses of a state, of whatever tournament."""
WHOLE_OR_TOURNAMENT = rf"{WHOLE}|SEARCH ({{tables}})(_\d+)? USING .*\(tournament_id=\?\)$"
"""How it says so, or that it goes through all that a tournament has there."""
READ = [
    *("/", "/tournaments", "/games/heap_nim"),
    *("/bots", "/tournaments/cup/crosstable", "/tournaments/cup/bots/red"),
    *("/bots/red", "/bots/red/matches", "/bots/red/matches?outcome=won&opponent=blue", "/bots/red/opponents"),
    *("/tournaments/cup/matches", "/tournaments/cup/matches?offset=3", "/tournaments/cup/matches?bot=red"),
    *("/tournaments/cup/matches?state=finished", "/tournaments/cup/matches?bot=red&state=pending"),
    *("/tournaments/cup/matches/1", "/api/v1/tournaments", "/api/v1/tournaments/cup"),
    *("/api/v1/tournaments/cup/leaderboard", "/api/v1/tournaments/cup/matches/1/record"),
    *("/api/v1/tournaments/cup/entries", "/api/v1/tournaments/cup/head-to-head?one=red&other=blue"),
]
"""What everybody reads all the time."""
READ_AT_TIMES = [
    *("/tournaments", "/tournaments/cup/crosstable", "/tournaments/cup/bots/red", "/tournaments/cup/balance"),
    *(
        "/tournaments/cup/accuracy",
        "/tournaments/cup/ratings",
        "/tournaments/cup/ratings/history",
        "/tournaments/going/eta",
    ),
    *("/tournaments/cup/report", "/tournaments/cup/log", "/tournaments/cup/verification"),
    *("/tournaments/cup/matches?state=finished", "/tournaments/cup/export?format=csv", "/bots", "/users"),
    *("/questions", "/tournaments/cup/questions", "/announcements"),
    *("/bots/red/career", "/bots/red/tournaments", "/bots/red/ratings", "/bots/red/matches?tournament=cup"),
]
"""What may go through all of a tournament, but never through those of others."""
OWN = ["/me/bots", "/me/openings", "/me/matches", "/me/matches?outcome=forfeit&bot=red&tournament=cup"]
OWN += [
    "/me/following",
    "/me/news",
    "/me/questions",
    "/tournaments/cup/answers",
    "/tournaments/cup/announcements",
]


def _whole(
    connection: Connection,
    statement: str,
    values: Any,
    pattern: str = WHOLE,
    tables: Sequence[str] = GROWING,
) -> list[str]:
    """Where the database goes through all of a table, as it says itself."""
    if connection.dialect.name == "sqlite":
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        found = re.compile(pattern.format(tables="|".join(tables)))
        return [row[-1] for row in plan if found.match(row[-1])]
    connection.execute(text("SET LOCAL enable_seqscan = off"))
    plan = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values).scalar_one()
    told = plan if isinstance(plan, list) else json.loads(plan)
    return [json.dumps(node) for node in _nodes(told[0]["Plan"]) if _is_whole(node)]


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for each in node.get("Plans", ()):
        yield from _nodes(each)


def _is_whole(node: dict[str, Any]) -> bool:
    narrowed = node.get("Index Cond") or node.get("Recheck Cond") or ""
    return node.get("Relation Name") in OF_MATCHES and not narrowed


def _wholes(
    database: Database, asked: Asked, pattern: str = WHOLE, tables: Sequence[str] = GROWING
) -> dict[str, list[str]]:
    """Which statements go through all of a table that grows, and what the database says that it does."""
    with database.engine.connect() as connection:
        found = {
            statement: _whole(connection, statement, values, pattern, tables) for statement, values in asked
        }
    return {statement: plan for statement, plan in found.items() if plan}


def test_nothing_that_is_read_goes_through_all_matches(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan of every question that a page or an answer asks has an index for whatever grows."""
    with served(world, monkeypatch) as site:
        start_cup(site, options={"cycles": 2})
        with world.database.transaction() as session:
            messages = issue_matches(session, world.settings)
        for message in messages[:2]:
            world.record(message, play(message.spec))
        database: Database = site.client.app.state.services.database  # type: ignore[attr-defined]
        for path in READ:
            with asked("SELECT") as found:
                assert site.client.get(path).status_code == 200
            assert found
            assert (path, _wholes(database, found, WHOLE_OR_TOURNAMENT, OF_MATCHES)) == (path, {})


def test_no_answer_goes_through_the_matches_of_all_tournaments(site: Site) -> None:
    """Whatever is told of a tournament, the history of the others does not count."""
    start_cup(site)
    play_cup(site)
    start_cup(site, "going")
    assert site.post("/me/following", "red", json={"team": "blue"}).status_code == 200
    database: Database = site.client.app.state.services.database  # type: ignore[attr-defined]
    with asked("SELECT") as found:
        for path in READ_AT_TIMES:
            assert site.get(path, "staff").status_code == 200, path
        for path in OWN:
            assert site.get(path, "red").status_code == 200, path
        assert site.client.get("/tournaments/cup/balance").status_code == 200
    assert len(found) > len(READ_AT_TIMES)
    assert _wholes(database, found, WHOLE_OR_ANALYSES) == {}


def test_no_look_and_no_report_goes_through_all_matches(site: Site) -> None:
    """Nor does the coordinator, whatever it finds, or the recorder."""
    start_cup(site, openings=2, opening_plies=2)
    world, clock = site.world, Later()
    coordinator = coordinator_of(world, clock)
    with asked("SELECT", "UPDATE", "DELETE", "INSERT") as found:
        coordinator.tick()
        first, second, *_ = world.broker.queue
        world.heartbeat(first)
        world.record(first, play(first.spec))
        world.heartbeat(second)
        world.broker.queue.clear()
        live(coordinator, clock, 2 * world.settings.pickup_seconds)
    assert len(found) > 20
    assert _wholes(world.database, found) == {}


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM matches AS matches_1",
        "SELECT results.kind FROM results",
        "SELECT count(*) FROM matches JOIN results ON match_id = id WHERE results.kind = 'played'",
        "SELECT id FROM matches WHERE refused > 0",
    ],
)
def test_what_goes_through_all_matches_is_noticed(database: Database, statement: str) -> None:
    """Both databases say so of questions that no index answers."""
    with database.engine.connect() as connection:
        assert _whole(connection, statement, ())
