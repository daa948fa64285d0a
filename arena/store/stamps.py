"""Stamps: what an answer was made of, as one quick question to the database and what that said.

As long as it says the same, the answer is true. Stamps are asked for in the event loop, beside the engine's
connections, by a connection of their own.
"""

from __future__ import annotations

import asyncio
import sqlite3
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

import psycopg
from sqlalchemy import Select, func, make_url, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.store.models import Match, Tournament

PATIENCE_SECONDS = 1.0
"""After so long an answer is worked out anew rather than waited for."""

Rows = tuple[tuple[Any, ...], ...]


class Question(NamedTuple):
    """A statement in the words of the database's driver, with its values by their names."""

    statement: str
    values: tuple[tuple[str, Any], ...]


class Stamp(NamedTuple):
    """A question, and the rows that answered it."""

    question: Question
    rows: Rows


def of_tournament(session: Session, tournament: Tournament) -> Stamp:
    """What a tournament is at: its pages and tables change with its revision, and with matches parked."""
    parked = select(func.count()).where(
        Match.tournament_id == tournament.id, Match.state == MatchState.PARKED
    )
    query = select(Tournament.revision, parked.scalar_subquery()).where(Tournament.id == tournament.id)
    return _taken(session, query)


def _taken(session: Session, query: Select[int, int]) -> Stamp:
    dialect = session.get_bind().dialect
    if dialect.name == "sqlite":
        dialect = sqlite.dialect(paramstyle="named")
    compiled = query.compile(dialect=dialect)
    rows = tuple(tuple(row) for row in session.execute(query))
    return Stamp(Question(compiled.string, tuple(sorted(compiled.params.items()))), rows)


class Stamps(Protocol):
    """Asks for stamps in the event loop that it is first used in."""

    async def now(self, question: Question) -> Rows | None:
        """The rows that answer it now; None where the database does not say."""

    async def close(self) -> None:
        """End the connection."""


def stamps(url: str) -> Stamps:
    """What asks the database of that URL."""
    parts = make_url(url)
    if parts.get_backend_name() == "sqlite":
        return SqliteStamps(parts.database or "")
    return PostgresqlStamps(parts.set(drivername="postgresql").render_as_string(hide_password=False))


class SqliteStamps:
    """Of a file: reading takes microseconds, and nobody who writes holds it up."""

    def __init__(self, file: str) -> None:
        self._uri = f"file:{quote(file)}?mode=rw"  # a file that is not there is not made
        self._connection: sqlite3.Connection | None = None

    async def now(self, question: Question) -> Rows | None:
        """The rows that answer it now; None where the database does not say."""
        try:
            if self._connection is None:
                self._connection = sqlite3.connect(self._uri, uri=True, timeout=0, isolation_level=None)
            return tuple(self._connection.execute(question.statement, dict(question.values)).fetchall())
        except sqlite3.Error:
            await self.close()
            return None

    async def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class PostgresqlStamps:
    """Of a server: one question at a time. Who asks what is not yet under way is answered together."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._waiting: dict[Question, asyncio.Task[Rows | None]] = {}
        self._turn = asyncio.Lock()

    async def now(self, question: Question) -> Rows | None:
        """The rows that answer it now; None where the database does not say."""
        asked = self._waiting.get(question)
        if asked is None:
            asked = self._waiting[question] = asyncio.create_task(self._ask(question))
        return await asyncio.shield(asked)  # whoever goes away leaves the others their answer

    async def _ask(self, question: Question) -> Rows | None:
        async with self._turn:
            del self._waiting[question]
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    if self._connection is None:
                        connect = psycopg.AsyncConnection.connect
                        self._connection = await connect(self._conninfo, autocommit=True)
                    cursor = await self._connection.execute(
                        question.statement.encode(), dict(question.values)
                    )
                    return tuple(await cursor.fetchall())
            except (psycopg.Error, TimeoutError):
                await self.close()
                return None

    async def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
