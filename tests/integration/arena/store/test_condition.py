"""Databases that the arena cannot work with are refused with one sentence."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from arena.core.errors import UnavailableError, UnusableDatabaseError
from arena.store.condition import revisions
from arena.store.database import Database
from arena.store.migrations.versions import rev_0001_first_tables

PAGE = 4096


@pytest.fixture
def file(sqlite_template: Path, tmp_path: Path) -> Path:
    """A migrated database."""
    path = tmp_path / "arena.sqlite3"
    path.write_bytes(sqlite_template.read_bytes())
    return path


def refusal(url: str) -> str:
    """What is said of a database, by a look at it and by its migration alike."""
    database = Database(url)
    told = []
    for use in (database.check, database.migrate):
        with pytest.raises(UnusableDatabaseError) as error:
            use()
        told.append(str(error.value))
    database.close()
    assert told[0] == told[1]
    assert "\n" not in told[0]
    return told[0]


def test_a_usable_one_is_not_complained_of(database: Database) -> None:
    """Migrated and empty ones will do, and nothing is written into them."""
    database.check()
    with database.engine.begin() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == max(revisions())
    assert rev_0001_first_tables.revision < max(revisions())


def test_one_of_a_newer_version(database: Database) -> None:
    """Both versions are named, and the tables are left as they are."""
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for use in (database.check, database.migrate):
        with pytest.raises(
            UnusableDatabaseError, match=f"revision 9999, this version knows {max(revisions())} at most"
        ):
            use()


def test_one_that_is_no_database(file: Path) -> None:
    """A file of something else is not written over."""
    file.write_bytes(b"a text" * 1000)
    assert "is no SQLite database" in refusal(f"sqlite:///{file}")
    assert file.read_bytes() == b"a text" * 1000


def test_one_whose_pages_are_damaged(file: Path) -> None:
    """The first page, with the names of the tables, is not what it was."""
    content = bytearray(file.read_bytes())
    content[100:PAGE] = b"\xff" * (PAGE - 100)
    file.write_bytes(content)
    assert "is damaged; restore a backup" in refusal(f"sqlite:///{file}")


@pytest.mark.parametrize("versions", [None, [], ["a1b2c3"]], ids=["none", "no version", "another's version"])
def test_one_of_something_else(empty_url: str, tmp_path: Path, versions: list[str] | None) -> None:
    """Tables that the arena did not make are left as they are, to the byte."""
    foreign = create_engine(empty_url)
    with foreign.begin() as connection:
        connection.execute(text("CREATE TABLE users (id int)"))
        if versions is not None:
            connection.execute(text("CREATE TABLE alembic_version (version_num varchar(32))"))
        for each in versions or ():
            connection.execute(text("INSERT INTO alembic_version VALUES (:each)"), {"each": each})
    foreign.dispose()
    before = [file.read_bytes() for file in tmp_path.iterdir()]
    looking = Database(empty_url)
    with pytest.raises(UnusableDatabaseError, match="belongs to something else"):
        looking.check()
    looking.close()
    assert [file.read_bytes() for file in tmp_path.iterdir()] == before
    assert "belongs to something else" in refusal(empty_url)


@pytest.mark.parametrize("left", [b"", None], ids=["without a byte", "away"])
def test_one_that_can_be_made(tmp_path: Path, left: bytes | None) -> None:
    """A look makes nothing."""
    file = tmp_path / "arena.sqlite3"
    if left is not None:
        file.write_bytes(left)
    database = Database(f"sqlite:///{file}")
    database.check()
    assert database.is_empty
    assert [each.stat().st_size for each in tmp_path.iterdir()] == ([] if left is None else [0])


def test_one_that_may_only_be_read(file: Path) -> None:
    """The arena must write, and says so at once."""
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    assert "cannot be written" in refusal(f"sqlite:///file:{file}?mode=ro&uri=true")


def test_one_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """A folder that was mistyped is not made, neither by looking nor by migrating."""
    assert "cannot be opened" in refusal(f"sqlite:///{tmp_path}/nowhere/arena.sqlite3")
    assert not list(tmp_path.iterdir())


def test_one_that_does_not_answer() -> None:
    """Whoever asks may wait for it, so that is another kind of error; no password is told."""
    database = Database("postgresql://user:secret@127.0.0.1:1/arena")
    with pytest.raises(UnavailableError, match="does not answer") as error:
        database.check()
    database = Database("postgresql://127.0.0.1:1/arena?password=secret")
    with pytest.raises(UnavailableError, match=r"password=\*\*\*"):
        database.check()
    assert not isinstance(error.value, UnusableDatabaseError)
    assert "secret" not in str(error.value)
