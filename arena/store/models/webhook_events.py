"""What is told of webhooks."""

from __future__ import annotations

from arena.store.models.event_types import EventData, EventKind


class WebhookCreated(EventData, kind=EventKind.WEBHOOK_CREATED):
    """An address is told of events; `origin` is that without its path."""

    webhook: int
    origin: str


class WebhookStopped(EventData, kind=EventKind.WEBHOOK_STOPPED):
    """An address is told nothing until the staff starts it again."""

    webhook: int
    why: str


class WebhookRemoved(EventData, kind=EventKind.WEBHOOK_REMOVED):
    """An address is told nothing any more."""

    webhook: int
    origin: str
