"""Queries for the keys by which worker hosts are known, and for the codes by which they become so."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from arena.store.models import EnrolmentCode, WorkerKey


def enrolled(session: Session) -> dict[str, str]:
    """The host of each public key that is good."""
    query = select(WorkerKey.public, WorkerKey.host).where(WorkerKey.revoked_at.is_(None))
    return {row.public: row.host for row in session.execute(query)}


def all_keys() -> Select[WorkerKey]:
    """All keys that there ever were, the good ones first, by host."""
    return select(WorkerKey).order_by(WorkerKey.revoked_at.is_not(None), WorkerKey.host, WorkerKey.id)


def good_key(session: Session, host: str) -> WorkerKey | None:
    """The key of a host, locked."""
    query = select(WorkerKey).where(WorkerKey.host == host, WorkerKey.revoked_at.is_(None))
    return session.scalar(query.with_for_update())


def known_key(session: Session, public: str) -> WorkerKey | None:
    """That key, if it is, or was, anybody's."""
    return session.scalar(select(WorkerKey).where(WorkerKey.public == public))


def good_code(
    session: Session, digest: str, now: dt.datetime, *, locked: bool = True
) -> EnrolmentCode | None:
    """The code of that digest which nobody has used."""
    query = select(EnrolmentCode).where(
        EnrolmentCode.hash == digest, EnrolmentCode.used_at.is_(None), EnrolmentCode.expires_at > now
    )
    return session.scalar(query.with_for_update() if locked else query)
