"""What stands in an arena's database, where no interface tells it, and how long it is waited for."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from tests.acceptance.conftest import Arena


def query(arena: Arena, words: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows of a question to the SQLite database of a running arena."""
    with closing(sqlite3.connect(arena.folder.root / "arena.sqlite3", timeout=60)) as connection:
        return connection.execute(words, values).fetchall()


def let_leases_end(arena: Arena) -> None:
    """Have the time pass that matches in play are waited for, where nobody gives a sign of life of them."""
    with closing(sqlite3.connect(arena.folder.root / "arena.sqlite3", timeout=60)) as connection:
        connection.execute(
            "UPDATE matches SET lease_until = '2000-01-01 00:00:00.000000' WHERE state = 'running'"
        )
        connection.commit()
