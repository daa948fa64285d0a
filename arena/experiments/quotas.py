"""What teams may have the workers play besides tournaments; administrators may do anything."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, ForbiddenError, InvalidError, Term
from arena.core.names import BOT_PREFIX
from arena.core.settings import Settings
from arena.schemas.plans import ExperimentPlan
from arena.store import experiments as store
from arena.store import users
from arena.store.models import User
from workers.core.contract import Limits

DAY = dt.timedelta(days=1)
OPEN_ORDERS = 4
"""Sweeps, and experiments of none, that a team may have under way."""

MIN_GAMES, MIN_BOT_GAMES = 1000, 10
"""A simulation counts as so many games at least, for handing it out takes time too."""

MAX_RECORDED = 100_000
"""Games between players by name that a team may have kept in a day: each stays in the database for good."""

MAX_SECONDS = 10
"""What a team's games may have for a move, and for all extensions of a game: nobody waits for it in vain."""


BOTS, BY_NAME = Term("games of bots"), Term("games of players by name")
RECORDED = Term("recorded games of players by name")


class Quota(NamedTuple):
    """Games that a team may ask for in a day: between players by name, and those in which a bot plays."""

    games: int = 0
    bot_games: int = 0

    @classmethod
    def of(cls, settings: Settings) -> Quota:
        """What the staff allows."""
        return cls(settings.team_games, settings.team_bot_games)


NOTHING = Quota()


class Left(NamedTuple):
    """Games that a team may still ask for today: between players by name, and those in which a bot plays."""

    games: int
    bot_games: int


def left(session: Session, actor: User, quota: Quota) -> Left | None:
    """What is left of a team's quota; None for an administrator, who has none."""
    if permissions.is_admin(actor):
        return None
    used = store.asked_since(session, actor, utc_now() - DAY)
    asked = {bots: _before(used, bots=bots) for bots in (False, True)}
    return Left(max(0, quota.games - asked[False]), max(0, quota.bot_games - asked[True]))


def require(session: Session, actor: User, plans: Sequence[ExperimentPlan], quota: Quota) -> None:
    """Let go on who may have this played; a team's other orders wait until this transaction ends.

    Raises:
        ForbiddenError: teams may not have such games played here, or a reader asks.
        ConflictError: the team has used up what it may ask for in a day, or has too much under way.
        InvalidError: the plan asks for what only an administrator may.
    """
    permissions.require_player(actor)
    if permissions.is_admin(actor):
        return
    users.lock(session, actor)
    for plan in plans:
        _require_modest(plan)
    if store.open_orders(session, actor) >= OPEN_ORDERS:
        raise ConflictError(
            "you have %(most)s sweeps or experiments under way, the most that a team may have: wait for one, "
            "or cancel one",
            most=OPEN_ORDERS,
        )
    used = store.asked_since(session, actor, utc_now() - DAY)
    for bots, most in ((False, quota.games), (True, quota.bot_games)):
        wanted = sum(max(_least(bots=bots), plan.games) for plan in plans if _has_bots(plan) == bots)
        if wanted:
            before = _before(used, bots=bots)
            _require_within(wanted, before, most, BOTS if bots else BY_NAME)
    if kept := sum(plan.games for plan in plans if plan.record_games and not _has_bots(plan)):
        before = sum(each.games for each in used if each.recorded and not each.needs)
        _require_within(kept, before, MAX_RECORDED, RECORDED)


def _least(*, bots: bool) -> int:
    return MIN_BOT_GAMES if bots else MIN_GAMES


def _before(used: Sequence[store.Asked], *, bots: bool) -> int:
    """Games of one of the two kinds that a team has asked for already."""
    return sum(max(_least(bots=bots), each.games) for each in used if bool(each.needs) == bots)


def _require_within(wanted: int, before: int, most: int, what: Term) -> None:
    if most == 0:
        raise ForbiddenError("only an administrator (role admin) may have %(what)s simulated here", what=what)
    if wanted + before > most:
        raise ConflictError(
            "a team may have %(most)s %(what)s simulated in 24 hours: you asked for %(before)s already, so "
            "that %(left)s are left, and this is %(wanted)s; ask for fewer, or later",
            most=f"{most:,}",
            what=what,
            before=f"{before:,}",
            left=f"{max(0, most - before):,}",
            wanted=f"{wanted:,}",
        )


def _require_modest(plan: ExperimentPlan) -> None:
    if plan.chunk is not None:
        raise InvalidError("only an administrator sets chunk; leave it out")
    if plan.columns is not None:
        raise InvalidError(
            "only an administrator records games in columns; have them kept as lines with record_games "
            "(on the command line: --record FILE.jsonl)"
        )
    if plan.limits != Limits():
        raise InvalidError("only an administrator sets limits; leave them out")
    time = plan.time
    seconds = (
        max(time.move_ms, time.extensions * time.extension_ms, time.bank_ms or 0, time.startup_ms) / 1000
    )
    if _has_bots(plan) and (seconds > MAX_SECONDS or time.increment_ms):
        raise InvalidError(
            "a team's games have at most %(most)s s for a move, for getting ready, and for all extensions or "
            'the bank of a game, and no increment: give time, such as {"move_ms": 1000, "extensions": 0}',
            field="move_ms",
            most=MAX_SECONDS,
        )


def _has_bots(plan: ExperimentPlan) -> bool:
    return plan.first.startswith(BOT_PREFIX) or plan.second.startswith(BOT_PREFIX)
