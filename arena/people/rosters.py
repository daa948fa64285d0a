"""Letting a whole class in: everything that a roster asks for, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import InvalidError, Term, Worded
from arena.core.lookalikes import look_alikes, skeleton
from arena.core.terms import Role
from arena.interchange.roster import Roster, RosterLine
from arena.people import classes, users
from arena.store import bots as bot_store
from arena.store import events
from arena.store import users as user_store
from arena.store.models import Bot, SchoolClass, User
from arena.store.models.account_events import BotKept, UserJoined

Faults = list[tuple[int, Worded]]


class RosterError(InvalidError):
    """Lines of a roster cannot be used; `lines` are their numbers with what is wrong with each."""

    def __init__(self, lines: Faults) -> None:
        super().__init__(
            "nothing was imported, because\n" + "\n".join(f"line {at}: {why}" for at, why in lines)
        )
        self.lines = lines


@dataclass(frozen=True)
class Admission:
    """One user of a roster. `token` is the text of a new user's first token, shown this once.

    `bots` are the names that are kept for the user now, or for the team `team` that the user is a member of.
    """

    name: str
    role: Role
    created: bool
    token: str | None
    bots: tuple[str, ...]
    team: str | None = None


def admit(
    session: Session,
    actor: User,
    roster: Roster,
    *,
    dry_run: bool = False,
    school_class: SchoolClass | None = None,
) -> list[Admission]:
    """Create the users and keep the names of bots that a roster asks for; those that are there stay.

    New users belong to the class, if one is given. Teams of members are made where they are not there; their
    accounts have no token, and the first member of a team without a leader leads it. A name that is kept is
    a bot without a version: only its owner, or the staff, can submit one; for a member it is the team's.
    With `dry_run` nothing is written and there are no tokens.

    Raises:
        ForbiddenError: an organiser names no class of theirs, or lets somebody into the staff.
        RosterError: lines cannot be used.
    """
    wanted = {name for line in roster.lines for name in (line.user, line.team) if name}
    known = {name: user_store.by_name(session, name) for name in wanted}
    taken = {
        name: bot_store.by_name(session, name) for name in {line.bot for line in roster.lines if line.bot}
    }
    named = [(line.number, name) for line in roster.lines for name in (line.team, line.user)]
    faults = [
        *roster.faults,
        *_conflicts(actor, roster.lines, known, taken),
        *_team_faults(session, actor, roster.lines, known),
        *_look_alikes("user", named, user_store.names(session)),
        *_look_alikes("bot", [(line.number, line.bot) for line in roster.lines], bot_store.names(session)),
    ]
    if faults:
        raise RosterError(sorted(faults, key=lambda fault: fault[0]))
    admitted, teams = [], {name: user for name, user in known.items() if user is not None}
    for name, first, bots in _by_user(roster.lines, {name for name, bot in taken.items() if bot}):
        user, token = known[name], None
        if user is None:
            users.require_may_admit(actor, first.role, school_class)
        if not dry_run:
            if user is None:
                user, token = _let_in(session, actor, first, school_class, teams)
            _keep(session, actor, user, bots)
        admitted.append(Admission(name, first.role, known[name] is None, token, bots, first.team))
    return admitted


def _by_user(
    lines: Iterable[RosterLine], taken: set[str]
) -> Iterator[tuple[str, RosterLine, tuple[str, ...]]]:
    """Each user with their first line and the names to keep that are not `taken`: a team's for one member."""
    by_user: dict[str, list[RosterLine]] = {}
    for line in lines:
        by_user.setdefault(line.user, []).append(line)
    for name, own in by_user.items():
        bots = tuple(dict.fromkeys(line.bot for line in own if line.bot and line.bot not in taken))
        taken = taken | {*bots}
        yield name, own[0], bots


def _let_in(
    session: Session,
    actor: User,
    line: RosterLine,
    school_class: SchoolClass | None,
    teams: dict[str, User],
) -> tuple[User, str]:
    """A new user with a token, in the team of the line, which is made if it is not among `teams`."""
    class_id = school_class.id if school_class else None
    if line.team is None:
        user = teams[line.user] = users.add(session, line.user, line.role, actor=actor, class_id=class_id)
        return user, users.issue_token(session, user, actor=actor)
    team = teams.get(line.team)
    if team is None:
        team = teams[line.team] = users.add(session, line.team, line.role, actor=actor, class_id=class_id)
    leads = not any(each.is_leader for each in user_store.members(session, team))
    user = users.add(session, line.user, line.role, actor=actor, class_id=team.class_id)
    user.team_id, user.is_leader = team.id, leads
    token = users.issue_token(session, user, actor=actor)
    events.log(session, UserJoined(user.name, team.name), actor=actor)
    return user, token


def _conflicts(
    actor: User, lines: Sequence[RosterLine], known: dict[str, User | None], taken: dict[str, Bot | None]
) -> Faults:
    faults: Faults = []
    for line in lines:
        user, bot = known[line.user], taken[line.bot] if line.bot else None
        owner = user if line.team is None or user is not None else known[line.team]
        if user is not None and user.role != line.role:
            told = InvalidError(
                "the user %(user)r is there already, as %(role)s", user=line.user, role=user.role
            )
            faults.append((line.number, told))
        elif user is not None and not permissions.manages(actor, user):
            elsewhere = InvalidError(
                "the user %(user)r is there already, and in no class of yours", user=line.user
            )
            faults.append((line.number, elsewhere))
        if line.bot is not None and not permissions.has_bots(line.role):
            none = InvalidError(
                "%(user)r is a %(role)s, and a %(role)s has no bots", user=line.user, role=line.role
            )
            faults.append((line.number, none))
        if bot is not None and (owner is None or bot.owner_id != owner.account_id):
            theirs = InvalidError(
                "the bot %(bot)r belongs to %(owner)r already", bot=line.bot, owner=bot.owner.name
            )
            faults.append((line.number, theirs))
    return faults


def _team_faults(
    session: Session, actor: User, lines: Sequence[RosterLine], known: dict[str, User | None]
) -> Iterator[tuple[int, InvalidError]]:
    """The lines whose user cannot be a member of the team that they name."""
    members = {line.user for line in lines if line.team is not None}
    joining: dict[str, set[str]] = {}
    for line in lines:
        if line.team is None:
            continue
        user, team = known[line.user], known[line.team]
        if line.team in members or (team is not None and (team.role != line.role or team.team_id)):
            yield line.number, InvalidError("%(team)r is no team; choose another name", team=line.team)
        elif team is not None and not permissions.manages(actor, team):
            foreign = InvalidError(
                "the user %(user)r is there already, and in no class of yours", user=line.team
            )
            yield line.number, foreign
        elif user is not None and (team is None or user.team_id != team.id):
            elsewhere = InvalidError(
                "%(user)r is there already, and no member of %(team)r; choose another name",
                user=line.user,
                team=line.team,
            )
            yield line.number, elsewhere
        elif user is None:
            before = len(user_store.members(session, team)) if team is not None else 0
            new = joining.setdefault(line.team, set())
            new.add(line.user)
            if before + len(new) > classes.MAX_MEMBERS:
                many = InvalidError(
                    "%(team)r would have more than the %(most)s members that a team may have",
                    team=line.team,
                    most=classes.MAX_MEMBERS,
                )
                yield line.number, many


def _look_alikes(
    kind: str, named: Iterable[tuple[int, str | None]], there: Sequence[str]
) -> Iterator[tuple[int, InvalidError]]:
    """The lines with a new name that looks like one that is there already, or on an earlier line."""
    known, alike = set(there), look_alikes(there)
    first: dict[str, tuple[int, str]] = {}
    for number, name in named:
        if name is None or name in known:
            continue
        own = skeleton(name)
        earlier, other = first.setdefault(own, (number, name))
        if own in alike:
            yield (
                number,
                InvalidError(
                    "%(name)r looks like the %(kind)s %(other)r that is there already",
                    name=name,
                    kind=Term(kind),
                    other=alike[own],
                ),
            )
        elif other != name:
            yield (
                number,
                InvalidError(
                    "the %(kind)s %(name)r looks like %(other)r on line %(earlier)s; write both alike, or so "
                    "that one can tell them apart",
                    kind=Term(kind),
                    name=name,
                    other=other,
                    earlier=earlier,
                ),
            )


def _keep(session: Session, actor: User, user: User, bots: Sequence[str]) -> None:
    """Keep names of bots for a user, or for the team of a member."""
    owner = user.team or user
    for name in bots:
        session.add(Bot(owner_id=owner.id, name=name, created_at=utc_now()))
        events.log(session, BotKept(name, owner.name), actor=actor)
    session.flush()
