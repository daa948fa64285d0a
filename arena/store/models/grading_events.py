"""What is told of grading."""

from __future__ import annotations

from typing import Any

from arena.store.models.event_types import EventData, EventKind


class GradingSet(EventData, kind=EventKind.GRADING_SET):
    """The staff set how a tournament is graded, after so many releases."""

    scheme: dict[str, Any]
    releases: int


class GradesReleased(EventData, kind=EventKind.GRADES_RELEASED):
    """So many teams were told their grades; the first time without a reason."""

    number: int
    teams: int
    reason: str
