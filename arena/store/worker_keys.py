"""Queries for the keys by which worker hosts are known, and for the codes by which they become so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

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


def newest_key(session: Session, host: str) -> WorkerKey | None:
    """The good key of a host, or that which it had last."""
    query = select(WorkerKey).where(WorkerKey.host == host)
    return session.scalar(query.order_by(WorkerKey.revoked_at.is_not(None), WorkerKey.id.desc()).limit(1))


def of_hosts(session: Session, names: Collection[str]) -> dict[str, WorkerKey]:
    """The good keys of these hosts."""
    query = select(WorkerKey).where(WorkerKey.host.in_(names), WorkerKey.revoked_at.is_(None))
    return {key.host: key for key in session.scalars(query)}


def trusted(session: Session) -> set[str]:
    """The hosts of which no match is played again to be compared."""
    query = select(WorkerKey.host).where(WorkerKey.repeat_share.is_(None), WorkerKey.revoked_at.is_(None))
    return set(session.scalars(query))


def laboratory(session: Session) -> dict[str, float]:
    """The hosts that are not trusted, with the share of their matches that is played again."""
    query = select(WorkerKey.host, WorkerKey.repeat_share).where(
        WorkerKey.repeat_share.is_not(None), WorkerKey.revoked_at.is_(None)
    )
    return {host: share for host, share in session.execute(query) if share is not None}


def good_code(
    session: Session, digest: str, now: dt.datetime, *, locked: bool = True
) -> EnrolmentCode | None:
    """The code of that digest which nobody has used."""
    query = select(EnrolmentCode).where(
        EnrolmentCode.hash == digest, EnrolmentCode.used_at.is_(None), EnrolmentCode.expires_at > now
    )
    return session.scalar(query.with_for_update() if locked else query)
