"""Whether a database can be used as it is: whole, writable, and of tables that this version knows."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from arena.core.errors import UnavailableError, UnusableDatabaseError
from arena.store.failures import sqlite_code
from workers.core.escape import without_password
from workers.core.setting_types import to_write

MIGRATIONS = Path(__file__).parent / "migrations"
UNUSABLE = {
    sqlite3.SQLITE_NOTADB: "is no SQLite database, or damaged; restore a backup, or choose another folder",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore a backup, or choose another folder",
    sqlite3.SQLITE_READONLY: "cannot be written; make the file and its folder writable for this user",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; is its folder there, and may this user enter and write it?",
    sqlite3.SQLITE_PERM: "may not be opened by this user; make the file and its folder writable",
}
READ_ONLY = "25006"
"""PostgreSQL's code for a transaction that may only read."""


def shown(url: URL) -> str:
    """A database's address for people, without its password."""
    if url.get_backend_name() == "sqlite":
        return f"the database {url.database}"
    return f"the database {without_password(url.render_as_string())}"


@contextmanager
def explaining_driver_errors(url: URL) -> Iterator[None]:
    """Turn what a driver raises into one sentence.

    Raises:
        UnusableDatabaseError: no waiting would help.
        UnavailableError: it does not answer, or is busy.
    """
    try:
        yield
    except DBAPIError as error:
        if (trouble := UNUSABLE.get(sqlite_code(error.orig) or 0)) is not None:
            raise UnusableDatabaseError(f"{shown(url)} {trouble}") from error
        if getattr(error.orig, "sqlstate", None) == READ_ONLY:
            raise UnusableDatabaseError(f"{shown(url)} can only be read; the arena must write it") from error
        if sqlite_code(error.orig) == sqlite3.SQLITE_BUSY:
            raise UnavailableError(
                f"{shown(url)} is busy: another program holds its lock; try again"
            ) from error
        reason = str(error.orig).strip().partition("\n")[0]
        raise UnavailableError(f"{shown(url)} does not answer: {reason}") from error


def check_tables(connection: Connection) -> None:
    """Make sure that the tables, where there are some, are the arena's, and of no newer version.

    Raises:
        UnusableDatabaseError: they are not.
    """
    tables = set(inspect(connection).get_table_names())
    there, known = applied(connection), revisions()
    whose = shown(connection.engine.url)
    if newer := {each for each in there - known if re.fullmatch(r"\d{4}", each) and each > max(known)}:
        raise UnusableDatabaseError(
            f"{whose} was made by a newer version of the arena (its tables are of revision {max(newer)}, this"
            f" version knows {max(known)} at most); install that version, or choose another folder"
        )
    if not there <= known or (not there and tables - {"alembic_version"}):
        raise UnusableDatabaseError(
            f"{whose} belongs to something else (it has tables that the arena did not make); choose another"
        )


def check_place(file: Path, url: URL) -> None:
    """Make sure that SQLite can make its files at `file` and beside it; nothing is there, or not a byte.

    Raises:
        UnusableDatabaseError: it cannot.
    """
    try:
        if file.exists():
            os.close(os.open(file, os.O_RDWR))
        to_write(file.parent)
    except OSError as error:
        raise UnusableDatabaseError(f"{shown(url)} {UNUSABLE[sqlite3.SQLITE_CANTOPEN]}") from error


def applied(connection: Connection) -> set[str]:
    """The revision of the tables that there are; none where nothing was ever made."""
    if "alembic_version" not in inspect(connection).get_table_names():
        return set()
    return set(connection.scalars(text("SELECT version_num FROM alembic_version")))


def revisions() -> set[str]:
    """The revisions of the tables that this version knows, such as `0007`."""
    return {path.name.split("_")[1] for path in (MIGRATIONS / "versions").glob("rev_*.py")}
