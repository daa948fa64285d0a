"""Queries for what was set aside of the broker's queues."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import Session

from arena.store.models import SetAside


def add(session: Session, rows: Sequence[SetAside], most: int) -> None:
    """Keep these, and of all no more than the newest `most`."""
    session.add_all(rows)
    session.flush()
    session.execute(delete(SetAside).where(SetAside.id <= total(session) - most))


def newest() -> Select[SetAside]:
    """What is kept, the newest first."""
    return select(SetAside).order_by(SetAside.id.desc())


def total(session: Session) -> int:
    """How many there ever were."""
    return session.scalar(select(func.max(SetAside.id))) or 0
