"""Users and their tokens. A token's text is shown once; the store keeps its SHA-256."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import AuthRequiredError, ConflictError, NotFoundError
from arena.core.lookalikes import check_distinct
from arena.core.names import check_name, could_exist
from arena.core.terms import Role
from arena.store import events
from arena.store import users as store
from arena.store.models import Token, User
from arena.store.models.event_types import TokenIssued, TokenRevoked, UserCreated
from arena.store.paging import page

TOKEN_PREFIX = "arena_"  # noqa: S105  (what every token starts with, not a token)


def create_user(session: Session, name: str, role: Role, *, actor: User | None = None) -> tuple[User, str]:
    """A new user and the text of a first token.

    Raises:
        InvalidError: the name cannot be one.
        ConflictError: the name is taken, or looks like another user's.
    """
    check_distinct("user", check_name("user", name), store.names(session))
    return add_user(session, name, role, actor=actor)


def add_user(session: Session, name: str, role: Role, *, actor: User | None = None) -> tuple[User, str]:
    """The same for a name that looks like no other user's.

    Raises:
        InvalidError: the name cannot be one.
        ConflictError: the name is taken.
    """
    user = User(name=check_name("user", name), role=Role(role), created_at=utc_now())
    try:
        with session.begin_nested():
            session.add(user)
    except IntegrityError:
        raise ConflictError(f"there is a user {user.name!r} already; choose another name") from None
    events.log(session, UserCreated(user.name, user.role), actor=actor)
    return user, issue_token(session, user, actor=actor)


def issue_token(session: Session, user: User, *, actor: User | None = None) -> str:
    """The text of a new token for `user`; earlier ones stay valid."""
    text = TOKEN_PREFIX + secrets.token_urlsafe(32)
    session.add(Token(user_id=user.id, hash=_digest(text), created_at=utc_now()))
    events.log(session, TokenIssued(user.name), actor=actor)
    return text


def revoke_tokens(session: Session, user: User, *, actor: User | None = None, keep: str | None = None) -> int:
    """Make all tokens of `user` worthless, except the one with the text `keep`; how many those were."""
    kept = None if keep is None else _digest(keep)
    tokens = [token for token in store.valid_tokens(session, user) if token.hash != kept]
    for token in tokens:
        token.revoked_at = utc_now()
    events.log(session, TokenRevoked(user.name, len(tokens)), actor=actor)
    return len(tokens)


def authenticate(session: Session, token_text: str) -> User:
    """Whose token that is.

    Raises:
        AuthRequiredError: nobody's, or it has been revoked.
    """
    user = store.by_token_hash(session, _digest(token_text))
    if user is None:
        raise AuthRequiredError("this token is not known or has been revoked; ask the staff for a new one")
    return user


def get(session: Session, name: str) -> User:
    """The user of that name.

    Raises:
        NotFoundError: there is none.
    """
    user = store.by_name(session, name) if could_exist(name) else None
    if user is None:
        raise NotFoundError(f"there is no user {name!r}")
    return user


def list_users(session: Session, offset: int, limit: int) -> tuple[Sequence[User], int]:
    """One page of the users in the order of their names, and how many there are in all."""
    return page(session, store.all_users(), offset, limit)


def _digest(token_text: str) -> str:
    return hashlib.sha256(token_text.encode("utf-8", "replace")).hexdigest()
