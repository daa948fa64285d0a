"""Queries for what people sign in with: sessions of the pages, links, and attempts that failed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session, contains_eager

from arena.core.clock import utc_now
from arena.store.models import SignInAttempt, SignInLink, Token, User, WebSession


def by_hash(session: Session, digest: str) -> WebSession | None:
    """The session of the pages, if it goes on and its user is in; with the classes that they organise."""
    query = select(WebSession).where(WebSession.hash == digest, WebSession.expires_at > utc_now())
    query = query.join(User).where(User.left_at.is_(None))
    return session.scalar(query.options(contains_eager(WebSession.user).selectinload(User.organises)))


def goes_on(session: Session, session_id: int) -> bool:
    """Whether a session of the pages goes on and its user is in."""
    query = select(WebSession.id).where(WebSession.id == session_id, WebSession.expires_at > utc_now())
    return session.scalar(query.join(User).where(User.left_at.is_(None))) is not None


class Glimpse(NamedTuple):
    """Of a session what a page for everybody needs of who reads it."""

    id: int
    user_id: int
    name: str
    role: str
    created_at: dt.datetime
    seen_at: dt.datetime
    token_ends_at: dt.datetime | None


def glimpse(session: Session, digest: str) -> Glimpse | None:
    """Who shows that session of the pages, if it goes on and its user is in; in one quick question."""
    asked = (User.id, User.name, User.role, WebSession.created_at, WebSession.seen_at, Token.expires_at)
    query = select(WebSession.id, *asked).select_from(WebSession).join(User)
    query = query.outerjoin(Token, Token.id == WebSession.token_id).where(
        WebSession.hash == digest, WebSession.expires_at > utc_now(), User.left_at.is_(None)
    )
    row = session.execute(query).first()
    return Glimpse(*row) if row else None


def token_end(session: Session, token_id: int) -> dt.datetime | None:
    """Until when a token is good; None where it has no end."""
    return session.scalar(select(Token.expires_at).where(Token.id == token_id))


def of_user(session: Session, user: User) -> Sequence[WebSession]:
    """The sessions of a user that go on, the last seen first."""
    query = select(WebSession).where(WebSession.user_id == user.id, WebSession.expires_at > utc_now())
    return session.scalars(query.order_by(WebSession.seen_at.desc(), WebSession.id.desc())).all()


def seen(session: Session, session_id: int, now: dt.datetime, expires_at: dt.datetime) -> None:
    """Keep when a session was last seen, and when it ends; one that has ended is not begun again."""
    query = update(WebSession).where(WebSession.id == session_id)
    session.execute(query.values(seen_at=now, expires_at=expires_at))


def end_expired(session: Session) -> None:
    """Forget the sessions that are over."""
    session.execute(delete(WebSession).where(WebSession.expires_at <= utc_now()))


def end_all(
    session: Session, user: User, *, but: WebSession | None = None, token_id: int | None = None
) -> int:
    """End a user's sessions, or those begun with a token, except one; how many."""
    query = delete(WebSession).where(WebSession.user_id == user.id)
    if but is not None:
        query = query.where(WebSession.id != but.id)
    if token_id is not None:
        query = query.where(WebSession.token_id == token_id)
    return len(session.scalars(query.returning(WebSession.id)).all())


def link(session: Session, digest: str, *, locked: bool = False) -> SignInLink | None:
    """The link with that secret, if it is good now and its user in; to be used once it is locked."""
    query = select(SignInLink).where(SignInLink.hash == digest, SignInLink.expires_at > utc_now())
    query = query.join(User).where(User.left_at.is_(None))
    query = query.options(contains_eager(SignInLink.user))
    return session.scalar(query.with_for_update(of=SignInLink) if locked else query)


def forget_links(session: Session, user: User) -> None:
    """Make the user's links worthless, and everybody's that have expired."""
    session.execute(
        delete(SignInLink).where((SignInLink.user_id == user.id) | (SignInLink.expires_at <= utc_now()))
    )


def attempts(session: Session, keys: Sequence[str]) -> dict[str, SignInAttempt]:
    """What has failed by these keys; locked, so that who tries at the same time is counted as well."""
    query = select(SignInAttempt).where(SignInAttempt.key.in_(keys)).order_by(SignInAttempt.key)
    return {row.key: row for row in session.scalars(query.with_for_update())}


def forget_attempts(session: Session, before: dt.datetime, most: int) -> None:
    """Forget what failed last before then; and of more than so many, those longest ago."""
    session.execute(delete(SignInAttempt).where(SignInAttempt.last_at < before))
    count = session.scalar(select(func.count()).select_from(SignInAttempt)) or 0
    if count > most:
        oldest = select(SignInAttempt.key).order_by(SignInAttempt.last_at).limit(count - most)
        session.execute(delete(SignInAttempt).where(SignInAttempt.key.in_(oldest)))
