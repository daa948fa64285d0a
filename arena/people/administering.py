"""What the staff sees and changes of users: how they sign in, their role, and whether they are in at all.

There is always an administrator: the last one keeps the role and stays in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.core.terms import Role
from arena.people import users
from arena.people.taking_back import take_back
from arena.store import events
from arena.store import users as store
from arena.store.models import User
from arena.store.models.account_events import RoleSet, UserDisabled, UserEnabled
from arena.store.paging import page
from arena.store.users import Wanted, Ways


class Account(NamedTuple):
    """A user, and what they can sign in with."""

    user: User
    ways: Ways


def list_accounts(
    session: Session, actor: User, wanted: Wanted, offset: int, limit: int
) -> tuple[list[Account], int]:
    """One page of the users that are wanted, by name, and how many there are; an organiser's are their own.

    Raises:
        ForbiddenError: the actor is not of the staff.
    """
    permissions.require_staff(actor)
    classes = None if permissions.is_admin(actor) else permissions.classes_of(actor)
    rows, total = page(session, store.find(wanted, classes), offset, limit)
    return _accounts(session, rows), total


def every_account(session: Session) -> list[Account]:
    """All users by name, for who has the database itself."""
    return _accounts(session, session.scalars(store.find(Wanted())).all())


def account(session: Session, actor: User, name: str) -> Account:
    """The user of that name.

    Raises:
        NotFoundError: there is none.
        ForbiddenError: they are not the actor's to manage.
    """
    user = users.get(session, name)
    permissions.require_manager(actor, user)
    return _accounts(session, [user])[0]


def _accounts(session: Session, rows: Sequence[User]) -> list[Account]:
    ways = store.ways(session, rows)
    return [Account(user, ways[user.id]) for user in rows]


def set_role(session: Session, actor: User, name: str, role: Role) -> User:
    """Give a user another role.

    Who organises classes and will not be an organiser runs them no more, nor comes in as one of their teams.
    Who becomes an organiser or administrator, and was less, has to sign in anew: others who managed the user
    may have kept a token or link of theirs, or chosen the password, and would have the new rights by it.

    Raises:
        NotFoundError: there is no such user.
        ForbiddenError: the actor is no administrator.
        ConflictError: they have it already, are the last administrator, belong to a team or have members, or
            would be a reader with bots.
    """
    permissions.require_admin(actor)
    admins = store.lock_admins(session)
    user = store.locked(session, users.get(session, name).id)
    if user.role == role:
        raise ConflictError("%(user)r has the role %(role)s already", user=user.name, role=role)
    require_other_admin(user, admins)
    if user.team_id is not None or store.members(session, user):
        raise ConflictError(
            "%(user)r is a team with members, or one of them; these keep their role", user=user.name
        )
    if not permissions.has_bots(role) and store.has_bots(session, user):
        raise ConflictError("%(user)r has bots, and a reader has none; choose another role", user=user.name)
    before, user.role = user.role, role
    if role != Role.ADMIN:
        take_back(session, actor, user, user.organises)
    user.organises.clear()
    if role in permissions.STAFF and before != Role.ADMIN:
        users.revoke_tokens(session, user, actor=actor)
    events.log(session, RoleSet(user.name, before, role), actor=actor)
    session.flush()
    return user


def disable(session: Session, actor: User, name: str) -> User:
    """Let a user out: they sign in no more, and no token, session, link, password or passkey is left.

    Their bots and results stay. An organiser has nothing in hand of the classes' teams any more.

    Raises:
        NotFoundError, ForbiddenError: as `account`.
        ConflictError: they are out already, the actor, or the last administrator.
    """
    admins = store.lock_admins(session)
    user = store.locked(session, users.get(session, name).id)
    permissions.require_manager(actor, user)
    if user.left_at is not None:
        raise ConflictError("%(user)r is out already", user=user.name)
    if user.id == actor.id:
        raise ConflictError("nobody lets themselves out; ask another administrator")
    require_other_admin(user, admins)
    user.left_at = utc_now()
    users.revoke_tokens(session, user, actor=actor)
    take_back(session, actor, user, user.organises)
    events.log(session, UserDisabled(user.name), actor=actor)
    session.flush()
    return user


def enable(session: Session, actor: User | None, name: str) -> User:
    """Let a user in again; a new link or token signs them in. Who has the database itself is no `actor`.

    Raises:
        NotFoundError, ForbiddenError: as `account`.
        ConflictError: they are in, or erased.
    """
    user = store.locked(session, users.get(session, name).id)
    if actor is not None:
        permissions.require_manager(actor, user)
    if user.left_at is None:
        raise ConflictError("%(user)r is in", user=user.name)
    if user.erased_at is not None:
        raise ConflictError("the data of %(user)r is erased, and nobody is let in by it", user=user.name)
    user.left_at = None
    events.log(session, UserEnabled(user.name), actor=actor)
    session.flush()
    return user


def require_other_admin(user: User, admins: Sequence[int]) -> None:
    """Let go on where there is an administrator besides that user.

    Raises:
        ConflictError: they are the last one.
    """
    if user.role == Role.ADMIN and user.left_at is None and not set(admins) - {user.id}:
        raise ConflictError(
            "%(user)r is the last administrator; make somebody else one before", user=user.name
        )
