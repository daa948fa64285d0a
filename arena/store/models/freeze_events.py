"""What is told of timetables, freezes and reveals."""

from __future__ import annotations

from typing import Any

from arena.core.errors import Worded
from arena.core.kept_words import said
from arena.store.models.event_types import EventData, EventKind


class TournamentFrozen(EventData, kind=EventKind.TOURNAMENT_FROZEN):
    """Results that are recorded after that moment are hidden from the public."""

    since: str


class TournamentRevealed(EventData, kind=EventKind.TOURNAMENT_REVEALED):
    """Everybody sees all results."""


class TimetableSet(EventData, kind=EventKind.TIMETABLE_SET):
    """The moments at which acts are to be done, by the acts' names."""

    moments: dict[str, str]


class TimetableDone(EventData, kind=EventKind.TIMETABLE_DONE):
    """The timetable had an act done, of which another event tells."""

    act: str


class TimetableFailed(EventData, kind=EventKind.TIMETABLE_FAILED):
    """The timetable could not have an act done."""

    act: str
    why: str
    words: dict[str, Any] | None = None

    @property
    def said(self) -> Worded:
        """Why, so that it can be said in any language."""
        return said(self.words, self.why)


class RevealMoved(EventData, kind=EventKind.REVEAL_MOVED):
    """The staff went on, or back, to that step of a reveal."""

    step: int


class TournamentTitled(EventData, kind=EventKind.TOURNAMENT_TITLED):
    """Another title stands over a tournament; its name where that is empty."""

    title: str
