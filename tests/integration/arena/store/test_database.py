"""The database: migrations, transactions, snapshots."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, select

from arena.core.clock import utc_now
from arena.core.terms import Role
from arena.store.database import Database, _write_ahead
from arena.store.models import Base, User
from tests.integration.arena.conftest import PATIENCE_SECONDS


def _user(name: str) -> User:
    return User(name=name, role=Role.TEAM, created_at=utc_now())


def test_migrated_database_equals_the_models(database: Database) -> None:
    """The migrations lead to exactly the tables that the models describe, on both databases."""
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_two_processes_may_migrate_at_once(empty_url: str) -> None:
    """Of several that migrate the same empty database at once, one does it and all succeed."""
    databases = [Database(empty_url, patience_seconds=PATIENCE_SECONDS) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(Database.migrate, databases))
    assert "tournaments" in inspect(databases[0].engine).get_table_names()
    for database in databases:
        database.close()


def test_migrating_from_another_folder_works(
    tmp_path: Path, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The revisions are found wherever the process stands, and doing it again changes nothing."""
    monkeypatch.chdir(tmp_path)
    database = Database(empty_url)
    database.migrate()
    database.migrate()
    database.close()


def test_an_exception_takes_everything_back(database: Database) -> None:
    """A transaction that an exception leaves has changed nothing."""

    def fail() -> None:
        with database.transaction() as session:
            session.add(_user("ghost"))
            session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with database.reading() as session:
        assert session.scalars(select(User)).all() == []


def test_reading_sees_one_snapshot(database: Database) -> None:
    """What is committed meanwhile does not show in a reading transaction, and does in the next."""
    with database.reading() as session:
        assert session.scalars(select(User)).all() == []
        with database.transaction() as writer:
            writer.add(_user("late"))
        assert session.scalars(select(User)).all() == []
    with database.reading() as session:
        assert [user.name for user in session.scalars(select(User))] == ["late"]


def test_writers_wait_for_each_other(database: Database) -> None:
    """Many threads that write at once all succeed."""
    barrier = threading.Barrier(8)

    def write(number: int) -> None:
        barrier.wait()
        with database.transaction() as session:
            session.add(_user(f"user{number}"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    with database.reading() as session:
        assert len(session.scalars(select(User)).all()) == 8


@pytest.mark.parametrize(
    ("code", "asked"), [(sqlite3.SQLITE_BUSY, 3), (sqlite3.SQLITE_BUSY_RECOVERY, 3), (sqlite3.SQLITE_FULL, 1)]
)
def test_only_what_others_do_is_waited_for(code: int, asked: int) -> None:
    """Another process's step is waited for; whatever else is wrong with the file is told at once."""
    error = sqlite3.OperationalError("no")
    error.sqlite_errorcode = code
    cursor = Mock(execute=Mock(side_effect=[error, error, None]))
    with pytest.raises(sqlite3.OperationalError) if asked == 1 else nullcontext():
        _write_ahead(cursor, PATIENCE_SECONDS)
    assert cursor.execute.call_count == asked


def test_moments_come_back_in_utc(database: Database) -> None:
    """A stored moment is the same moment when read, with its zone."""
    now = utc_now()
    with database.transaction() as session:
        user = _user("clock")
        user.created_at = now
        session.add(user)
    with database.reading() as session:
        read = session.scalars(select(User)).one().created_at
        assert read == now
        assert read.utcoffset() is not None
