"""Queries for accounts at a school's OpenID provider, and for who was sent there."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, contains_eager

from arena.core.clock import utc_now
from arena.store.models import Identity, OpenIdRequest, User


def of_user(session: Session, user: User) -> Sequence[Identity]:
    """A user's accounts at providers, the oldest first."""
    return session.scalars(select(Identity).where(Identity.user_id == user.id).order_by(Identity.id)).all()


def by_subject(session: Session, issuer: str, subject: str) -> Identity | None:
    """The account of that subject at a provider, with its user, who may be out."""
    query = select(Identity).where(Identity.issuer == issuer, Identity.subject == subject)
    return session.scalar(query.join(User).options(contains_eager(Identity.user)))


def remove_all(session: Session, user: User) -> None:
    """Forget all of a user's accounts at providers, and that they were sent there to link one."""
    for table in (Identity, OpenIdRequest):
        session.execute(delete(table).where(table.user_id == user.id))


def take_request(session: Session, state_hash: str, browser_hash: str) -> OpenIdRequest | None:
    """Who was sent to the provider with that state and by that browser, if in time; nobody finds it again.

    Another browser takes nothing away.
    """
    columns = OpenIdRequest.__table__.columns
    query = delete(OpenIdRequest).where(
        OpenIdRequest.state_hash == state_hash, OpenIdRequest.browser_hash == browser_hash
    )
    row = session.execute(query.returning(*columns)).mappings().first()
    if row is None or row["expires_at"] <= utc_now():
        return None
    return OpenIdRequest(**row)


def forget_requests(session: Session, most: int) -> None:
    """Forget who was sent too long ago; and of more than so many, those sent first."""
    session.execute(delete(OpenIdRequest).where(OpenIdRequest.expires_at <= utc_now()))
    count = session.scalar(select(func.count()).select_from(OpenIdRequest)) or 0
    if count >= most:
        oldest = select(OpenIdRequest.state_hash).order_by(OpenIdRequest.expires_at).limit(count - most + 1)
        session.execute(delete(OpenIdRequest).where(OpenIdRequest.state_hash.in_(oldest)))
