"""Databases for the arena's tests: every test gets an empty, migrated one of its own.

What is tried on both kinds is tried on PostgreSQL in the long run only.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from arena.core.settings import Settings
from arena.store.database import Database
from tests.integration.arena.site import populated
from tests.integration.arena.world import World
from tests.postgres import PostgresServer

__all__ = ["populated"]

BOTH_KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)]
PATIENCE_SECONDS = 600.0
"""So long a lock or a connection is waited for that comes at once where the machine is idle."""

_numbers = count(1)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    file = tmp_path_factory.mktemp("template") / "arena.sqlite3"
    database = Database(f"sqlite:///{file}", patience_seconds=PATIENCE_SECONDS)
    database.migrate()
    with database.engine.connect() as connection:
        connection.rollback()
    database.close()
    return file


@pytest.fixture(params=BOTH_KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/empty.sqlite3"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.empty()
    yield url
    server.drop(url)


@pytest.fixture(params=BOTH_KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A migrated database, once of each kind."""
    if request.param == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        file = shutil.copy(template, tmp_path / "arena.sqlite3")
        sqlite = Database(f"sqlite:///{file}", patience_seconds=PATIENCE_SECONDS)
        yield sqlite
        sqlite.close()
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.migrated()
    postgresql = Database(url, patience_seconds=PATIENCE_SECONDS)
    yield postgresql
    postgresql.close()
    server.give_back(url)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings that point nowhere but into the test's folder."""
    return Settings(data_dir=tmp_path)


@pytest.fixture
def world(database: Database, settings: Settings) -> World:
    """A small world on a migrated database, once of each kind."""
    return World(database, settings)


@pytest.fixture
def sqlite_world(sqlite_template: Path, settings: Settings, tmp_path: Path) -> Iterator[Callable[[], World]]:
    """Makes a fresh small world on SQLite with every call, for tests of many examples."""
    made: list[Database] = []

    def make() -> World:
        file = shutil.copy(sqlite_template, tmp_path / f"world{next(_numbers)}.sqlite3")
        made.append(Database(f"sqlite:///{file}", patience_seconds=PATIENCE_SECONDS))
        return World(made[-1], settings)

    yield make
    for database in made:
        database.close()
