"""The connection to the database: SQLite in a file, or PostgreSQL by its URL.

One request or task is one transaction. On SQLite a writing transaction takes the write lock when it
begins, so that what it read stays true until it commits; on PostgreSQL the services lock the rows they
decide on. A reading transaction sees one snapshot on both. What takes long is worked out before anything
is written, outside of any transaction (`release`).
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, inspect, make_url, text
from sqlalchemy.orm import Session

from arena.core.errors import UnusableDatabaseError
from arena.store import counters
from arena.store.condition import (
    MIGRATIONS,
    applied,
    check_place,
    check_tables,
    explaining_driver_errors,
    revisions,
    shown,
)
from arena.store.failures import sqlite_code
from arena.store.models.frozen import COPIED, PREFIX

CONNECTIONS = 5
PATIENCE_SECONDS = 30.0

READING = "reading"
"""The mark of a session that is not for writing."""
FROZEN = "frozen"
"""The mark of a session that sees frozen tournaments as they were, and no others."""
OPEN_FROZEN = "open frozen"
"""Where a session has what opens such a session."""
LET_IN_BY = "let in by"
"""Where a session has what its caller was let in by: a token, or a session of the pages."""
NEWS = "news"
"""The mark of a session whose changes others wait for."""

_WRITING_ON_SQLITE = ("BEGIN IMMEDIATE", "PRAGMA user_version = 0")
_WRITING = ("CREATE TEMPORARY TABLE writable (n int) ON COMMIT DROP",)
"""What only a database that can be written does, and takes back with its transaction."""
_EVENTS_SEEN = (
    "CREATE TEMPORARY VIEW events AS SELECT e.* FROM {main}events AS e WHERE e.kind = 'announcement' OR "
    "NOT EXISTS (SELECT 1 FROM {main}tournaments AS t WHERE t.id = e.tournament_id "
    "AND t.frozen_at IS NOT NULL AND e.id > t.freeze_event)"
)
_MIGRATION_LOCK = 0x6172656E61


class Database:
    """A database by its URL, e.g. ``sqlite:////data/arena.sqlite3`` or ``postgresql://user@host/arena``.

    It has at most so many `connections`. A lock that somebody else holds is waited for `patience_seconds`,
    and so is a connection. `on_news` is called when something was committed that others wait for.
    """

    def __init__(
        self,
        url: str,
        connections: int = CONNECTIONS,
        patience_seconds: float = PATIENCE_SECONDS,
        on_news: Callable[[], None] | None = None,
    ) -> None:
        self._on_news = on_news
        self._patience_seconds = patience_seconds
        self._sqlite = make_url(url).get_backend_name() == "sqlite"
        make = _sqlite_engine if self._sqlite else _postgresql_engine
        self.engine = make(
            url, patience_seconds, pool_size=connections, max_overflow=0, pool_timeout=patience_seconds
        )
        reading: dict[str, Any] = {"begin": "BEGIN DEFERRED"}
        if not self._sqlite:
            reading = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reader = self.engine.execution_options(**reading)
        frozen = make(
            url, patience_seconds, pool_size=connections, max_overflow=0, pool_timeout=patience_seconds
        )
        event.listen(frozen, "connect", _see_frozen)
        self._frozen = frozen.execution_options(**reading)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that commits at the end, or takes everything back when an exception leaves it."""
        with Session(self.engine, expire_on_commit=False, info={OPEN_FROZEN: self.frozen}) as session:
            yield session
            counters.write(session)
            session.commit()
        if self._on_news and session.info.get(NEWS):
            self._on_news()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one snapshot and is not for writing."""
        info = {READING: True, OPEN_FROZEN: self.frozen}
        with Session(self._reader, expire_on_commit=False, info=info) as session:
            yield session

    @contextmanager
    def frozen(self) -> Iterator[Session]:
        """A session for reading to which frozen tournaments are what they were, and there are no others.

        It has connections of its own, of which there are none before somebody asks for one.
        """
        info = {READING: True, FROZEN: True}
        with Session(self._frozen, expire_on_commit=False, info=info) as session:
            yield session

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever stored in it. What is not there is not made to find out.

        Raises:
            UnusableDatabaseError, UnavailableError: as `check`.
        """
        if self._blank:
            return True
        with self._looking() as connection:
            return not inspect(connection).get_table_names()

    @property
    def _blank(self) -> Path | None:
        """The place of a file of SQLite's that is not there, or without a byte."""
        file = Path(self.engine.url.database or "") if self._sqlite else None
        return file if file and file.is_absolute() and not (file.exists() and file.stat().st_size) else None

    @contextmanager
    def _looking(self) -> Iterator[Connection]:
        """A connection whose changes are taken back. It leaves SQLite's files as they are.

        Raises:
            UnusableDatabaseError, UnavailableError: as `check`.
        """
        engine = self.engine
        if self._sqlite:
            waiting = {"timeout": self._patience_seconds}
            engine = create_engine(self.engine.url, poolclass=NullPool, connect_args=waiting)
        with explaining_driver_errors(engine.url), engine.connect() as connection:
            yield connection
            connection.rollback()

    def try_writing(self) -> None:
        """Write something that changes nothing, as any transaction writes.

        Raises:
            SQLAlchemyError: it cannot be written.
        """
        nothing = "PRAGMA user_version = 0"
        if not self._sqlite:
            nothing = "UPDATE alembic_version SET version_num = version_num"
        with self.engine.begin() as connection:
            connection.execute(text("SELECT 1 FROM tournaments LIMIT 1"))
            connection.execute(text(nothing))

    def check(self) -> None:
        """Make sure that the arena can use the database as it is, or make it in its folder; none is made.

        Raises:
            UnusableDatabaseError: it cannot; the message says why, and what to do.
            UnavailableError: it does not answer, or is busy.
        """
        if self._blank:
            check_place(self._blank, self.engine.url)
            return
        with self._looking() as connection:
            check_tables(connection)
            for statement in _WRITING_ON_SQLITE if self._sqlite else _WRITING:
                connection.exec_driver_sql(statement)

    def outstanding(self) -> list[str]:
        """The revisions that `migrate` would bring the tables to, one after the other.

        Raises:
            UnusableDatabaseError, UnavailableError: as `check`.
        """
        self.check()
        if self._blank:
            return sorted(revisions())
        with self._looking() as connection:
            last = max(applied(connection), default="")
        return sorted(each for each in revisions() if each > last)

    def migrate(self) -> None:
        """Bring the tables up to date; when several processes do it at once, one does and the others wait.

        Raises:
            UnusableDatabaseError, UnavailableError: as `check`.
        """
        with self._migrating() as (_, upgrade):
            upgrade("head")

    def fill(self, revision: str, write: Callable[[Connection], None]) -> None:
        """Make the tables of a revision in an empty database, have rows written, and bring all up to date.

        Nothing is there before all is.

        Raises:
            UnusableDatabaseError: it is not empty, or as `check`.
            UnavailableError: as `check`.
        """
        with self._migrating() as (connection, upgrade):
            if inspect(connection).get_table_names():
                raise UnusableDatabaseError(f"{shown(self.engine.url)} is not empty; name another one")
            upgrade(revision)
            write(connection)
            upgrade("head")

    @contextmanager
    def _migrating(self) -> Iterator[tuple[Connection, Callable[[str], None]]]:
        """A transaction in which the tables can be brought to a revision, by one process at a time."""
        from alembic import command  # noqa: PLC0415  (half a second to read, for one process of many)
        from alembic.config import Config  # noqa: PLC0415  (likewise)

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        with explaining_driver_errors(self.engine.url), self.engine.begin() as connection:
            if not self._sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            check_tables(connection)
            config.attributes["connection"] = connection
            yield connection, partial(command.upgrade, config)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        self._frozen.dispose()


def is_reading(session: Session) -> bool:
    """Whether it sees one snapshot and is not for writing."""
    return READING in session.info


def is_frozen(session: Session) -> bool:
    """Whether it sees frozen tournaments as they were, and no others."""
    return FROZEN in session.info


def has_news(session: Session) -> None:
    """Have the others told, once this transaction is committed, that there is something for them."""
    session.info[NEWS] = True


def release(session: Session) -> None:
    """Give the write lock back while something long is worked out; the next query begins a transaction anew.

    Only before anything is written: what was would be committed. What was read may be outdated afterwards.
    """
    session.commit()


def _postgresql_engine(url: str, patience_seconds: float, **pool: Any) -> Engine:
    given = make_url(url).query
    patience = {} if "connect_timeout" in given else {"connect_timeout": max(2, round(patience_seconds))}
    engine = create_engine(url, pool_pre_ping=True, connect_args=patience, **pool)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute(f"SET lock_timeout = {round(patience_seconds * 1000)}")
        connection.commit()

    return engine


def _see_frozen(connection: Any, _record: Any) -> None:
    """Let a new connection see the copies of frozen tournaments under the names of what they copy.

    A temporary view goes before a table of its name, on both databases. Of the log there is what happened
    before a freeze, and announcements.
    """
    sqlite = isinstance(connection, sqlite3.Connection)
    main = "main." if sqlite else ""
    cursor = connection.cursor()
    cursor.execute(_EVENTS_SEEN.format(main=main))  # first, while PostgreSQL takes the names for the tables
    for name in COPIED:
        cursor.execute(f"CREATE TEMPORARY VIEW {name} AS SELECT * FROM {main}{PREFIX}{name}")  # noqa: S608  (names of ours)
    cursor.close()
    if not sqlite:
        connection.commit()


def _sqlite_engine(url: str, patience_seconds: float, **pool: Any) -> Engine:
    engine = create_engine(url, **pool)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {round(patience_seconds * 1000)}")
        _write_ahead(cursor, patience_seconds)
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN IMMEDIATE"))

    return engine


def _write_ahead(cursor: Any, patience_seconds: float) -> None:
    """Have changes written ahead. SQLite does not wait by itself while another process takes this step.

    Raises:
        sqlite3.OperationalError: the others take too long.
    """
    until = time.monotonic() + patience_seconds
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if sqlite_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
