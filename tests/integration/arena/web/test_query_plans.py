"""What SQLite does for what is asked of it: nothing goes through a table that grows with every match."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import Engine, event

from tests.integration.arena.site import Site, play_cup, start_cup
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World, play

GROWING = re.compile(r"\bSCAN (matches|results|moves|events|encounters|entries|byes|void_attempts)(_\d+)?\b")
BOTS = "?one=red&other=blue"
PATHS = [
    *("/tournaments", "/tournaments/cup", "/tournaments/cup/entries", "/tournaments/cup/leaderboard"),
    *("/tournaments/cup/crosstable", "/tournaments/cup/bots/red", f"/tournaments/cup/head-to-head{BOTS}"),
    *("/tournaments/cup/balance", "/tournaments/cup/ratings", "/tournaments/cup/ratings/history"),
    *("/tournaments/going/eta", "/tournaments/cup/report", "/tournaments/cup/log"),
    *("/tournaments/cup/verification", "/tournaments/cup/matches", "/tournaments/cup/matches?bot=red"),
    *("/tournaments/cup/matches?state=finished", "/tournaments/cup/matches/1"),
    *(
        "/tournaments/cup/matches/1/record",
        "/tournaments/cup/export?format=csv",
        "/bots",
        "/users",
        *("/questions", "/tournaments/cup/questions", "/announcements"),
    ),
]
OWN = ["/me/bots", "/me/openings", "/me/matches", "/me/matches?outcome=forfeit&bot=red&tournament=cup"]
OWN += ["/me/news", "/me/questions", "/tournaments/cup/answers", "/tournaments/cup/announcements"]
PAGES = ["", "/cup", "/cup/crosstable", "/cup/matches", "/cup/matches/1", "/cup/bots/red", "/cup/balance"]

Asked = set[tuple[str, Any]]


@contextmanager
def _asked() -> Iterator[Asked]:
    """The statements that are executed meanwhile, by anybody in this process, with their values."""
    asked: Asked = set()

    def note(_conn: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        if not many and statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
            asked.add((statement, tuple(values)))

    event.listen(Engine, "before_cursor_execute", note)
    yield asked
    event.remove(Engine, "before_cursor_execute", note)


def _scans(world: World, asked: Asked) -> dict[str, list[str]]:
    """Which of these statements go through all of a table that grows, and what SQLite says that it does."""
    found = {}
    with closing(sqlite3.connect(str(world.database.engine.url.database))) as connection:
        for statement, values in asked:
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
            if any(map(GROWING.search, plan)):
                found[statement] = plan
    return found


def test_no_answer_goes_through_all_matches(site: Site) -> None:
    """Every list, table and page finds its rows by an index, however long the arena's history is."""
    start_cup(site)
    play_cup(site)
    start_cup(site, "going")
    with _asked() as asked:
        for path in PATHS:
            assert site.get(path, "staff").status_code == 200, path
        for path in OWN:
            assert site.get(path, "red").status_code == 200, path
        for page in PAGES:
            assert site.client.get(f"/tournaments{page}" if page else "/").status_code == 200, page
    assert len(asked) > len(PATHS)
    assert _scans(site.world, asked) == {}


def test_no_look_and_no_report_goes_through_all_matches(site: Site) -> None:
    """Nor does the coordinator, whatever it finds, or the recorder."""
    start_cup(site, openings=2, opening_plies=2)
    world, clock = site.world, Later()
    coordinator = coordinator_of(world, clock)
    with _asked() as asked:
        coordinator.tick()
        first, second, *_ = world.broker.queue
        world.heartbeat(first)
        world.record(first, play(first.spec))
        world.heartbeat(second)
        world.broker.queue.clear()
        live(coordinator, clock, 2 * world.settings.pickup_seconds)
    assert len(asked) > 20
    assert _scans(world, asked) == {}


def test_what_goes_through_a_table_is_found(site: Site) -> None:
    """A question that no index answers is one of those that the others look for."""
    assert _scans(site.world, {("SELECT id FROM matches WHERE refused > ?", (0,))})
