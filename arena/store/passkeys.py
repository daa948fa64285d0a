"""Queries for passkeys and the challenges that they answer."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, contains_eager

from arena.core.clock import utc_now
from arena.store.models import Passkey, PasskeyChallenge, User


def of_user(session: Session, user: User) -> Sequence[Passkey]:
    """A user's passkeys, the oldest first."""
    return session.scalars(select(Passkey).where(Passkey.user_id == user.id).order_by(Passkey.id)).all()


def by_credential(session: Session, credential_id: str, *, locked: bool = False) -> Passkey | None:
    """The passkey with that id, if its user is in; to be used once it is locked."""
    query = select(Passkey).where(Passkey.credential_id == credential_id)
    query = query.join(User).where(User.left_at.is_(None)).options(contains_eager(Passkey.user))
    return session.scalar(query.with_for_update(of=Passkey) if locked else query)


def remove_all(session: Session, user: User) -> None:
    """Forget all of a user's passkeys, and what new ones were to answer."""
    for table in (Passkey, PasskeyChallenge):
        session.execute(delete(table).where(table.user_id == user.id))


def take_challenge(session: Session, key: str) -> PasskeyChallenge | None:
    """The challenge with that key, if it is good; nobody else finds it after that."""
    query = delete(PasskeyChallenge).where(PasskeyChallenge.hash == key)
    row = session.execute(
        query.returning(PasskeyChallenge.user_id, PasskeyChallenge.handle, PasskeyChallenge.expires_at)
    ).first()
    if row is None or row.expires_at <= utc_now():
        return None
    return PasskeyChallenge(hash=key, user_id=row.user_id, handle=row.handle, expires_at=row.expires_at)


def forget_challenges(session: Session, most: int) -> None:
    """Forget the challenges that are too old; and of more than so many, the oldest."""
    session.execute(delete(PasskeyChallenge).where(PasskeyChallenge.expires_at <= utc_now()))
    count = session.scalar(select(func.count()).select_from(PasskeyChallenge)) or 0
    if count >= most:
        oldest = select(PasskeyChallenge.hash).order_by(PasskeyChallenge.expires_at).limit(count - most + 1)
        session.execute(delete(PasskeyChallenge).where(PasskeyChallenge.hash.in_(oldest)))
