"""What engines of a process of tests do otherwise than the arena's, which takes half of the time.

A process of the arena has one database for as long as it runs, and compiles each statement once; tests have
thousands one after the other, and share what is compiled. Their databases need not survive the machine, so
that SQLite's commits do not wait for the disk.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

STATEMENTS = 10_000
"""More than all tests of a process have: statements, with the dialect that each is compiled for."""

_COMPILED = LRUCache[Any, Any](STATEMENTS)


def hasten() -> None:
    """Let every engine use what another one has compiled for the same kind, and commit without the disk."""
    event.listen(Engine, "connect", _wait_for_no_disk)
    event.listen(Engine, "engine_connect", _remember)
    DefaultDialect.__eq__ = _alike  # type: ignore[assignment,method-assign]
    DefaultDialect.__hash__ = _kind  # type: ignore[assignment,method-assign]


def _wait_for_no_disk(connection: Any, _record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous = OFF")


def _remember(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_COMPILED)


def _alike(one: DefaultDialect, other: object) -> bool:
    """Whether they are of one kind, which they are for good: what they learn of their database is left out.

    Keys of a cache that become alike later on would be taken for one another when one of them is removed.
    """
    return isinstance(other, DefaultDialect) and _words(one) == _words(other)


def _kind(dialect: DefaultDialect) -> int:
    return hash(_words(dialect))


def _words(dialect: DefaultDialect) -> tuple[type[DefaultDialect], str]:
    return type(dialect), dialect.paramstyle
