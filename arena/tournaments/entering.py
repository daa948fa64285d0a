"""Who could be entered into a tournament, and a whole class entered at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ConflictError
from arena.core.terms import VersionState
from arena.people import classes
from arena.store import bots as bot_store
from arena.store import events, summaries
from arena.store import teams as team_store
from arena.store import tournaments as store
from arena.store.models import Bot, BotVersion, Entry, SchoolClass, Tournament, User
from arena.submissions import checks
from arena.tournaments import lifecycle


class Candidate(NamedTuple):
    """A bot that is not entered, its newest version if it has one, and whether that may play the game."""

    bot: Bot
    version: BotVersion | None
    playable: bool


class LeftOut(NamedTuple):
    """A bot that could not be entered, and why."""

    bot: Bot
    why: str


class Entered(NamedTuple):
    """Who was entered of a class, and who was not."""

    entries: list[Entry]
    left_out: list[LeftOut]


class Entrance(NamedTuple):
    """A tournament that a class's bots can be entered into, and how many may play and are not in it."""

    tournament: Tournament
    ready: int


class ClassStanding(NamedTuple):
    """The bots of a class, the newest version of each, the codes of their faults, and where they can go."""

    bots: Sequence[Bot]
    newest: dict[int, BotVersion]
    codes: dict[str, str | None]
    openings: list[Entrance]


def standing_of(session: Session, actor: User, school_class: SchoolClass) -> ClassStanding:
    """How far a class's bots are, and into which tournaments the actor may enter those that have passed."""
    bots = bot_store.of_class(session, school_class)
    newest = summaries.newest_versions(session, bots)
    passed = {bot.id: version for bot in bots if (version := newest.get(bot.id)) and _has_passed(version)}
    inside = {(entry.tournament_id, entry.bot_id) for entry in team_store.entries(session, list(passed))}
    openings = [
        Entrance(
            tournament,
            sum(
                tournament.game in version.games and (tournament.id, bot_id) not in inside
                for bot_id, version in passed.items()
            ),
        )
        for tournament in team_store.open_tournaments(session, school_class.id)
        if permissions.runs(actor, tournament)
    ]
    codes = {bot.name: checks.code_of(newest[bot.id]) for bot in bots if bot.id in newest}
    return ClassStanding(bots, newest, codes, openings)


def _has_passed(version: BotVersion) -> bool:
    return version.state == VersionState.PASSED


def class_of(
    session: Session, actor: User, tournament: Tournament, name: str | None = None
) -> SchoolClass | None:
    """The class of that name, else the one that a tournament is for, if it is for one that is there.

    Raises:
        NotFoundError: there is no class of that name.
        ForbiddenError: that one is not the actor's to run.
    """
    if name is not None:
        return classes.chosen(session, actor, name)
    return session.get(SchoolClass, tournament.class_id) if tournament.class_id is not None else None


def candidates(session: Session, tournament: Tournament, school_class: SchoolClass) -> list[Candidate]:
    """The bots of a class that are not entered, in the order of their names."""
    return _not_entered(session, tournament, bot_store.of_class(session, school_class))


def reference_bots(session: Session, tournament: Tournament) -> list[Candidate]:
    """The bots of the staff that may play and are not entered, in the order of their names."""
    found = _not_entered(session, tournament, bot_store.of_roles(session, permissions.STAFF))
    return [candidate for candidate in found if candidate.playable]


@events.one_act
def enter_class(
    session: Session, actor: User, tournament: Tournament, class_name: str | None = None
) -> Entered:
    """Enter the newest version of every bot of a class that is not entered; who cannot be is told, and why.

    Without a name it is the class that the tournament is for.

    Raises:
        ForbiddenError: the tournament or the class is not the actor's to run.
        NotFoundError: there is no such class.
        ConflictError: no class is named and the tournament is for none, or it does not take entries.
    """
    permissions.require_runner(actor, tournament)
    school_class = class_of(session, actor, tournament, class_name)
    if school_class is None:
        raise ConflictError(
            "%(tournament)r is for no class; name the one whose bots are to be entered",
            tournament=tournament.name,
        )
    tournament = store.lock(session, tournament.id)
    lifecycle.require(tournament, (*lifecycle.ENTERING, *lifecycle.PLAYING), "entered")
    entered = Entered([], [])
    for bot, version, _ in candidates(session, tournament, school_class):
        if version is None:
            entered.left_out.append(LeftOut(bot, "nothing was handed in for it"))
            continue
        try:
            entered.entries.append(lifecycle.enter(session, actor, tournament, bot))
        except ConflictError as error:
            entered.left_out.append(LeftOut(bot, str(error)))
    return entered


def _not_entered(session: Session, tournament: Tournament, bots: Sequence[Bot]) -> list[Candidate]:
    taken = {entry.bot_id for entry in store.entries(session, tournament)}
    free = [bot for bot in bots if bot.id not in taken]
    newest = summaries.newest_versions(session, free)
    return [Candidate(bot, newest.get(bot.id), _plays(newest.get(bot.id), tournament)) for bot in free]


def _plays(version: BotVersion | None, tournament: Tournament) -> bool:
    return version is not None and tournament.game in checks.passed_in(version)
