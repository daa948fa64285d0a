"""How much of its own a team may have here, and have checked; the staff may have anything."""

from __future__ import annotations

import datetime as dt
import math
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, TooManyError
from arena.core.settings import Settings
from arena.store import bots as store
from arena.store import users
from arena.store.models import User

HOUR = dt.timedelta(hours=1)
MEGABYTE = 1024 * 1024


class FullQuotaError(ConflictError):
    """A team has as much of its own as it may have."""


class Quota(NamedTuple):
    """What a team may have: bots, versions of them all, bytes of these unpacked, and checks in an hour."""

    bots: int
    versions: int
    stored_bytes: int
    checks: int

    @classmethod
    def of(cls, settings: Settings) -> Quota:
        """What the staff allows."""
        return cls(
            settings.team_bots,
            settings.team_versions,
            settings.team_megabytes * MEGABYTE,
            settings.team_checks,
        )


def require_room(session: Session, actor: User, quota: Quota | None, size: int, *, new_bot: bool) -> None:
    """Let go on whose team has room for one more version of so many bytes, and its check.

    What else the team hands in waits until this transaction ends.

    Raises:
        FullQuotaError: it has none; the message says of what, how much there is, and what to do.
        TooManyError: it has had as many checks as it may in an hour.
    """
    if quota is None or permissions.is_staff(actor):
        return
    users.lock(session, actor)
    has = store.stored(session, actor.account_id)
    if new_bot and has.bots >= quota.bots:
        raise FullQuotaError(
            "your team has %(most)s bots, the most that it may have: hand in a new version of one of them, "
            "or ask the staff",
            most=quota.bots,
        )
    if has.versions >= quota.versions:
        raise FullQuotaError(
            "your team has handed in %(most)s versions, the most that it may: ask the staff",
            most=quota.versions,
        )
    if has.size + size > quota.stored_bytes:
        raise FullQuotaError(
            "your team's versions have %(megabytes)s MiB unpacked of the %(most)s MiB that they may have, "
            "and this one has %(more)s MiB: leave out what the bot does not need, or ask the staff",
            megabytes=math.ceil(has.size / MEGABYTE),
            most=quota.stored_bytes // MEGABYTE,
            more=math.ceil(size / MEGABYTE),
        )
    require_check(session, actor, quota)


def require_check(session: Session, actor: User, quota: Quota | None) -> None:
    """Let go on whose team may have one more check; its other ones wait until this transaction ends.

    Raises:
        TooManyError: it has had as many as it may in an hour; with when it can have another one.
    """
    if quota is None or permissions.is_staff(actor):
        return
    users.lock(session, actor)
    now = utc_now()
    asked = store.checks_asked(session, actor.account_id, now - HOUR, quota.checks)
    if len(asked) < quota.checks:
        return
    seconds = max(1, math.ceil((asked[-1] + HOUR - now).total_seconds()))
    raise TooManyError(
        "your team has had %(most)s checks in this hour, the most that it may: try at home with "
        "`arena bot check`, or again in %(minutes)s min",
        seconds,
        most=quota.checks,
        minutes=math.ceil(seconds / 60),
    )
