"""Queries for who acts where several could: a row that is changed only by who knows what stands in it."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from sqlalchemy import Connection, Update, select, text, update
from sqlalchemy.orm import Session

from arena.store.models import Leader

STOPPED_SECONDS = 10
"""So long PostgreSQL waits for the next word within a transaction of a leader: one that was stopped, or whose
host is gone, keeps its locks no longer. SQLite's lock lasts as long as the process."""


class Seen(NamedTuple):
    """What stands in the row of a leader."""

    holder: str | None
    fence: int
    beat: int


def seen(session: Session, name: str) -> Seen:
    """Who leads, by which number, and the last sign of life."""
    query = select(Leader.holder, Leader.fence, Leader.beat).where(Leader.name == name)
    return Seen(*session.execute(query).one())


def take(session: Session, name: str, holder: str | None, before: Seen, now: dt.datetime) -> int | None:
    """Take over from who was seen, unless they or others gave a sign of life since; the new number.

    Without a `holder` nobody leads from then on.
    """
    query = update(Leader).where(
        Leader.name == name, Leader.fence == before.fence, Leader.beat == before.beat
    )
    fence = before.fence + 1
    changes = {"holder": holder, "fence": fence, "beat": before.beat + 1, "seen_at": now}
    return fence if _changes_one(session.connection(), query.values(**changes)) else None


def renew(connection: Connection, name: str, fence: int, ticks: int, now: dt.datetime) -> bool:
    """Give a sign of life under that number; whether it still is that of who leads.

    Until this transaction ends nobody takes over.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL idle_in_transaction_session_timeout = '{STOPPED_SECONDS}s'"))
    query = update(Leader).where(Leader.name == name, Leader.fence == fence)
    changes = {"beat": Leader.beat + 1, "ticks": Leader.ticks + ticks, "seen_at": now}
    return _changes_one(connection, query.values(**changes))


def row(session: Session, name: str) -> Leader:
    """All that is known of who leads."""
    return session.scalars(select(Leader).where(Leader.name == name)).one()


def _changes_one(connection: Connection, query: Update) -> bool:
    return connection.execute(query).rowcount == 1
