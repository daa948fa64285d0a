"""Queries for worker hosts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.store.models import Host


def seen_since(session: Session, moment: dt.datetime) -> Sequence[Host]:
    """The hosts that gave a sign of life since then, by name."""
    return session.scalars(select(Host).where(Host.seen_at >= moment).order_by(Host.name)).all()


def by_name(session: Session, name: str) -> Host | None:
    """The host of that name."""
    return session.get(Host, name)
