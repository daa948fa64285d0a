"""Whether the tables that an arena serves are those that follow from its results, computed from scratch."""

from __future__ import annotations

from contextlib import closing

import httpx2

from arena.core.terms import MatchState
from arena.results import tables, views
from arena.store import exports
from arena.store.database import Database
from arena.tournaments import audit, lifecycle
from arena.web.answers.standings import crosstable_of, leaderboard_of
from arena.web.http.responses import Window
from tests.acceptance.conftest import PATIENCE, Arena, eventually
from workers.core.contract import MatchRecord

WHOLE = Window(offset=0, limit=100)


def check_tables(arena: Arena, name: str) -> None:
    """The totals are those that the log and the results add up to, and everybody is told just that.

    On SQLite nobody writes meanwhile, so this holds in the midst of a tournament as well as at its end.
    """
    eventually(arena.healthy)
    database = Database(arena.database_url, patience_seconds=PATIENCE)
    with closing(database), database.transaction() as session:
        cup = lifecycle.get(session, name)  # not for reading: nothing that is kept is used
        assert audit.verify(session, cup) == []
        board = leaderboard_of(cup, tables.table(session, cup))
        crosstable = crosstable_of(cup, *views.crosstable(session, cup, offset=0, limit=100), WHOLE)
        for path, made in (("leaderboard", board.decode()), ("crosstable", crosstable.model_dump_json())):
            url = f"{arena.state.url}/api/v1/tournaments/{name}/{path}"
            told = httpx2.get(url, timeout=PATIENCE)
            assert (told.status_code, told.text) == (200, made)


def stored_records(arena: Arena, name: str) -> list[MatchRecord]:
    """Every record of a tournament, without an export, for which the API would start a process of its own."""
    database = Database(arena.database_url, patience_seconds=PATIENCE)
    with closing(database), database.reading() as session:
        cup = lifecycle.get(session, name)
        ended = exports.matches(session, cup, MatchState.FINISHED)
        return [views.match_record(session, match) for match in ended]
