"""Announcements: what the staff tells everybody, or a class. Each is an event and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import NotFoundError
from arena.events.visible import event_of
from arena.schemas.events import EventOut, NewAnnouncement
from arena.store import event_log as store
from arena.store import events, freezes, news, tournaments
from arena.store.models import Event, SchoolClass, Tournament, User
from arena.store.models.event_types import Announced, EventKind
from arena.store.models.question_events import ClassAnnounced


def make(session: Session, staff: User, new: NewAnnouncement) -> EventOut:
    """Tell everybody something; about a tournament where one is named.

    Raises:
        ForbiddenError: an organiser announces what is about no tournament of theirs.
        NotFoundError: there is no such tournament.
    """
    if new.tournament is not None:
        tournament = tournaments.by_name(session, new.tournament)
        if tournament is None:
            raise NotFoundError(f"there is no tournament {new.tournament!r}")
        return make_in(session, staff, tournament, new.text)
    permissions.require_admin(staff)
    return _made(session, events.log(session, Announced(new.text), actor=staff))


def make_in(session: Session, staff: User, tournament: Tournament, text: str) -> EventOut:
    """Tell everybody something about a tournament; its pages show it, also while it is frozen.

    Raises:
        ForbiddenError: somebody else runs it.
    """
    permissions.require_runner(staff, tournament)
    tournament = tournaments.lock(session, tournament.id)
    made = events.log(session, Announced(text), actor=staff, tournament=tournament)
    let_pages_tell(session, tournament)
    return _made(session, made)


def let_pages_tell(session: Session, tournament: Tournament) -> None:
    """Let the pages of a (locked) tournament be made anew: they have something to tell besides results."""
    tournament.revision += 1
    freezes.announce_change(session, tournament)


def make_for(session: Session, staff: User, school_class: SchoolClass, text: str) -> EventOut:
    """Tell the teams of a class something; others are not told.

    Raises:
        ForbiddenError: somebody else runs the class.
    """
    permissions.require_class(staff, school_class)
    told = ClassAnnounced(school_class.name, text)
    return _made(session, events.log(session, told, actor=staff, class_id=school_class.id), staff=True)


def listed(session: Session, *, offset: int, limit: int) -> tuple[list[EventOut], int]:
    """A part of all announcements, newest first, and how many there are."""
    lines, total = store.newest(session, EventKind.ANNOUNCEMENT, offset=offset, limit=limit)
    return _told(lines), total


def listed_in(
    session: Session, tournament: Tournament, *, offset: int, limit: int
) -> tuple[list[EventOut], int]:
    """A part of the announcements about a tournament, newest first, and how many there are."""
    kind = EventKind.ANNOUNCEMENT
    lines, total = store.newest(session, kind, tournament=tournament.id, offset=offset, limit=limit)
    return _told(lines), total


def listed_for(
    session: Session, school_class: SchoolClass, *, offset: int, limit: int
) -> tuple[list[EventOut], int]:
    """A part of the announcements to a class, newest first, and how many there are."""
    numbers = [each.number for each in news.announced_to_class(session, school_class.id, offset, limit)]
    return _told(store.of_numbers(session, numbers), staff=True), news.count_announced_to_class(
        session, school_class.id
    )


def _made(session: Session, event: Event, *, staff: bool = False) -> EventOut:
    session.flush()
    return _told(store.after(session, event.id - 1, 1), staff=staff)[0]


def _told(lines: Sequence[store.LoggedEvent], *, staff: bool = False) -> list[EventOut]:
    return [told for line in lines if (told := event_of(line, staff=staff)) is not None]
