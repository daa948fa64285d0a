"""Classes, who runs them, and the codes by which teams join them and members their teams."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.core.lookalikes import check_distinct
from arena.core.names import check_name, could_exist
from arena.core.terms import Role
from arena.people import attempts, users
from arena.people.taking_back import take_back
from arena.store import classes as store
from arena.store import events
from arena.store import users as user_store
from arena.store.database import release
from arena.store.models import JoinCode, SchoolClass, User
from arena.store.models.account_events import (
    ClassCreated,
    CodeMade,
    CodeRevoked,
    MemberLeft,
    OrganiserAdded,
    OrganiserRemoved,
    UserJoined,
)
from arena.store.paging import page

SIGNS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What codes are made of: nothing that looks like something else."""
GROUPS, GROUP_SIGNS = 2, 5
MAX_MEMBERS, MAX_JOINED = 20, 60
"""Of a team: at a time, and with those who were let out."""
MAX_TEAM_CODES = 10
"""Good ones at a time."""


class WorthlessCodeError(NotFoundError):
    """Nobody joins by this code: it is wrong, used up, revoked, or has expired."""


def create(session: Session, actor: User, name: str) -> SchoolClass:
    """A new class; an organiser who makes it runs it.

    Raises:
        ForbiddenError: the actor is none of the staff.
        InvalidError: the name cannot be one.
        ConflictError: it is taken, or looks like another one.
    """
    permissions.require_staff(actor)
    name = check_name("class", name)
    check_distinct("class", name, store.names(session))
    school_class = SchoolClass(name=name, created_at=utc_now())
    try:
        with session.begin_nested():
            session.add(school_class)
    except IntegrityError:
        raise ConflictError("there is a class %(name)r already; choose another name", name=name) from None
    events.log(session, ClassCreated(name), actor=actor)
    if not permissions.is_admin(actor):
        school_class.organisers.append(user_store.locked(session, actor.id))
    session.flush()
    return school_class


def get(session: Session, name: str) -> SchoolClass:
    """The class of that name.

    Raises:
        NotFoundError: there is none.
    """
    school_class = store.by_name(session, name) if could_exist(name) else None
    if school_class is None:
        raise NotFoundError("there is no class %(name)r", name=name)
    return school_class


def chosen(session: Session, actor: User, name: str | None) -> SchoolClass | None:
    """The class of that name, if one is named, for whoever runs it.

    Raises:
        NotFoundError: there is none.
        ForbiddenError: it is not the actor's to run.
    """
    if name is None:
        return None
    school_class = get(session, name)
    permissions.require_class(actor, school_class)
    return school_class


def name_of(session: Session, class_id: int | None) -> str | None:
    """What a class is called, if there is one."""
    school_class = session.get(SchoolClass, class_id) if class_id is not None else None
    return school_class.name if school_class else None


def list_classes(session: Session, actor: User, offset: int, limit: int) -> tuple[Sequence[SchoolClass], int]:
    """One page of the classes that somebody runs, and how many there are."""
    mine = store.all_classes(None if permissions.is_admin(actor) else actor)
    return page(session, mine, offset, limit)


def add_organiser(session: Session, actor: User, school_class: SchoolClass, user: User) -> None:
    """Have an organiser run a class, too.

    Raises:
        ForbiddenError: the class is not the actor's to run.
        ConflictError: the user is no organiser, or runs it already.
    """
    permissions.require_class(actor, school_class)
    if user.role != Role.ORGANISER:
        raise ConflictError(
            "%(user)r is %(role)s; only an organiser can run a class", user=user.name, role=user.role
        )
    if user in school_class.organisers:
        raise ConflictError(
            "%(user)r runs %(school_class)r already", user=user.name, school_class=school_class.name
        )
    school_class.organisers.append(user)
    events.log(session, OrganiserAdded(school_class.name, user.name), actor=actor)


def remove_organiser(session: Session, actor: User, school_class: SchoolClass, user: User) -> None:
    """Have an organiser run a class no more, nor come in by what they have in hand of its teams.

    Raises:
        ForbiddenError: the class is not the actor's to run.
        NotFoundError: the user does not run it.
    """
    permissions.require_class(actor, school_class)
    if user not in school_class.organisers:
        raise NotFoundError(
            "%(user)r does not run %(school_class)r", user=user.name, school_class=school_class.name
        )
    school_class.organisers.remove(user)
    take_back(session, actor, user, [school_class])
    events.log(session, OrganiserRemoved(school_class.name, user.name), actor=actor)


def make_class_code(
    session: Session, actor: User, school_class: SchoolClass, *, uses: int, days: int
) -> JoinCode:
    """A code by which so many new teams join a class.

    Raises:
        ForbiddenError: the class is not the actor's to run.
    """
    permissions.require_class(actor, school_class)
    return _make_code(session, actor, school_class.name, uses, days, class_id=school_class.id)


def make_team_code(session: Session, actor: User, *, uses: int, days: int) -> JoinCode:
    """A code by which so many members join the actor's team.

    Raises:
        ForbiddenError: the actor is not its leader.
        ConflictError: the team has too many.
    """
    permissions.require_leader(actor)
    team = user_store.locked(session, actor.account_id)
    if len(store.codes_of_team(session, team.id)) >= MAX_TEAM_CODES:
        raise ConflictError(
            "the team %(team)r has %(most_team_codes)s codes; revoke some first",
            team=team.name,
            most_team_codes=MAX_TEAM_CODES,
        )
    return _make_code(session, actor, actor.name, uses, days, team_id=actor.account_id)


def revoke_code(session: Session, actor: User, codes: Sequence[JoinCode], number: int) -> None:
    """Make one of these codes worthless; they have to be the actor's to give out.

    Raises:
        NotFoundError: it is none of them.
    """
    found = next((each for each in codes if each.id == number), None)
    code = found and store.code(session, found.text)
    if code is None:
        raise NotFoundError("there is no code %(number)s that is good now", number=number)
    events.log(session, CodeRevoked(code.id), actor=actor)
    session.delete(code)


def codes_of_team(session: Session, actor: User) -> Sequence[JoinCode]:
    """The codes of the actor's team that are good now.

    Raises:
        ForbiddenError: the actor is not its leader.
    """
    permissions.require_leader(actor)
    return store.codes_of_team(session, actor.account_id)


def join(session: Session, text: str, *, member: str, team: str, address: str) -> User:
    """The account of somebody who joins by a code: leader of a new team, or member of one that is there.

    `team` is what a new team is to be called; the code of a team asks for none. The session is released:
    nothing may have been written in it before.

    Raises:
        TooManyError: too many wrong codes came from that address.
        WorthlessCodeError: the code is wrong, used up, revoked, or has expired.
        InvalidError: a name cannot be one, or a new team has none.
        ConflictError: a name is taken, or looks like another one; or the team is full.
    """
    attempts.admit(session, address)
    release(session)
    code = store.code(session, read_code(text))
    if code is None:
        raise WorthlessCodeError(
            "this code is wrong, used up, or has expired; look again, or ask for another"
        )
    code.uses_left -= 1
    home = _team_of(session, code, team)
    names = user_store.names(session)
    check_distinct("user", check_name("user", member), names)
    members = user_store.members(session, home)
    if len(members) >= MAX_MEMBERS:
        raise ConflictError(
            "the team %(home)r has %(most_members)s members, as many as it may have",
            home=home.name,
            most_members=MAX_MEMBERS,
        )
    if user_store.count_joined(session, home) >= MAX_JOINED:
        raise ConflictError(
            "%(most_joined)s people have joined the team %(home)r; the staff lets more in",
            most_joined=MAX_JOINED,
            home=home.name,
        )
    user = users.add(session, member, Role.TEAM, class_id=home.class_id)
    user.team_id, user.is_leader = home.id, not any(each.is_leader for each in members)
    attempts.succeeded(session, address)
    events.log(session, UserJoined(user.name, home.name), actor=user)
    session.flush()
    return user


def remove_member(session: Session, actor: User, name: str) -> None:
    """Let a member out of the actor's team, who cannot sign in any more.

    The team's codes, which they may know, are worthless then.

    Raises:
        ForbiddenError: the actor is not the leader.
        NotFoundError: nobody of that name is a member.
        ConflictError: the leader wants to leave.
    """
    permissions.require_leader(actor)
    store.codes_of_team(session, actor.account_id, locked=True)  # before the team, as whoever joins does
    team = user_store.locked(session, actor.account_id)
    member = next((each for each in user_store.members(session, team) if each.name == name), None)
    if member is None:
        raise NotFoundError("%(name)r is no member of the team %(team)r", name=name, team=team.name)
    if member.id == actor.id:
        raise ConflictError("the leader cannot leave the team; ask the staff")
    member.left_at, member.is_leader = utc_now(), False
    users.revoke_tokens(session, member, actor=actor)
    for code in store.codes_of_team(session, team.id):
        events.log(session, CodeRevoked(code.id), actor=actor)
        session.delete(code)
    events.log(session, MemberLeft(member.name, team.name), actor=actor)


def read_code(text: str) -> str:
    """A code as it is kept, however it was typed."""
    signs = "".join(sign for sign in text.upper() if sign in SIGNS)
    return "-".join(signs[at : at + GROUP_SIGNS] for at in range(0, GROUPS * GROUP_SIGNS, GROUP_SIGNS))


def _make_code(
    session: Session,
    actor: User,
    what: str,
    uses: int,
    days: int,
    *,
    class_id: int | None = None,
    team_id: int | None = None,
) -> JoinCode:
    now = utc_now()
    code = JoinCode(
        text=read_code("".join(secrets.choice(SIGNS) for _ in range(GROUPS * GROUP_SIGNS))),
        class_id=class_id,
        team_id=team_id,
        uses_left=uses,
        created_at=now,
        expires_at=now + dt.timedelta(days=days),
    )
    session.add(code)
    events.log(session, CodeMade(what, uses, days), actor=actor)
    session.flush()
    return code


def _team_of(session: Session, code: JoinCode, name: str) -> User:
    """The team that a code leads into: the one that it names, or a new one."""
    if code.team_id is not None:
        return user_store.locked(session, code.team_id)
    if not name:
        raise InvalidError("this code is for new teams; say what yours is to be called")
    check_distinct("user", check_name("team", name), user_store.names(session))
    return users.add(session, name, Role.TEAM, class_id=code.class_id)
