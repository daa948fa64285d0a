"""What SQLAlchemy has once compiled, for all engines of a process.

A process of the arena has one database for as long as it runs, and compiles each statement once. Tests have
thousands of databases one after the other, and spent a third of their time on compiling the same for each.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

STATEMENTS = 10_000
"""More than all tests of a process have: statements, with the dialect that each is compiled for."""

_COMPILED = LRUCache[Any, Any](STATEMENTS)


def share() -> None:
    """Let every engine use what another one has compiled for the same kind and version of database."""
    event.listen(Engine, "engine_connect", _remember)
    DefaultDialect.__eq__ = _alike  # type: ignore[assignment,method-assign]
    DefaultDialect.__hash__ = _kind  # type: ignore[assignment,method-assign]


def _remember(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_COMPILED)


def _alike(one: DefaultDialect, other: object) -> bool:
    return (
        isinstance(other, DefaultDialect)
        and type(one) is type(other)
        and one.server_version_info == other.server_version_info
    )


def _kind(dialect: DefaultDialect) -> int:
    return hash(type(dialect))
