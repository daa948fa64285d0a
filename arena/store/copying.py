"""All rows of all tables in a form that no database knows better than another: read whole, and written whole.

The tables are those that the database itself tells of, so that those of an older version are read, too. A
value is what JSON can hold: moments are text in UTC, and JSON stands as the text that the database keeps.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Connection,
    DateTime,
    Integer,
    MetaData,
    Table,
    Text,
    cast,
    delete,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.orm import Session
from sqlalchemy.types import UserDefinedType

from arena.core.clock import utc_now
from arena.store.condition import applied
from arena.store.models.event_types import ArenaRestored

BATCH = 2000
VERSIONED = "alembic_version"
MIN_LEAP = 1_000_000
"""So many numbers of events at least are passed over by a restored arena."""
NUMBERS_BEGIN = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
"""The seconds since then are the number with which it goes on, where that is greater; they fit until 2088."""

Row = Sequence[Any]


class _Verbatim(UserDefinedType[str]):
    """JSON as the text that stands in the database."""

    cache_ok = True

    def get_col_spec(self, **kw: Any) -> str:
        """What it is called."""
        del kw
        return "JSON"

    def column_expression(self, column: Any) -> Any:
        """PostgreSQL gives it as text when it is asked to."""
        return cast(column, Text)


def revision(session: Session) -> str | None:
    """The revision of the tables; None where there are none."""
    return max(applied(session.connection()), default=None)


def tables(connection: Connection) -> dict[str, Table]:
    """All tables by their names, each after those that its rows refer to."""
    names = [name for name in inspect(connection).get_table_names() if name != VERSIONED]
    metadata = MetaData()
    metadata.reflect(connection, only=names)
    for table in metadata.tables.values():
        for column in table.columns:
            if isinstance(column.type, JSON):
                column.type = _Verbatim()
    return {table.name: table for table in metadata.sorted_tables}


def rows(session: Session, table: Table) -> Iterator[Row]:
    """All rows of a table in the order of its key, never all held at once."""
    forms = [_told(column.type) for column in table.columns]
    query = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=BATCH)
    for row in session.execute(query):
        yield [form(value) if form else value for form, value in zip(forms, row, strict=True)]


def clear(connection: Connection, found: Collection[Table]) -> None:
    """Remove what making the tables has put into them; they stand as `tables` gives them."""
    for table in reversed(list(found)):
        connection.execute(delete(table))


def fill(connection: Connection, table: Table, columns: Sequence[str], given: Iterable[Row]) -> None:
    """Write rows, whose values stand in the order of `columns`; numbers go on after the last one."""
    forms = [_read(table.columns[name].type) for name in columns]
    remaining = iter(given)
    while batch := list(islice(remaining, BATCH)):
        connection.execute(
            insert(table),
            [
                {
                    name: form(value) if form else value
                    for name, form, value in zip(columns, forms, row, strict=True)
                }
                for row in batch
            ],
        )
    if connection.dialect.name == "postgresql":
        _number_on(connection, table)


def log_restoring(connection: Connection, events: Table, taken_at: str) -> None:
    """Log that these tables were filled from a backup, under a number that no event has had yet.

    Followers remember the numbers of events, and webhooks' receivers know them by these, also those that the
    arena has given since the backup was taken. The seconds tell apart what is restored of one backup twice.
    """
    now = utc_now()
    last = connection.scalar(select(func.max(events.c.id))) or 0
    number = max(last + MIN_LEAP, int((now - NUMBERS_BEGIN).total_seconds()))
    restored = ArenaRestored(taken_at=taken_at, after=last)
    row = [number, _moment_told(now), str(restored.kind), json.dumps(restored.kept())]
    fill(connection, events, ["id", "at", "kind", "data"], [row])


def archives(session: Session) -> list[str]:
    """The hashes of all archives that a version refers to, without those of people whose data was erased."""
    query = "SELECT DISTINCT v.archive FROM bot_versions AS v"
    if any(column["name"] == "erased_at" for column in inspect(session.connection()).get_columns("users")):
        query += " JOIN bots AS b ON b.id = v.bot_id JOIN users AS u ON u.id = b.owner_id"
        query += " WHERE u.erased_at IS NULL"
    return list(session.scalars(text(query)))


def lent(session: Session) -> set[str]:
    """The hashes of what is in the archive store for parts of trainings only; it can be made again."""
    if not inspect(session.connection()).has_table("trainings"):
        return set()
    given = session.scalars(text("SELECT given FROM trainings WHERE given IS NOT NULL"))
    return {sha for each in given for sha in each.split()}


def _number_on(connection: Connection, table: Table) -> None:
    for column in table.primary_key.columns:
        if not isinstance(column.type, Integer):
            continue
        sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
        last = connection.scalar(select(func.max(column)))
        if sequence and last:
            connection.execute(select(func.setval(sequence, last)))


def _told(kind: Any) -> Callable[[Any], Any] | None:
    return _moment_told if isinstance(kind, DateTime) else None


def _moment_told(value: dt.datetime | None) -> str | None:
    if value is None:
        return None
    return (value.astimezone(dt.UTC) if value.tzinfo else value).replace(tzinfo=None).isoformat()


def _read(kind: Any) -> Callable[[Any], Any] | None:
    if isinstance(kind, DateTime):
        return _moment_read
    return _truth_read if isinstance(kind, Boolean) else None


def _moment_read(value: str | None) -> dt.datetime | None:
    return None if value is None else dt.datetime.fromisoformat(value).replace(tzinfo=dt.UTC)


def _truth_read(value: Any) -> bool | None:
    return None if value is None else bool(value)
