"""Moments as people say them, in the arena's time zone."""

from __future__ import annotations

import datetime as dt
import re

from babel.dates import LOCALTZ

from arena.core.errors import InvalidError
from arena.core.settings import Settings

YEARS = range(2000, 3000)
"""Of these a moment can be; others would leave what a calendar holds when durations are added."""

SEASON_DAYS = 15
"""Two summers apart, clocks stay changed for a month at least."""
CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def zone_of(settings: Settings) -> dt.tzinfo:
    """The zone in which the arena tells times."""
    return settings.timezone or LOCALTZ


def told(zone: dt.tzinfo, now: dt.datetime) -> str:
    """What a zone is called, with how far it is from UTC: where that changes within a year, all of it."""
    days = [(now + dt.timedelta(days=each)).astimezone(zone) for each in range(0, 366, SEASON_DAYS)]
    offsets = ", ".join(sorted({f"UTC{day.isoformat()[-6:]}" for day in days}))
    name = getattr(zone, "key", None)
    return f"{name} ({offsets})" if name else offsets


def later(moment: dt.datetime, seconds: float) -> dt.datetime:
    """So many seconds after a moment, also where clocks are changed meanwhile; in the same zone."""
    return (moment.astimezone(dt.UTC) + dt.timedelta(seconds=seconds)).astimezone(moment.tzinfo)


def moment(text: str, after: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """The moment that `text` names: the next ``17:00`` after `after`, or a date and time as in ISO 8601.

    Without an offset it is of that zone.

    Raises:
        InvalidError: it cannot be read, or is of another millennium.
    """
    clock = CLOCK.fullmatch(text.strip())
    if clock:
        there = after.astimezone(zone)
        today = there.replace(hour=int(clock[1]), minute=int(clock[2]), second=0, microsecond=0)
        return today if today > after else today + dt.timedelta(days=1)
    try:
        named = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidError(
            "%(text)r is no time; write 17:00 for the next time it is that late, or 2026-05-20T17:00",
            text=text,
        ) from None
    if named.year not in YEARS:
        raise InvalidError(
            "%(text)r is too far away; name a year from %(first)s to %(last)s",
            text=text,
            first=YEARS[0],
            last=YEARS[-1],
        )
    return named if named.tzinfo else named.replace(tzinfo=zone)
