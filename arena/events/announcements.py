"""Announcements: what the staff tells everybody. Each is an event and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import NotFoundError
from arena.events.visible import event_of
from arena.schemas.events import EventOut, NewAnnouncement
from arena.store import event_log as store
from arena.store import events, tournaments
from arena.store.models import User
from arena.store.models.event_types import Announced, EventKind


def make(session: Session, staff: User, new: NewAnnouncement) -> EventOut:
    """Tell everybody something; about a tournament where one is named.

    Raises:
        ForbiddenError: an organiser announces what is about no tournament of theirs.
        NotFoundError: there is no such tournament.
    """
    tournament = None
    if new.tournament is None:
        permissions.require_admin(staff)
    else:
        tournament = tournaments.by_name(session, new.tournament)
        if tournament is None:
            raise NotFoundError(f"there is no tournament {new.tournament!r}")
        permissions.require_runner(staff, tournament)
    made = events.log(session, Announced(new.text), actor=staff, tournament=tournament)
    session.flush()
    return _told(store.after(session, made.id - 1, 1))[0]


def listed(session: Session, *, offset: int, limit: int) -> tuple[list[EventOut], int]:
    """A part of all announcements, newest first, and how many there are."""
    lines, total = store.newest(session, EventKind.ANNOUNCEMENT, offset=offset, limit=limit)
    return _told(lines), total


def _told(lines: Sequence[store.Line]) -> list[EventOut]:
    return [told for line in lines if (told := event_of(line, staff=False))]
