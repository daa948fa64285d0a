"""Letting a whole class in: everything that a roster asks for, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import InvalidError
from arena.core.lookalikes import look_alikes, skeleton
from arena.core.terms import Role
from arena.interchange.roster import Roster, RosterLine
from arena.people import users
from arena.store import bots as bot_store
from arena.store import events
from arena.store import users as user_store
from arena.store.models import Bot, SchoolClass, User
from arena.store.models.event_types import BotKept


@dataclass(frozen=True)
class Admission:
    """One user of a roster. `token` is the text of a new user's first token, shown this once.

    `bots` are the names that are kept for the user now.
    """

    name: str
    role: Role
    created: bool
    token: str | None
    bots: tuple[str, ...]


def admit(
    session: Session,
    actor: User,
    roster: Roster,
    *,
    dry_run: bool = False,
    school_class: SchoolClass | None = None,
) -> list[Admission]:
    """Create the users and keep the names of bots that a roster asks for; those that are there stay.

    New users belong to the class, if one is given. A name that is kept is a bot without a version: only its
    owner, or the staff, can submit one; for a member it is kept as the team's. With `dry_run` nothing is
    written and there are no tokens.

    Raises:
        ForbiddenError: an organiser names no class of theirs, or lets somebody into the staff.
        InvalidError: lines cannot be used; the message has all of them, a line each.
    """
    known = {name: user_store.by_name(session, name) for name in {line.user for line in roster.lines}}
    taken = {
        name: bot_store.by_name(session, name) for name in {line.bot for line in roster.lines if line.bot}
    }
    faults = [
        *roster.faults,
        *_conflicts(actor, roster.lines, known, taken),
        *_look_alikes("user", [(line.number, line.user) for line in roster.lines], user_store.names(session)),
        *_look_alikes("bot", [(line.number, line.bot) for line in roster.lines], bot_store.names(session)),
    ]
    if faults:
        told = [f"line {number}: {fault}" for number, fault in sorted(faults)]
        raise InvalidError("nothing was imported, because\n" + "\n".join(told))
    by_user: dict[str, list[RosterLine]] = {}
    for line in roster.lines:
        by_user.setdefault(line.user, []).append(line)
    admitted = []
    for name, lines in by_user.items():
        wanted = dict.fromkeys(line.bot for line in lines if line.bot)
        bots = tuple(bot for bot in wanted if taken[bot] is None)
        user, token = known[name], None
        if user is None:
            users.require_may_admit(actor, lines[0].role, school_class)
        if not dry_run:
            if user is None:
                user, token = users.add_user(
                    session, name, lines[0].role, actor=actor, school_class=school_class
                )
            _keep(session, actor, user, bots)
        admitted.append(Admission(name, lines[0].role, known[name] is None, token, bots))
    return admitted


def _conflicts(
    actor: User, lines: Sequence[RosterLine], known: dict[str, User | None], taken: dict[str, Bot | None]
) -> list[tuple[int, str]]:
    faults: list[tuple[int, str]] = []
    for line in lines:
        user, bot = known[line.user], taken[line.bot] if line.bot else None
        if user is not None and user.role != line.role:
            faults.append((line.number, f"the user {line.user!r} is there already, as {user.role}"))
        elif user is not None and not permissions.manages(actor, user):
            faults.append((line.number, f"the user {line.user!r} is there already, and in no class of yours"))
        if line.bot is not None and not permissions.has_bots(line.role):
            faults.append((line.number, f"{line.user!r} is a {line.role}, and a {line.role} has no bots"))
        if bot is not None and (user is None or bot.owner_id != user.account_id):
            faults.append((line.number, f"the bot {line.bot!r} belongs to {bot.owner.name!r} already"))
    return faults


def _look_alikes(
    kind: str, named: Iterable[tuple[int, str | None]], there: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """The lines with a new name that looks like one that is there already, or on an earlier line."""
    known, alike = set(there), look_alikes(there)
    first: dict[str, tuple[int, str]] = {}
    for number, name in named:
        if name is None or name in known:
            continue
        own = skeleton(name)
        earlier, other = first.setdefault(own, (number, name))
        if own in alike:
            yield number, f"{name!r} looks like the {kind} {alike[own]!r} that is there already"
        elif other != name:
            both = f"the {kind} {name!r} looks like {other!r} on line {earlier}"
            yield number, f"{both}; write both alike, or so that one can tell them apart"


def _keep(session: Session, actor: User, user: User, bots: Sequence[str]) -> None:
    """Keep names of bots for a user, or for the team of a member."""
    owner = user.team or user
    for name in bots:
        session.add(Bot(owner_id=owner.id, name=name, created_at=utc_now()))
        events.log(session, BotKept(name, owner.name), actor=actor)
    session.flush()
