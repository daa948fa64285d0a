"""Moments as people say them, in the arena's time zone."""

from __future__ import annotations

import datetime as dt
import re
from itertools import product

from babel.dates import LOCALTZ

from arena.core.errors import InvalidError
from arena.core.settings import Settings

YEARS = range(2000, 3000)
"""Of these a moment can be; others would leave what a calendar holds when durations are added."""

SEASON_DAYS = 15
"""Two summers apart, clocks stay changed for a month at least."""
CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
NEXT_DAYS = range(3)
"""On one of these days from today on clocks show any time of day; on one of them they may be put forward."""


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
        InvalidError: it cannot be read, is of another millennium, or no clock of the zone ever shows it.
    """
    clock = CLOCK.fullmatch(text.strip())
    if clock:
        return _next(dt.time(int(clock[1]), int(clock[2])), after, zone)
    try:
        given = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidError(
            "%(text)r is no time; write 17:00 for the next time it is that late, or 2026-05-20T17:00",
            text=text,
        ) from None
    return in_zone(given, zone)


def in_zone(given: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """The moment that a date and time names: in that zone, where it has no offset of its own.

    Where the clocks of the zone are put back over it, it is the first time that they show it.

    Raises:
        InvalidError: it is of another millennium, or clocks never show it as they are put forward over it.
    """
    if given.year not in YEARS:
        raise InvalidError(
            "%(text)r is too far away; name a year from %(first)s to %(last)s",
            text=given.isoformat(),
            first=YEARS[0],
            last=YEARS[-1],
        )
    there = given if given.tzinfo else given.replace(tzinfo=zone)
    if not _is_shown(there):
        raise InvalidError(
            "no clock shows %(moment)s here, because clocks are put forward over it; name an earlier or a "
            "later time",
            moment=f"{given:%Y-%m-%d %H:%M}",
        )
    return there


def _next(clock: dt.time, after: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """The next moment at which it is so late; an hour in which clocks are put back has each time twice."""
    today, now = after.astimezone(zone).date(), after.astimezone(dt.UTC)
    there = (
        dt.datetime.combine(today + dt.timedelta(days=days), clock.replace(fold=fold), zone)
        for days, fold in product(NEXT_DAYS, (0, 1))
    )
    return next(each for each in there if _is_shown(each) and each.astimezone(dt.UTC) > now)


def _is_shown(there: dt.datetime) -> bool:
    """Whether the clocks of its zone ever show it."""
    back = there.astimezone(dt.UTC).astimezone(there.tzinfo)
    return back.replace(tzinfo=None) == there.replace(tzinfo=None)
