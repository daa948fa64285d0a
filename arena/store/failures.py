"""Why a database does not do what it is asked, told from its driver's error."""

from __future__ import annotations

import sqlite3
from enum import StrEnum

from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
    TimeoutError,  # noqa: A004  (SQLAlchemy's own name for it)
)

_OF_SQLITE: dict[int | None, str] = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "unwritable",
    sqlite3.SQLITE_PERM: "unwritable",
    sqlite3.SQLITE_IOERR: "unwritable",
    sqlite3.SQLITE_CORRUPT: "unwritable",
    sqlite3.SQLITE_NOTADB: "unwritable",
}
DEADLOCK = "40P01"
_OF_POSTGRESQL = {
    "25006": "unwritable",  # read_only_sql_transaction
    "40001": "locked",  # serialization_failure
    DEADLOCK: "locked",
    "53100": "full",  # disk_full
    "55P03": "locked",  # lock_not_available
    "57014": "locked",  # query_canceled
    "58030": "unwritable",  # io_error
    "XX001": "unwritable",  # data_corrupted
    "XX002": "unwritable",  # index_corrupted
}
"""By the codes of its appendix A."""
_REFUSALS: tuple[type[DatabaseError], ...] = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
"""What a database that works answers to a question that is wrong."""
PRIMARY_CODE = 0xFF
"""The part of an error's code of SQLite's that says which kind it is."""


class Failure(StrEnum):
    """`locked`: others hold what is needed. `full`: no room on its disk. `away`: anything not named here.

    `unwritable`: it is read-only or damaged, or its disk is, so that only reading may go on.
    """

    LOCKED = "locked"
    FULL = "full"
    UNWRITABLE = "unwritable"
    AWAY = "away"


WORDS = {
    Failure.LOCKED: "the database is busy: somebody else has held a lock for too long; try again in a moment",
    Failure.FULL: "the disk of the database is full; nothing can be written until there is room on it",
    Failure.UNWRITABLE: "the database takes no writes: it is read-only or damaged, or its disk is; "
    "nothing can be changed until its staff have mended that",
    Failure.AWAY: "the database does not answer; try again in a moment",
}


def sqlite_code(error: BaseException | None) -> int | None:
    """Which kind of trouble SQLite has; None where it is not SQLite's."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & PRIMARY_CODE


def is_deadlock(error: DBAPIError) -> bool:
    """Whether PostgreSQL has broken off one of several that waited for one another: it may try again."""
    return getattr(error.orig, "sqlstate", None) == DEADLOCK


def failure_of(error: SQLAlchemyError) -> Failure | None:
    """What kind of failure `error` is; None where the database works, and what it was asked is wrong."""
    if isinstance(error, _REFUSALS):
        return None
    if isinstance(error, TimeoutError):
        return Failure.LOCKED
    cause = error.orig if isinstance(error, DBAPIError) else None
    if isinstance(cause, sqlite3.Error):
        return Failure(_OF_SQLITE.get(sqlite_code(cause), Failure.AWAY))
    return Failure(_OF_POSTGRESQL.get(getattr(cause, "sqlstate", None) or "", Failure.AWAY))
