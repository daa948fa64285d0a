"""Transactions that wait for each other, on PostgreSQL."""

from __future__ import annotations

from sqlalchemy import text

from arena.store.database import Database
from tests.waiting import eventually

_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


def until_somebody_waits(database: Database) -> None:
    """Return when a transaction waits for what another one has locked."""

    def waits() -> bool:
        with database.reading() as session:
            return bool(session.scalar(_WAITING))

    eventually(waits)
