"""What stands in an arena's database, where no interface tells it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from tests.acceptance.conftest import Arena


def query(arena: Arena, words: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows of a question to the SQLite database of a running arena."""
    with closing(sqlite3.connect(arena.folder.root / "arena.sqlite3", timeout=60)) as connection:
        return connection.execute(words, values).fetchall()
