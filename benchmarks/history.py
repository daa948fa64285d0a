"""A history of true rows for benchmarks: a tournament that was played is copied, its totals with it.

The copies are what the arena would have written itself, so `audit.verify` finds nothing to say against them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, func, insert, select, text, update

from arena.core.terms import MatchState
from arena.store.database import Database
from arena.store.models import Base
from arena.store.tournaments import ENCOUNTER
from arena.tournaments.totals import ENTRY

TABLES = Base.metadata.tables
NUMBERED = ("tournaments", "matches", "entries", "events")
"""The tables with numbers of their own, from which each copy gets new ones."""
OF_TOURNAMENT = ("tournaments", "entries", "encounters", "byes", "matches", "results", "moves", "events")
OF_MATCHES = ("matches", "results", "moves", "events")
MOVED = {"tournament_id", "match_id", "entry_id", "other_id", "first_id", "second_id"}
ADDED = (*ENTRY, "bye_half_points")


def copy(database: Database, cup: int, copies: int) -> None:
    """Add so many finished tournaments like that one."""
    with _filling(database) as connection:
        stride = _stride(connection)
        name = TABLES["tournaments"].c.name + "-" + bindparam("copy").cast(TABLES["tournaments"].c.name.type)
        statements = [_copied(table, cup, moved=MOVED | {"id"}) for table in OF_TOURNAMENT[1:]]
        first = _copied("tournaments", cup, moved={"id"}, changed={"name": name})
        for number in range(1, copies + 1):
            for statement in (first, *statements):
                connection.execute(statement, {"copy": number, "by": number * stride})


def prolong(database: Database, cup: int, times: int) -> None:
    """Have everything that was played in that tournament played so many times in all."""
    with _filling(database) as connection:
        stride = _stride(connection)
        matches = TABLES["matches"]
        last = select(func.max(matches.c.number)).where(matches.c.tournament_id == cup).scalar_subquery()
        step = connection.scalar(select(last)) or 0
        number = {"number": matches.c.number + bindparam("copy") * step}
        statements = [
            _copied(table, cup, {"id", "match_id"}, number if table == "matches" else {}, finished=True)
            for table in OF_MATCHES
        ]
        for copied in range(1, times):
            for statement in statements:
                connection.execute(statement, {"copy": copied, "by": copied * stride, "stride": stride})
        _multiply(connection, cup, times)


def _multiply(connection: Connection, cup: int, times: int) -> None:
    """Let totals say that all was played so many times."""
    entries, encounters, cups = (TABLES[name] for name in ("entries", "encounters", "tournaments"))
    ours = select(entries.c.id).where(entries.c.tournament_id == cup)
    made = {name: entries.c[name] * times for name in ADDED}
    connection.execute(update(entries).where(entries.c.tournament_id == cup).values(made))
    met = {name: encounters.c[name] * times for name in ENCOUNTER}
    connection.execute(update(encounters).where(encounters.c.entry_id.in_(ours)).values(met))
    more = cups.c.matches_finished * (times - 1)
    counts = {
        "matches_finished": cups.c.matches_finished + more,
        "matches_total": cups.c.matches_total + more,
    }
    connection.execute(update(cups).where(cups.c.id == cup).values(counts))


def _copied(
    name: str,
    cup: int,
    moved: set[str],
    changed: Mapping[str, ColumnElement[Any]] | None = None,
    *,
    finished: bool = False,
) -> Any:
    """The statement that copies a tournament's rows of a table, with numbers moved on."""
    table = TABLES[name]
    by = bindparam("by", type_=TABLES["matches"].c.id.type)
    new = {column: table.c[column] + by for column in moved & set(table.c.keys())} | dict(changed or {})
    rows = select(*(new.get(column.name, column) for column in table.c))
    return insert(table).from_select(list(table.c.keys()), rows.where(*_of(name, cup, finished=finished)))


def _of(name: str, cup: int, *, finished: bool) -> Iterator[ColumnElement[bool]]:
    """Which rows of a table are a tournament's, or of its finished matches."""
    table, matches, entries = TABLES[name], TABLES["matches"], TABLES["entries"]
    played = select(matches.c.id).where(matches.c.tournament_id == cup)
    if finished:
        played = played.where(_there(), matches.c.state == MatchState.FINISHED)
    if name == "tournaments":
        yield table.c.id == cup
    elif "tournament_id" in table.c:
        yield table.c.tournament_id == cup
    elif name == "encounters":
        yield table.c.entry_id.in_(select(entries.c.id).where(entries.c.tournament_id == cup))
    if finished and name == "matches":
        yield from (_there(), table.c.state == MatchState.FINISHED)
    elif "match_id" in table.c and (finished or name != "events"):
        yield table.c.match_id.in_(played)


def _there() -> ColumnElement[bool]:
    """Whether a match was there before any copy was made."""
    return TABLES["matches"].c.id < bindparam("stride")


def _stride(connection: Connection) -> int:
    """More than any number there is."""
    highest = (connection.scalar(select(func.max(TABLES[name].c.id))) or 0 for name in NUMBERED)
    return max(highest) + 1


@contextmanager
def _filling(database: Database) -> Iterator[Connection]:
    """A transaction that does not check what copies refer to; whatever comes next is numbered after them."""
    with database.engine.connect() as connection:
        postgresql = connection.dialect.name == "postgresql"
        relaxed = "SET session_replication_role = replica" if postgresql else "SELECT 1"
        connection.execute(text(relaxed))
        yield connection
        for name in NUMBERED if postgresql else ():
            table = TABLES[name]
            sequence = func.pg_get_serial_sequence(name, "id")
            connection.execute(select(func.setval(sequence, func.max(table.c.id))))
        connection.commit()
    with database.engine.connect() as connection:
        connection.execute(text("SET session_replication_role = DEFAULT" if postgresql else "SELECT 1"))
        connection.execute(text("ANALYZE" if postgresql else "SELECT 1"))
        connection.commit()
