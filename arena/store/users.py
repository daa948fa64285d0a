"""Queries for users and their tokens."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from arena.store.models import Token, User


def by_name(session: Session, name: str) -> User | None:
    """The user of that name."""
    return session.scalar(select(User).where(User.name == name))


def names(session: Session) -> Sequence[str]:
    """The names of all users."""
    return session.scalars(select(User.name).order_by(User.name)).all()


def by_token_hash(session: Session, digest: str) -> User | None:
    """Whose token that is, if it has not been revoked."""
    query = select(User).join(Token).where(Token.hash == digest, Token.revoked_at.is_(None))
    return session.scalar(query)


def valid_tokens(session: Session, user: User) -> list[Token]:
    """The tokens of a user that have not been revoked."""
    query = select(Token).where(Token.user_id == user.id, Token.revoked_at.is_(None))
    return list(session.scalars(query))


def all_users() -> Select[User]:
    """Everybody, in the order of their names."""
    return select(User).order_by(User.name)
