"""Queries for submission checks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from arena.store.leases import ISSUED, locked
from arena.store.models import Check, MatchState


def lock(session: Session, version_id: int) -> Check | None:
    """The check of a version as it is now; nobody else changes it until this transaction ends."""
    return session.scalar(locked(select(Check).where(Check.version_id == version_id), Check))


def any_pending(session: Session, served: Collection[str]) -> bool:
    """Whether a check waits to be given out that one of the hosts can do."""
    query = select(Check.version_id).where(Check.state == MatchState.PENDING, Check.needs.in_(served))
    return bool(session.scalar(select(exists(query))))


def lock_pending(session: Session, served: Collection[str], limit: int) -> Sequence[Check]:
    """The next checks to be given out, those that wait longest first, locked."""
    query = select(Check).where(Check.state == MatchState.PENDING, Check.needs.in_(served))
    query = query.order_by(Check.created_at, Check.version_id).limit(limit)
    return session.scalars(locked(query, Check)).all()


def lock_expired(session: Session, now: dt.datetime, limit: int) -> Sequence[Check]:
    """Checks given out whose lease ran out before `now`, locked."""
    query = select(Check).where(Check.state.in_(ISSUED), Check.lease_until < now)
    return session.scalars(locked(query.order_by(Check.version_id).limit(limit), Check)).all()
