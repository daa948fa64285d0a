"""Queries for users and their tokens."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import Select, exists, func, or_, select
from sqlalchemy.orm import Session, contains_eager, joinedload

from arena.core.clock import utc_now
from arena.core.terms import Role
from arena.store.models import Bot, Event, Passkey, SchoolClass, SignInLink, Token, User, WebSession
from arena.store.models.event_types import EventKind


def by_name(session: Session, name: str) -> User | None:
    """The user of that name."""
    return session.scalar(select(User).where(User.name == name))


def by_id(session: Session, user_id: int) -> User:
    """The user of that id, which there is."""
    return session.get_one(User, user_id)


def lock(session: Session, user: User) -> None:
    """Have whoever else locks the user, or their team, wait until this transaction ends."""
    session.execute(select(User.id).where(User.id == user.account_id).with_for_update())


def names(session: Session) -> Sequence[str]:
    """The names of all users."""
    return session.scalars(select(User.name).order_by(User.name)).all()


def by_token_hash(session: Session, digest: str) -> Token | None:
    """The token, if it is good now and its user in."""
    query = _good_tokens().where(Token.hash == digest).join(User).where(User.left_at.is_(None))
    return session.scalar(query.options(contains_eager(Token.user).selectinload(User.organises)))


def all_users(classes: Sequence[int] | None = None) -> Select[User]:
    """Everybody, or those of some classes, in the order of their names."""
    query = select(User).order_by(User.name).options(joinedload(User.team), joinedload(User.school_class))
    return query if classes is None else query.where(User.class_id.in_(classes))


class Wanted(NamedTuple):
    """Which users are looked for: by a part of the name, the role, the class, and whether they are out."""

    text: str = ""
    role: Role | None = None
    class_name: str = ""
    out: bool | None = None


def find(wanted: Wanted, classes: Collection[int] | None = None) -> Select[User]:
    """The users that are wanted, everybody or of some classes, in the order of their names."""
    query = all_users(None if classes is None else list(classes))
    if wanted.text:
        query = query.where(User.name.icontains(wanted.text, autoescape=True))
    if wanted.role is not None:
        query = query.where(User.role == wanted.role)
    if wanted.class_name:
        named = select(SchoolClass.id).where(SchoolClass.name == wanted.class_name)
        query = query.where(User.class_id.in_(named))
    if wanted.out is not None:
        query = query.where(User.left_at.is_not(None) if wanted.out else User.left_at.is_(None))
    return query


class Ways(NamedTuple):
    """What a user can sign in with now: how many of each."""

    tokens: int = 0
    sessions: int = 0
    passkeys: int = 0
    links: int = 0


def ways(session: Session, users: Collection[User]) -> dict[int, Ways]:
    """What these users can sign in with, by their ids."""
    ids, now = [user.id for user in users], utc_now()
    good = {
        "tokens": (Token.user_id, (Token.id.in_(_good_tokens().with_only_columns(Token.id)),)),
        "sessions": (WebSession.user_id, (WebSession.expires_at > now,)),
        "passkeys": (Passkey.user_id, ()),
        "links": (SignInLink.user_id, (SignInLink.expires_at > now,)),
    }
    found: dict[int, dict[str, int]] = {number: {} for number in ids}
    for name, (owner, conditions) in good.items():
        query = select(owner, func.count()).where(owner.in_(ids), *conditions).group_by(owner)
        for number, count in session.execute(query):
            found[number][name] = count
    return {number: Ways(**counts) for number, counts in found.items()}


def lock_admins(session: Session) -> Sequence[int]:
    """The ids of the administrators who are in; nobody else changes them meanwhile."""
    query = select(User.id).where(User.role == Role.ADMIN, User.left_at.is_(None))
    return session.scalars(query.order_by(User.id).with_for_update()).all()


def state_now(session: Session, user: User) -> tuple[Role, dt.datetime | None, str | None]:
    """A user's role, since when they are out, and their password, as these were committed last."""
    query = select(User.role, User.left_at, User.password_hash).where(User.id == user.id)
    row = session.execute(query).one()
    return row[0], row[1], row[2]


def is_token_good(session: Session, token_id: int) -> bool:
    """Whether a token is good now and its user in."""
    query = _good_tokens().where(Token.id == token_id).join(User).where(User.left_at.is_(None))
    return session.scalar(query.with_only_columns(Token.id)) is not None


def has_bots(session: Session, user: User) -> bool:
    """Whether a user has bots."""
    return bool(session.scalar(select(exists().where(Bot.owner_id == user.id))))


def given_by(
    session: Session, organiser: User, kind: EventKind, school_classes: Collection[SchoolClass]
) -> Sequence[User]:
    """Of the classes' users, none of them staff, those of whom the organiser did something of that kind."""
    named = select(Event.data["user"].as_string()).where(Event.user_id == organiser.id, Event.kind == kind)
    query = select(User).where(
        User.class_id.in_([each.id for each in school_classes]),
        User.role.not_in((Role.ADMIN, Role.ORGANISER)),
        User.name.in_(named),
    )
    return session.scalars(query.order_by(User.id)).all()


def locked(session: Session, user_id: int) -> User:
    """A user as they are now; nobody else changes them meanwhile."""
    query = select(User).where(User.id == user_id).execution_options(populate_existing=True)
    return session.scalars(query.with_for_update()).one()


def members(session: Session, team: User) -> Sequence[User]:
    """The members of a team who are in, in the order of their names."""
    query = select(User).where(User.team_id == team.id, User.left_at.is_(None)).order_by(User.name)
    return session.scalars(query).all()


def count_joined(session: Session, team: User) -> int:
    """How many have been members of a team, with those who were let out."""
    return session.scalar(select(func.count()).where(User.team_id == team.id)) or 0


def tokens(session: Session, user: User) -> Sequence[Token]:
    """The tokens of a user that are good now, the oldest first."""
    return session.scalars(_good_tokens().where(Token.user_id == user.id).order_by(Token.id)).all()


def _good_tokens() -> Select[Token]:
    ends = or_(Token.expires_at.is_(None), Token.expires_at > utc_now())
    return select(Token).where(Token.revoked_at.is_(None), ends)
