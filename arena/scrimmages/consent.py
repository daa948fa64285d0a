"""Who lets scrimmages be played: a bot's owner against it, and a class's organisers in it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ConflictError
from arena.core.terms import MatchState, Unplayed
from arena.store import bots, events
from arena.store import scrimmages as store
from arena.store.models import Bot, SchoolClass, ScrimmageGame, User
from arena.store.models.scrimmage_events import BotScrimmages, ClassScrimmages


def set_bot(session: Session, actor: User, bot: Bot, *, takes: bool) -> Bot:
    """Let others of the class play scrimmages against a bot, or no more; then what is not over ends.

    Raises:
        ForbiddenError: the bot is another user's.
    """
    permissions.require_owner(actor, bot)
    bot = bots.by_name(session, bot.name, locked=True) or bot
    if bot.takes_scrimmages == takes:
        return bot
    bot.takes_scrimmages = takes
    if not takes:
        call_off(store.lock_unfinished_against(session, bot), Unplayed.CONSENT)
    events.log(session, BotScrimmages(bot.name, takes), actor=actor)
    session.flush()
    return bot


def set_class(session: Session, actor: User, school_class: SchoolClass, *, has: bool) -> SchoolClass:
    """Let a class have scrimmages, or no more; then what its teams have asked for and is not over ends.

    Raises:
        ForbiddenError: the class is not the actor's to run.
    """
    permissions.require_class(actor, school_class)
    school_class = store.lock_class(session, school_class)
    if school_class.has_scrimmages == has:
        return school_class
    school_class.has_scrimmages = has
    if not has:
        call_off(store.lock_unfinished_of_class(session, school_class), Unplayed.CLASS)
    events.log(session, ClassScrimmages(school_class.name, has), actor=actor)
    session.flush()
    return school_class


def require_class_has(school_class: SchoolClass | None) -> None:
    """Let go on in a class that has scrimmages, or in none.

    Raises:
        ConflictError: the class has none at the moment.
    """
    if school_class is not None and not school_class.has_scrimmages:
        raise ConflictError(
            "the class %(school_class)r has no scrimmages at the moment; ask who runs it",
            school_class=school_class.name,
        )


def call_off(games: Sequence[ScrimmageGame], why: Unplayed) -> int:
    """End (locked) games; what is in play is broken off when its worker hears of it. How many there were."""
    for game in games:
        game.release(MatchState.CANCELLED)
        game.unplayed = why
    return len(games)
