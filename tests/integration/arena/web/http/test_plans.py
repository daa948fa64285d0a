"""How the databases find what is read: nothing goes through all matches, results, moves or events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from arena.store.database import Database
from tests.integration.arena.site import served, start_cup
from tests.integration.arena.world import World, issue_matches, play

GROWING = ("matches", "results", "moves", "events", "superseded_results")
"""The tables that grow with every match."""
WHOLE = r"SCAN {table}\b|SEARCH {table} USING .*\(tournament_id=\?\)$"
"""How SQLite says that it goes through a whole table, or through all that a tournament has in it."""
PATHS = [
    *("/", "/bots", "/tournaments/cup/crosstable", "/tournaments/cup/bots/red"),
    *("/tournaments/cup/matches", "/tournaments/cup/matches?offset=3", "/tournaments/cup/matches?bot=red"),
    *("/tournaments/cup/matches?state=finished", "/tournaments/cup/matches?bot=red&state=pending"),
    *("/tournaments/cup/matches/1", "/api/v1/tournaments", "/api/v1/tournaments/cup"),
    *("/api/v1/tournaments/cup/leaderboard", "/api/v1/tournaments/cup/matches/1/record"),
    *("/api/v1/tournaments/cup/entries", "/api/v1/tournaments/cup/head-to-head?one=red&other=blue"),
]


@contextmanager
def _asked(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """What the database is asked meanwhile, with the values."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Connection, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, values))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def _whole(connection: Connection, statement: str, values: Any) -> list[str]:
    """Where the database goes through all of a table, as it says itself."""
    if connection.dialect.name == "sqlite":
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        pattern = WHOLE.format(table=rf"({'|'.join(GROWING)})(_\d+)?")
        return [row[-1] for row in plan if re.match(pattern, row[-1])]
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
    return node.get("Relation Name") in GROWING and not narrowed


def test_nothing_that_is_read_goes_through_all_matches(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan of every question that a page or an answer asks has an index for whatever grows."""
    with served(world, monkeypatch) as site:
        start_cup(site, options={"cycles": 2})
        with world.database.transaction() as session:
            messages = issue_matches(session, world.settings)
        for message in messages[:2]:
            world.record(message, play(message.spec))
        database: Database = site.client.app.state.services.database  # type: ignore[attr-defined]
        for path in PATHS:
            with _asked(database) as asked:
                assert site.client.get(path).status_code == 200
            assert asked
            with database.engine.connect() as connection:
                found = {statement: _whole(connection, statement, values) for statement, values in asked}
            assert (path, {statement: plan for statement, plan in found.items() if plan}) == (path, {})


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM matches AS matches_1",
        "SELECT results.kind FROM results",
        "SELECT count(*) FROM matches JOIN results ON match_id = id WHERE results.kind = 'played'",
    ],
)
def test_what_goes_through_all_matches_is_noticed(database: Database, statement: str) -> None:
    """Both databases say so of questions that no index answers."""
    with database.engine.connect() as connection:
        assert _whole(connection, statement, ())
