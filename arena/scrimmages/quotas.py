"""How many games of scrimmages a team may ask for; administrators may ask for any number."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, ForbiddenError, TooManyError
from arena.store import scrimmages as store
from arena.store import users
from arena.store.models import User

DAY = dt.timedelta(days=1)
MAX_OPEN = 3
"""Scrimmages of a team that are not over."""


class Allowance(NamedTuple):
    """Of the games that a team may ask for in a day, those that are left; None where nobody counts.

    `again_at` is when the next of those that are used up is given back, if any is.
    """

    most: int | None
    left: int | None
    again_at: dt.datetime | None


def allowance(session: Session, team: User, most: int) -> Allowance:
    """What a team may still ask for."""
    if permissions.is_admin(team):
        return Allowance(None, None, None)
    used = store.counted_since(session, team.id, utc_now() - DAY)
    left = max(0, most - sum(games for _, games in used))
    return Allowance(most, left, used[0][0] + DAY if used else None)


def require(session: Session, team: User, games: int, most: int) -> None:
    """Let go on whose team may ask for so many; its other orders wait until this transaction ends.

    Raises:
        ForbiddenError: teams have no scrimmages here.
        ConflictError: too many of the team's are not over.
        TooManyError: it has asked for as many as it may in a day; with when it can again.
    """
    users.lock(session, team)
    if permissions.is_admin(team):
        return
    if most == 0:
        raise ForbiddenError("teams have no scrimmages on this arena")
    if store.count_open(session, team.id) >= MAX_OPEN:
        raise ConflictError(
            "%(most)s scrimmages of your team are not over, the most that it may have: wait for one, or "
            "cancel one",
            most=MAX_OPEN,
        )
    now = utc_now()
    used = store.counted_since(session, team.id, now - DAY)
    before = sum(count for _, count in used)
    if before + games <= most:
        return
    left = max(0, most - before)
    if games > most:
        raise TooManyError(
            "a team may have %(most)s games of scrimmages in 24 hours, of which %(left)s are left to yours: "
            "ask for at most %(most)s at once",
            round(DAY.total_seconds()),
            most=most,
            left=left,
        )
    at = _free_at(used, before + games - most)
    raise TooManyError(
        "a team may have %(most)s games of scrimmages in 24 hours, of which %(left)s are left to yours: "
        "ask for fewer, or again from %(moment)s UTC on",
        max(1, math.ceil((at - now).total_seconds())),
        most=most,
        left=left,
        moment=f"{at:%Y-%m-%d %H:%M}",
    )


def _free_at(used: Sequence[tuple[dt.datetime, int]], wanted: int) -> dt.datetime:
    """When so many of the games that were asked for, the first first, are a day old."""
    freed = accumulate(games for _, games in used)
    return DAY + next(asked_at for (asked_at, _), so_far in zip(used, freed, strict=True) if so_far >= wanted)
