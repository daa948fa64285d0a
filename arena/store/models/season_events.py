"""What is told of seasons."""

from __future__ import annotations

from typing import Any

from arena.store.models.event_types import EventData, EventKind


class SeasonMade(EventData, kind=EventKind.SEASON_MADE):
    """A season came to be."""

    season: str


class SeasonChanged(EventData, kind=EventKind.SEASON_CHANGED):
    """A season was given these tournaments, counted like this."""

    season: str
    tournaments: list[str]
    scoring: dict[str, Any]


class SeasonRemoved(EventData, kind=EventKind.SEASON_REMOVED):
    """A season is gone; its tournaments stay."""

    season: str
