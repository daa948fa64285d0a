"""Stamps: what an answer was made of, as one quick question to the database and what that said.

As long as it says the same, the answer is true. Stamps are asked for in the event loop, beside the engine's
connections, by a connection of their own.
"""

from __future__ import annotations

import asyncio
import sqlite3
from functools import lru_cache
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

from sqlalchemy import (
    BigInteger,
    Compiled,
    CompoundSelect,
    Dialect,
    Select,
    String,
    bindparam,
    cast,
    func,
    literal,
    make_url,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import Session, aliased

from arena.core.terms import MatchState
from arena.store.database import is_frozen
from arena.store.leases import ISSUED
from arena.store.matches import Listed
from arena.store.models import FROZEN, Analysis, Bot, BotVersion, Check, Entry, Event, Match, Tournament
from arena.store.news import ANNOUNCEMENT

PATIENCE_SECONDS = 1.0
"""After so long an answer is worked out anew rather than waited for."""

Rows = tuple[tuple[Any, ...], ...]
Asked = Select[*tuple[Any, ...]] | CompoundSelect[*tuple[Any, ...]]


class Question(NamedTuple):
    """A statement in the words of the database's driver, with its values by their names."""

    statement: str
    values: tuple[tuple[str, Any], ...]


class Stamp(NamedTuple):
    """A question, and the rows that answered it."""

    question: Question
    rows: Rows


_COUNTED = aliased(Match)
_PARKED, *_ISSUED = (
    select(func.count(_COUNTED.id))
    .where(_COUNTED.tournament_id == Tournament.id, _COUNTED.state == state)
    .scalar_subquery()
    for state in (MatchState.PARKED, *ISSUED)
)
_REVISION = select(Tournament.revision, _PARKED)
_TOURNAMENT = _REVISION.where(Tournament.id == bindparam("tournament"))
_STATES = _REVISION.add_columns(*_ISSUED)
_STATES_OF_ONE = _STATES.where(Tournament.id == bindparam("tournament"))
_ANALYSED = (
    select(column).where(Analysis.match_id == bindparam("match")).correlate(None).scalar_subquery()
    for column in (Analysis.state, Analysis.attempt)
)
_STATE_OF_MATCH = _STATES.add_columns(Match.state, Match.attempt, *_ANALYSED).where(
    Match.tournament_id == Tournament.id, Match.id == bindparam("match")
)
_JUDGED, _TRIED = (
    select(number)
    .select_from(Match)
    .join(Analysis, Analysis.match_id == Match.id)
    .where(Match.tournament_id == Tournament.id)
    .scalar_subquery()
    for number in (func.count(Analysis.accuracy), func.coalesce(func.sum(Analysis.attempt), 0))
)
_ACCURACY = _REVISION.add_columns(_JUDGED, _TRIED).where(Tournament.id == bindparam("tournament"))
_KEPT = FROZEN["tournaments"].c
_FROZEN = select(_KEPT.revision).where(_KEPT.id == bindparam("tournament"))
_SHOWN = select(
    func.count(Tournament.id).label("tournaments"),
    func.coalesce(func.sum(Tournament.revision), 0).label("revisions"),
    func.coalesce(func.sum(cast(Tournament.revision, BigInteger) * Tournament.id), 0).label("places"),
).where(Tournament.frozen_at.is_(None))
_SHOWN_FROZEN = select(
    func.count(_KEPT.id).label("kept"),
    func.coalesce(func.sum(_KEPT.revision), 0).label("kept_revisions"),
    func.coalesce(func.sum(cast(_KEPT.revision, BigInteger) * _KEPT.id), 0).label("kept_places"),
)
_ANNOUNCED = (
    select(func.max(Event.id))
    .where(Event.kind == ANNOUNCEMENT, Event.tournament_id.is_(None))
    .scalar_subquery()
    .label("announced")
)
_KEPT_ENTRY = FROZEN["entries"].c
_OF_BOT = union_all(
    select(literal("present"), Tournament.id, Tournament.revision)
    .join(Entry, Entry.tournament_id == Tournament.id)
    .where(Entry.bot_id == bindparam("bot"), Tournament.frozen_at.is_(None)),
    select(literal("kept"), _KEPT.id, _KEPT.revision)
    .join_from(FROZEN["tournaments"], FROZEN["entries"], _KEPT_ENTRY.tournament_id == _KEPT.id)
    .where(_KEPT_ENTRY.bot_id == bindparam("bot")),
    select(cast(BotVersion.state, String), BotVersion.number, func.coalesce(Check.attempt, 0))
    .outerjoin(Check, Check.version_id == BotVersion.id)
    .where(BotVersion.bot_id == bindparam("bot")),
    select(Bot.name, Bot.id, Bot.owner_id).where(Bot.id == bindparam("bot")),
)
_OF_BOT_IN_GAME: CompoundSelect[*tuple[Any, ...]] = union_all(
    *_OF_BOT.selects,
    select(literal("game"), func.sum(Tournament.id), func.sum(Tournament.revision)).where(
        Tournament.game == bindparam("game"), Tournament.frozen_at.is_(None)
    ),
    select(literal("kept"), func.sum(_KEPT.id), func.sum(_KEPT.revision)).where(
        _KEPT.game == bindparam("game")
    ),
)
_STATES_OF_MANY = (
    _STATES.add_columns(Tournament.id, select(func.count(Tournament.id)).correlate(None).scalar_subquery())
    .order_by(Tournament.id.desc())
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)


def of_frozen(session: Session, tournament: Tournament) -> Stamp:
    """What is kept of a frozen tournament: it changes with its timetable, and is gone after the freeze."""
    return _taken(session, _FROZEN, tournament=tournament.id)


def of_tournament(session: Session, tournament: Tournament) -> Stamp:
    """What a tournament is at: its pages and tables change with its revision, and with matches parked."""
    if is_frozen(session):
        return of_frozen(session, tournament)
    return _taken(session, _TOURNAMENT, tournament=tournament.id)


def of_accuracy(session: Session, tournament: Tournament) -> Stamp:
    """The same with how many of its games are judged, and how often it was tried to judge any.

    Who is shown a frozen tournament is told of none.
    """
    if is_frozen(session):
        return of_frozen(session, tournament)
    return _taken(session, _ACCURACY, tournament=tournament.id)


def of_states(session: Session, tournament: Tournament) -> Stamp:
    """The same with how many of its matches are in each state."""
    if is_frozen(session):
        return of_frozen(session, tournament)
    return _taken(session, _STATES_OF_ONE, tournament=tournament.id)


def of_tournaments(session: Session, offset: int, limit: int) -> Stamp:
    """The same of a part of all tournaments, newest first, and how many there are."""
    return _taken(session, _STATES_OF_MANY, offset=offset, limit=limit)


def of_match(session: Session, match: Match) -> Stamp:
    """The same of its tournament with the match's state and attempt, and how far its analysis is."""
    if is_frozen(session):
        return of_frozen(session, match.tournament)
    return _taken(session, _STATE_OF_MATCH, match=match.id)


def of_matches(session: Session, tournament: Tournament, matches: Listed) -> Stamp:
    """The same of a tournament with the states of some of its matches.

    All else that a list shows of a match changes with the tournament's revision.
    """
    if is_frozen(session):
        return of_frozen(session, tournament)
    at = _STATES.where(Tournament.id == tournament.id).subquery()
    listed = matches.subquery()
    query = select(at, listed.c.id, listed.c.state).select_from(at.outerjoin(listed, true()))
    return _taken(session, query)


def of_all(session: Session, playing: Listed | None = None, game: str | None = None) -> Stamp:
    """What the public is told of all tournaments, or of those of a game, and the states of some matches.

    What is announced to everybody is part of it. Nothing that happens behind a freeze changes it.
    """
    open_, frozen = _SHOWN, _SHOWN_FROZEN
    if game is not None:
        open_, frozen = open_.where(Tournament.game == game), frozen.where(_KEPT.game == game)
    at, kept = open_.subquery(), frozen.subquery()
    if playing is None:
        return _taken(session, select(at, kept, _ANNOUNCED).select_from(at.join(kept, true())))
    listed = playing.subquery()
    beside = at.join(kept, true()).outerjoin(listed, true())
    return _taken(session, select(at, kept, _ANNOUNCED, listed.c.id, listed.c.state).select_from(beside))


def of_bot(session: Session, bot: Bot) -> Stamp:
    """What a bot's pages are made of: all tournaments that it is in, its versions, and what it is called.

    With whoever's data is erased their bots have other names, also those that are in no tournament.
    """
    return _taken(session, _OF_BOT, bot=bot.id)


def of_bot_in_game(session: Session, bot: Bot, game: str) -> Stamp:
    """The same with what all tournaments of one game are at, frozen ones as they are shown."""
    return _taken(session, _OF_BOT_IN_GAME, bot=bot.id, game=game)


def _taken(session: Session, query: Asked, **values: Any) -> Stamp:
    compiled = _compiled(query, session.get_bind().dialect)
    rows = tuple(tuple(row) for row in session.execute(query, values))
    asked = compiled.construct_params(values) or {}
    return Stamp(Question(compiled.string, tuple(asked.items())), rows)


@lru_cache(32)
def _compiled(query: Asked, dialect: Dialect) -> Compiled:
    """A statement in the words of the database's driver, with its values by their names."""
    return query.compile(dialect=sqlite.dialect(paramstyle="named") if dialect.name == "sqlite" else dialect)


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
        import psycopg  # noqa: PLC0415  (for who has such a database)

        self._connect = psycopg.AsyncConnection.connect
        self._errors: tuple[type[Exception], ...] = (psycopg.Error, TimeoutError)
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
                        self._connection = await self._connect(self._conninfo, autocommit=True)
                    cursor = await self._connection.execute(
                        question.statement.encode(), dict(question.values)
                    )
                    return tuple(await cursor.fetchall())
            except self._errors:
                await self.close()
                return None

    async def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
