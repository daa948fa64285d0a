"""What the audit log can say of scrimmages: who lets them be played. Of the games it says nothing."""

from __future__ import annotations

from arena.store.models.event_types import EventData, EventKind


class BotScrimmages(EventData, kind=EventKind.BOT_SCRIMMAGES):
    """A bot takes scrimmages from now on, or none."""

    bot: str
    takes: bool


class ClassScrimmages(EventData, kind=EventKind.CLASS_SCRIMMAGES):
    """A class has scrimmages from now on, or none."""

    name: str
    has: bool
