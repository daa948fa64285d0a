"""Who may do what: every route of the API and of the pages asks here, and so do the services.

A question is answered by the rows that it is given. Whoever is nobody (None) may do nothing here; what
everybody may read asks nothing. An organiser who asks is loaded together with their classes, as
`by_token_hash` and `by_hash` of the store do.
"""

from __future__ import annotations

from collections.abc import Hashable

from arena.core.errors import ForbiddenError, Term
from arena.core.terms import UNFINISHED, ExperimentState, Role, Scope
from arena.store.models import (
    Bot,
    Experiment,
    Match,
    Question,
    SchoolClass,
    Scrimmage,
    Season,
    Sweep,
    Tournament,
    User,
)

READS = frozenset({"estimate_plan", "preview_grading"})
"""Operations of the API that change nothing, though their method is one of those that do."""
SUBMITS = frozenset(
    {
        *("submit_version", "check_again", "cancel_check", "enter_bot", "withdraw_bot"),
        *("enter_when_checked", "withdraw_pending_entry"),
    }
)
"""What a token for handing in may do besides."""
GOOD_FOR = {
    Scope.FEED: Term("a feed of news"),
    Scope.READ: Term("reading"),
    Scope.SUBMIT: Term("handing in bots"),
}
STAFF = frozenset({Role.ADMIN, Role.ORGANISER})


def covers(scope: Scope, operation: str, *, reads: bool) -> bool:
    """Whether a token of that scope is good for an operation of the API."""
    if scope is Scope.FEED:
        return False
    if scope is Scope.ALL or reads or operation in READS:
        return True
    return scope is Scope.SUBMIT and operation in SUBMITS


def rights_of(user: User) -> Hashable:
    """All of a user that decides what they may do; with the same, two answers tell the same."""
    return user.id, user.role, user.account_id, user.is_leader, classes_of(user)


def is_admin(user: User | None) -> bool:
    """Whether everything may be done."""
    return user is not None and user.role == Role.ADMIN


def is_staff(user: User | None) -> bool:
    """Whether classes and tournaments may be made."""
    return user is not None and user.role in STAFF


def plays(user: User) -> bool:
    """Whether bots may be had and submitted."""
    return has_bots(user.role)


def is_team(user: User) -> bool:
    """Whether it is a team itself, and not a member of one: such may be followed."""
    return user.role == Role.TEAM and user.team_id is None


def has_bots(role: Role) -> bool:
    """Whether who has that role may have bots and submit them."""
    return role != Role.READER


def classes_of(user: User) -> frozenset[int]:
    """The ids of the classes that an organiser runs."""
    return frozenset(each.id for each in user.organises) if user.role == Role.ORGANISER else frozenset()


def runs_class(user: User | None, school_class: SchoolClass) -> bool:
    """Whether a class is theirs to run."""
    return _runs(user, school_class.id)


def runs(user: User | None, tournament: Tournament | Season) -> bool:
    """Whether a tournament or season is theirs to run: they made it, or it is for a class of theirs."""
    mine = is_staff(user) and user is not None and tournament.owner_id == user.id
    return mine or _runs(user, tournament.class_id)


def manages(user: User | None, other: User) -> bool:
    """Whether somebody's tokens, links and sessions may be given and taken away."""
    return is_admin(user) or (other.role not in STAFF and _runs(user, other.class_id))


def opens(user: User | None, bot: Bot) -> bool:
    """Whether with a bot may be done and seen what its team may: so may who runs the team's class."""
    return user is not None and (bot.owner_id == user.account_id or manages(user, bot.owner))


def plays_in(user: User | None, match: Match) -> bool:
    """Whether one of the bots of a match is theirs, as `opens` has it."""
    return any(opens(user, entry.version.bot) for entry in (match.first, match.second))


def may_submit_for(user: User, other: User) -> bool:
    """Whether bots of another user's may be submitted."""
    return other.account_id == user.account_id or manages(user, other)


def opens_order(user: User | None, order: Experiment | Sweep) -> bool:
    """Whether with an experiment or a sweep may be done and seen what its team may; as of a bot."""
    if user is None or order.owner is None:
        return is_admin(user)
    return order.owner_id == user.account_id or manages(user, order.owner)


def sees_order(user: User | None, order: Experiment | Sweep) -> bool:
    """Whether an experiment or a sweep may be seen: everybody sees the administrators'."""
    return order.owner is None or opens_order(user, order)


def sees_seeds(user: User | None, order: Experiment | Sweep, state: ExperimentState) -> bool:
    """Whether seeds and openings may be seen: with them one could know what bots are going to be asked."""
    return state not in UNFINISHED or opens_order(user, order)


def enters(user: User, tournament: Tournament, bot: Bot) -> bool:
    """Whether a bot may be entered: one's own, and into a tournament of one's own those of the staff."""
    return opens(user, bot) or (runs(user, tournament) and is_staff(bot.owner))


def tries(user: User, bot: Bot) -> bool:
    """Whether experiments with a bot may be asked for: with one's own, and with those of the staff."""
    return opens(user, bot) or is_staff(bot.owner)


def sees_scrimmage(user: User | None, scrimmage: Scrimmage) -> bool:
    """Whether a scrimmage is known at all: to both teams, and to who runs their classes."""
    other = scrimmage.opponent
    return opens(user, scrimmage.version.bot) or (other is not None and opens(user, other.bot))


def admits(tournament: Tournament, owner: User) -> bool:
    """Whether a tournament is for the bots of a team: one of a class is for that class."""
    return tournament.class_id is None or tournament.class_id == owner.class_id


def answers(user: User | None, question: Question) -> bool:
    """Whether a question is theirs to answer: about a tournament of theirs, or in general of their class."""
    if question.tournament is not None:
        return runs(user, question.tournament)
    return is_staff(user) and _runs(user, question.class_id)


def leads(user: User) -> bool:
    """Whether members may be let in and out of the user's team: by its leader, or the team's own account."""
    return user.role == Role.TEAM and (user.is_leader or user.team_id is None)


def _runs(user: User | None, class_id: int | None) -> bool:
    if user is None or user.role != Role.ORGANISER:
        return is_admin(user)
    return class_id is not None and class_id in classes_of(user)


def require_scope(scope: Scope, operation: str, *, reads: bool) -> None:
    """Let go on only with a token that is good for an operation of the API.

    Raises:
        ForbiddenError: its scope is narrower.
    """
    if not covers(scope, operation, reads=reads):
        raise ForbiddenError(
            "this token is good for %(good)s only (scope %(scope)s); make one of a wider scope under "
            "'My account' on the pages",
            good=GOOD_FOR[scope],
            scope=scope,
        )


def require_admin(user: User) -> None:
    """Let go on only an administrator.

    Raises:
        ForbiddenError: it is somebody else.
    """
    if not is_admin(user):
        raise ForbiddenError("only an administrator (role admin) may do this")


def require_staff(user: User) -> None:
    """Let go on only the staff.

    Raises:
        ForbiddenError: it is somebody else.
    """
    if not is_staff(user):
        raise ForbiddenError("only the staff (roles admin and organiser) may do this")


def require_player(user: User) -> None:
    """Let go on only who may have bots.

    Raises:
        ForbiddenError: it is a reader.
    """
    if not plays(user):
        raise ForbiddenError("a reader has no bots; ask the staff for the account of a team")


def require_class(user: User, school_class: SchoolClass) -> None:
    """Let go on only who runs a class.

    Raises:
        ForbiddenError: it is somebody else.
    """
    if not runs_class(user, school_class):
        raise ForbiddenError(
            "only an organiser of the class %(school_class)r may do this", school_class=school_class.name
        )


def require_runner(user: User, tournament: Tournament | Season) -> None:
    """Let go on only who runs a tournament or season.

    Raises:
        ForbiddenError: it is somebody else.
    """
    if not runs(user, tournament):
        raise ForbiddenError(
            "only the staff of %(tournament)r may do this: an administrator, whoever made it, and the"
            " organisers of its class",
            tournament=tournament.name,
        )


def require_manager(user: User, other: User) -> None:
    """Let go on only who manages another user.

    Raises:
        ForbiddenError: it is somebody else.
    """
    if not manages(user, other):
        raise ForbiddenError(
            "only an administrator, or an organiser of the class of %(other)r, may do this", other=other.name
        )


def require_answerer(user: User, question: Question) -> None:
    """Let go on only who answers a question.

    Raises:
        ForbiddenError: it is for others.
    """
    if not answers(user, question):
        raise ForbiddenError(
            "only who runs the tournament or the class that a question is about may answer it"
        )


def require_order(user: User, order: Experiment | Sweep) -> None:
    """Let go on who may do with an experiment or a sweep what its team may.

    Raises:
        ForbiddenError: somebody else asked for it.
    """
    if not opens_order(user, order):
        raise ForbiddenError(
            "only an administrator (role admin) may do this with what somebody else asked for"
        )


def require_leader(user: User) -> None:
    """Let go on only who lets members into a team and out of it.

    Raises:
        ForbiddenError: it is somebody else.
    """
    if not leads(user):
        raise ForbiddenError("only the leader of a team may let members in and out")


def require_owner(user: User, bot: Bot, instead: str | None = None) -> None:
    """Let go on who may do with a bot what its team may; `instead` says what somebody else can do.

    Raises:
        ForbiddenError: the bot is another user's.
    """
    if not opens(user, bot):
        told = {"bot": bot.name, "owner": bot.owner.name}
        if instead is not None:
            raise ForbiddenError(
                "the bot %(bot)r belongs to %(owner)r; %(instead)s", **told, instead=Term(instead)
            )
        raise ForbiddenError("the bot %(bot)r belongs to %(owner)r", **told)


def require_entrant(user: User, tournament: Tournament, bot: Bot) -> None:
    """Let go on who may enter a bot, where its class is meant or they run things.

    Raises:
        ForbiddenError: the bot is another user's, or the tournament for another class.
    """
    if not enters(user, tournament, bot):
        require_owner(user, bot, "enter your own")
    if not (admits(tournament, bot.owner) or runs(user, tournament)):
        raise ForbiddenError(
            "%(tournament)r is for a class that %(owner)r is not in; ask who runs it",
            tournament=tournament.name,
            owner=bot.owner.name,
        )
