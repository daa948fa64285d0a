"""Moments as people say them, in the arena's time zone."""

from __future__ import annotations

import datetime as dt
import re

from babel.dates import LOCALTZ

from arena.core.errors import InvalidError
from arena.core.settings import Settings

YEARS = range(2000, 3000)
"""Of these a moment can be; others would leave what a calendar holds when durations are added."""

CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def zone_of(settings: Settings) -> dt.tzinfo:
    """The zone in which the arena tells times."""
    return settings.timezone or LOCALTZ


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
