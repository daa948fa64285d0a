"""Announcements among others."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.orm import Session

from arena.events import announcements
from arena.schemas.events import NewAnnouncement
from arena.store import events
from arena.store.models import Event
from arena.store.models.event_types import Announced, EventData
from tests.integration.arena.world import World


def test_who_announces_is_told_of_their_own(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many others announce something at the same moment."""
    log = events.log

    def log_beside_another(session: Session, data: EventData, **about: Any) -> Event:
        made = log(session, data, **about)
        session.flush()
        log(session, Announced("another one's"))
        return made

    monkeypatch.setattr(events, "log", log_beside_another)
    with world.database.transaction() as session:
        made = announcements.make(session, world.staff, NewAnnouncement(text="mine"))
    assert made.data == {"text": "mine"}
