"""The connection to the database: SQLite in a file, or PostgreSQL by its URL.

One request or task is one transaction. On SQLite a writing transaction takes the write lock when it
begins, so that what it read stays true until it commits; on PostgreSQL the services lock the rows they
decide on. A reading transaction sees one snapshot on both. What takes long is worked out before anything
is written, outside of any transaction (`release`).
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.orm import Session

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_MS = 30_000
PRIMARY_CODE = 0xFF
"""The part of an error's code of SQLite's that says which kind it is."""

_MIGRATION_LOCK = 0x6172656E61


class Database:
    """A database by its URL, e.g. ``sqlite:////data/arena.sqlite3`` or ``postgresql://user@host/arena``."""

    def __init__(self, url: str) -> None:
        self._sqlite = make_url(url).get_backend_name() == "sqlite"
        self.engine = _sqlite_engine(url) if self._sqlite else create_engine(url, pool_pre_ping=True)
        reading: dict[str, Any] = {"begin": "BEGIN DEFERRED"}
        if not self._sqlite:
            reading = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reader = self.engine.execution_options(**reading)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that commits at the end, or takes everything back when an exception leaves it."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session
            session.commit()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one snapshot and is not for writing."""
        with Session(self._reader, expire_on_commit=False) as session:
            yield session

    def migrate(self) -> None:
        """Bring the tables up to date; when several processes do it at once, one does and the others wait."""
        from alembic import command  # noqa: PLC0415  (half a second to read, for one process of many)
        from alembic.config import Config  # noqa: PLC0415  (likewise)

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        with self.engine.begin() as connection:
            if not self._sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def release(session: Session) -> None:
    """Give the write lock back while something long is worked out; the next query begins a transaction anew.

    Only before anything is written: what was would be committed. What was read may be outdated afterwards.
    """
    session.commit()


def _sqlite_engine(url: str) -> Engine:
    file = make_url(url).database
    if file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        _write_ahead(cursor)
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN IMMEDIATE"))

    return engine


def _write_ahead(cursor: Any) -> None:
    """Have changes written ahead. SQLite does not wait by itself while another process takes this step.

    Raises:
        sqlite3.OperationalError: the others take too long.
    """
    until = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & PRIMARY_CODE != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
