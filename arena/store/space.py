"""How much room the database takes, and what is in it."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from arena.store.models import Base, Bot, BotVersion, Event, User

LOOKED_THROUGH = 200_000


class TableSize(NamedTuple):
    """A table, about how many rows it has, and its bytes with its indexes where the database tells them."""

    name: str
    rows: int
    size: int | None


class DatabaseSize(NamedTuple):
    """The bytes of the whole database, and of them those that it would reuse, where it tells."""

    size: int
    free: int | None


def database_size(session: Session) -> DatabaseSize:
    """How much room the database takes."""
    if session.get_bind().dialect.name == "sqlite":
        pages, free, each = (
            session.scalar(text(f"PRAGMA {name}")) or 0
            for name in ("page_count", "freelist_count", "page_size")
        )
        return DatabaseSize(pages * each, free * each)
    return DatabaseSize(session.scalar(text("SELECT pg_database_size(current_database())")) or 0, None)


def tables(session: Session) -> list[TableSize]:
    """About how many rows each table has, the largest first, without counting them.

    PostgreSQL keeps an estimate. SQLite numbers rows: the last number is at least how many there are.
    """
    if session.get_bind().dialect.name == "sqlite":
        return _sqlite_tables(session)
    query = text(
        "SELECT c.relname, c.reltuples, pg_total_relation_size(c.oid) FROM pg_class AS c"
        " JOIN pg_namespace AS n ON n.oid = c.relnamespace"
        " WHERE c.relkind = 'r' AND n.nspname = current_schema() ORDER BY 3 DESC"
    )
    known = Base.metadata.tables
    return [
        TableSize(name, max(0, round(rows)), size)
        for name, rows, size in session.execute(query)
        if name in known
    ]


def _sqlite_tables(session: Session) -> list[TableSize]:
    names = sorted(Base.metadata.tables)
    asked = ", ".join(f"(SELECT max(rowid) FROM {name})" for name in names)  # noqa: S608  (names of ours)
    counts = session.execute(text(f"SELECT {asked}")).one()
    found = [TableSize(name, count or 0, None) for name, count in zip(names, counts, strict=True)]
    return sorted(found, key=lambda each: -each.rows)


def archives(session: Session) -> set[str]:
    """The hashes of the archives that a version refers to."""
    return set(session.scalars(select(BotVersion.archive)))


def archives_expected(session: Session) -> set[str]:
    """The same without those of people whose data was erased, which may have been removed."""
    query = (
        select(BotVersion.archive).join(Bot, Bot.id == BotVersion.bot_id).join(User, User.id == Bot.owner_id)
    )
    return set(session.scalars(query.where(User.erased_at.is_(None))))


def events_since(session: Session, moment: dt.datetime) -> tuple[int, int]:
    """How many events came since then, among the newest ones that are looked through, and how many in all."""
    newest = select(Event.at).order_by(Event.id.desc()).limit(LOOKED_THROUGH).subquery()
    count = session.scalar(select(func.count()).select_from(newest).where(newest.c.at >= moment)) or 0
    return count, session.scalar(select(func.max(Event.id))) or 0
