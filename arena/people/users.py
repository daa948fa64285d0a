"""Users and their tokens. A token's text is shown once; the store keeps its SHA-256."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import AuthRequiredError, ChangedError, ConflictError, ForbiddenError, NotFoundError
from arena.core.lookalikes import check_distinct
from arena.core.names import check_name, could_exist
from arena.core.terms import Role, Scope
from arena.people.secret import digest, new_secret
from arena.store import events, worker_keys
from arena.store import identities as identity_store
from arena.store import passkeys as passkey_store
from arena.store import sessions as session_store
from arena.store import users as store
from arena.store.database import LET_IN_BY
from arena.store.models import SchoolClass, Token, User
from arena.store.models.account_events import TokenIssued, TokenRevoked, UserCreated

TOKEN_PREFIX = "arena_"  # noqa: S105  (what every token starts with, not a token)
MAX_TOKENS = 100
"""Good ones of one user."""


def create_user(
    session: Session,
    name: str,
    role: Role,
    *,
    actor: User | None = None,
    school_class: SchoolClass | None = None,
) -> tuple[User, str]:
    """A new user, of a class if one is given, and the text of a first token.

    Raises:
        InvalidError: the name cannot be one.
        ForbiddenError: the actor may let nobody in with that role, or into that class.
        ConflictError: the name is taken, or looks like another user's.
    """
    user = admit(session, name, role, actor=actor, school_class=school_class)
    return user, issue_token(session, user, actor=actor)


def admit(
    session: Session,
    name: str,
    role: Role,
    *,
    actor: User | None = None,
    school_class: SchoolClass | None = None,
) -> User:
    """The same without a token."""
    check_distinct("user", check_name("user", name), store.names(session))
    if actor is not None:
        require_may_admit(actor, role, school_class)
    return add(session, name, role, actor=actor, class_id=school_class.id if school_class else None)


def require_may_admit(actor: User, role: Role, school_class: SchoolClass | None) -> None:
    """Let go on who may let somebody in with a role, into a class or none.

    Raises:
        ForbiddenError: the actor may not.
    """
    if permissions.is_admin(actor):
        return
    if school_class is None or role in permissions.STAFF:
        raise ForbiddenError(
            "an organiser lets in teams and readers, of a class of their own; name the class"
        )
    permissions.require_class(actor, school_class)


def add(
    session: Session, name: str, role: Role, *, actor: User | None = None, class_id: int | None = None
) -> User:
    """A new user without a token, of a name that looks like no other user's.

    Raises:
        InvalidError: the name cannot be one.
        ConflictError: the name is taken.
    """
    user = User(name=check_name("user", name), role=Role(role), created_at=utc_now(), class_id=class_id)
    try:
        with session.begin_nested():
            session.add(user)
    except IntegrityError:
        raise ConflictError("there is a user %(user)r already; choose another name", user=user.name) from None
    events.log(session, UserCreated(user.name, user.role), actor=actor)
    return user


def issue_token(session: Session, user: User, *, actor: User | None = None) -> str:
    """The text of a new token for `user`; earlier ones stay valid.

    Raises:
        ConflictError: the user has too many.
    """
    return new_token(session, user, actor=actor)[0]


def new_token(
    session: Session,
    user: User,
    *,
    actor: User | None = None,
    name: str = "",
    scope: Scope = Scope.ALL,
    days: int | None = None,
) -> tuple[str, Token]:
    """The text of a new token for `user`, good for `scope` and so many days, and its row.

    Earlier ones stay valid.

    Raises:
        ConflictError: the user has too many, or was changed at this moment.
    """
    if len(store.tokens(session, user)) >= MAX_TOKENS:
        raise ConflictError(
            "%(user)r has %(most_tokens)s tokens; revoke some first", user=user.name, most_tokens=MAX_TOKENS
        )
    text, now = TOKEN_PREFIX + new_secret(), utc_now()
    token = Token(
        user_id=user.id,
        hash=digest(text),
        name="".join(filter(str.isprintable, name))[:60],
        scope=scope,
        created_at=now,
        expires_at=None if days is None else now + dt.timedelta(days=days),
    )
    session.add(token)
    require_unchanged(session, user)
    events.log(session, TokenIssued(user.name), actor=actor)
    session.flush()
    return text, token


def require_unchanged(session: Session, user: User) -> None:
    """Let go on where a user is what they were when it was decided that they may be let in.

    Who lets a user out, or gives them another role, locks them first. So what somebody is to come in by is
    written before: that waits where it refers to the user, and makes them wait.

    Raises:
        ChangedError: the user was changed since.
    """
    session.flush()
    if store.state_now(session, user) != (user.role, user.left_at, user.password_hash):
        raise ChangedError("%(user)r was changed at this moment; look again", user=user.name)


def tokens(session: Session, user: User) -> Sequence[Token]:
    """The tokens of a user that are good now, the oldest first."""
    return store.tokens(session, user)


def revoke_token(session: Session, user: User, number: int) -> None:
    """Make one of one's own tokens worthless; the sessions that were begun with it end.

    Raises:
        NotFoundError: it is not the user's, or not good any more.
    """
    token = next((each for each in store.tokens(session, user) if each.id == number), None)
    if token is None:
        raise NotFoundError("you have no token %(number)s; it may be revoked or expired", number=number)
    store.locked(session, user.id)  # what somebody makes by it now waits, and comes to nothing
    token.revoked_at = utc_now()
    session_store.end_all(session, user, token_id=token.id)
    events.log(session, TokenRevoked(user.name, 1), actor=user)


def revoke_tokens(session: Session, user: User, *, actor: User | None = None, keep: str | None = None) -> int:
    """Make all tokens of `user` worthless, except the one with the text `keep`; how many those were.

    The user's sessions on the pages end, and links to sign in and codes for worker hosts are worthless, too;
    so are the password, the passkeys and the school's accounts, unless they revoke their own, as whoever
    found a token may have made them.
    """
    store.locked(session, user.id)  # what somebody makes by them now waits, and comes to nothing
    kept = None if keep is None else digest(keep)
    good = [token for token in store.tokens(session, user) if token.hash != kept]
    for token in good:
        token.revoked_at = utc_now()
    session_store.end_all(session, user)
    session_store.forget_links(session, user)
    worker_keys.forget_codes(session, user)
    if actor is None or actor.id != user.id:
        user.password_hash = None
        passkey_store.remove_all(session, user)
        identity_store.remove_all(session, user)
    events.log(session, TokenRevoked(user.name, len(good)), actor=actor)
    return len(good)


def find_token(session: Session, text: str) -> Token:
    """The token of that text, with its user.

    Raises:
        AuthRequiredError: there is none, or it is good no more.
    """
    token = store.by_token_hash(session, digest(text))
    if token is None:
        raise AuthRequiredError(
            "this token is not known, has been revoked or has expired; ask the staff for a new one"
        )
    session.info[LET_IN_BY] = token
    return token


def authenticate(session: Session, token_text: str) -> User:
    """Whose token that is; it is good for reading at least.

    Raises:
        AuthRequiredError: nobody's, or it is good no more.
        ForbiddenError: it is good for less.
    """
    token = find_token(session, token_text)
    permissions.require_scope(token.scope, "", reads=True)
    return token.user


def find(session: Session, name: str) -> User | None:
    """The user of that name."""
    return store.by_name(session, name) if could_exist(name) else None


def get(session: Session, name: str) -> User:
    """The user of that name.

    Raises:
        NotFoundError: there is none.
    """
    if (user := find(session, name)) is None:
        raise NotFoundError("there is no user %(name)r", name=name)
    return user
