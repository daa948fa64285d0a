"""Moments as people say them."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from arena.core.errors import InvalidError
from arena.core.settings import Settings
from arena.planning.local_time import later, moment, told, zone_of

BERLIN = ZoneInfo("Europe/Berlin")
TAIPEI = ZoneInfo("Asia/Taipei")
NOON = dt.datetime(2026, 5, 20, 4, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("17:00", "2026-05-20T17:00+08:00"),
        ("9:30", "2026-05-21T09:30+08:00"),
        ("12:00", "2026-05-21T12:00+08:00"),
        ("2026-06-01T08:00", "2026-06-01T08:00+08:00"),
        ("2026-06-01 08:00+00:00", "2026-06-01T08:00+00:00"),
    ],
)
def test_a_time_of_day_is_the_next_one(text: str, found: str) -> None:
    """In the arena's zone, whatever the machine's is; a date and time is taken as it stands."""
    assert moment(text, NOON, TAIPEI) == dt.datetime.fromisoformat(found)


@pytest.mark.parametrize("text", ["", "25:00", "noon", "17", "17:60"])
def test_what_is_no_time_is_refused(text: str) -> None:
    """The message says how to write one."""
    with pytest.raises(InvalidError, match="17:00"):
        moment(text, NOON, TAIPEI)


@pytest.mark.parametrize("text", ["0001-01-01T00:00+14:00", "1999-12-31T23:59", "9999-12-31T23:59-12:00"])
def test_what_no_calendar_reaches_is_refused(text: str) -> None:
    """A moment of another millennium, which no zone and no sum may hold, is said to be too far away."""
    with pytest.raises(InvalidError, match="too far away; name a year from 2000 to 2999"):
        moment(text, NOON, TAIPEI)


def test_the_zone_is_the_arenas() -> None:
    """The one that is set, else the machine's own."""
    assert zone_of(Settings(timezone=TAIPEI)) == TAIPEI
    assert zone_of(Settings(timezone=None)) is not None


@pytest.mark.parametrize("now", [dt.datetime(2026, month, 25, tzinfo=dt.UTC) for month in range(1, 13)])
def test_a_zone_is_told_with_all_its_offsets(now: dt.datetime) -> None:
    """Those of the whole year, so that none is told for a day on which it is another one."""
    assert told(BERLIN, now) == "Europe/Berlin (UTC+01:00, UTC+02:00)"
    assert told(TAIPEI, now) == "Asia/Taipei (UTC+08:00)"
    assert told(dt.timezone(dt.timedelta(hours=8)), now) == "UTC+08:00"


def test_time_passes_where_clocks_are_changed() -> None:
    """Three hours from before the change to summer time end when three hours have passed."""
    start = dt.datetime(2026, 3, 29, 1, tzinfo=BERLIN)
    end = later(start, 3 * 3600)
    assert (f"{end:%H:%M}", end.tzinfo) == ("05:00", BERLIN)
    assert (end.astimezone(dt.UTC) - start.astimezone(dt.UTC)).total_seconds() == 3 * 3600


@pytest.mark.parametrize(
    ("text", "after", "found"),
    [
        ("02:30", "2026-10-24T22:00", "2026-10-25T00:30"),
        ("02:30", "2026-10-25T00:45", "2026-10-25T01:30"),
        ("02:30", "2026-10-25T01:30", "2026-10-26T01:30"),
        ("02:30", "2026-03-28T23:00", "2026-03-30T00:30"),
        ("03:30", "2026-03-28T23:00", "2026-03-29T01:30"),
    ],
)
def test_the_next_time_of_day_is_one_that_clocks_show(text: str, after: str, found: str) -> None:
    """Where clocks are put back it comes twice, and on the night when they are put forward not at all."""
    now, expected = (dt.datetime.fromisoformat(f"{each}+00:00") for each in (after, found))
    for zone in (dt.UTC, BERLIN):
        assert moment(text, now.astimezone(zone), BERLIN).astimezone(dt.UTC) == expected


def test_what_no_clock_shows_is_refused() -> None:
    """Which moment was meant in the hour that is left out nobody knows; the same with an offset is known."""
    for text in ("2026-03-29T02:00", "2026-03-29T02:59:59"):
        with pytest.raises(InvalidError, match=r"no clock shows 2026-03-29 02:.. here"):
            moment(text, NOON, BERLIN)
    assert moment("2026-03-29T03:00", NOON, BERLIN).astimezone(dt.UTC).hour == 1
    assert moment("2026-03-29T02:30+01:00", NOON, BERLIN).astimezone(dt.UTC).hour == 1
    assert moment("2026-10-25T02:30", NOON, BERLIN).astimezone(dt.UTC).hour == 0
