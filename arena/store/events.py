"""The audit log: what happened, when, and who did it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, get_type_hints

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from arena.core.clock import utc_now
from arena.core.errors import Worded
from arena.store.database import has_news
from arena.store.models import Event, Match, Tournament, User
from arena.store.models.event_types import EventData, EventKind, TournamentStuck
from arena.store.models.freeze_events import TimetableFailed

BATCH = 2000
ACT = "act"
"""Where a session has the number of the first event of the act that is being done; 0 before it."""

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def act(session: Session) -> Iterator[None]:
    """Let all events that are logged meanwhile be one act, apart from one that is being done around it."""
    outer = session.info.get(ACT)
    session.info[ACT] = 0
    try:
        yield
    finally:
        session.info[ACT] = outer


def one_act(done: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[Session, P], T]:
    """Let all events that a function logs be one act, or a part of the one that is being done around it."""

    @wraps(done)
    def grouped(session: Session, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if session.info.get(ACT) is not None:
            return done(session, *args, **kwargs)
        with act(session):
            return done(session, *args, **kwargs)

    return grouped


def log(
    session: Session,
    data: EventData,
    *,
    actor: User | None = None,
    tournament: Tournament | None = None,
    match: Match | None = None,
    class_id: int | None = None,
) -> Event:
    """Add an event to this transaction; without an `actor` it was the arena itself.

    What is for a class alone has its id.
    """
    has_news(session)
    begun = session.info.get(ACT)
    event = Event(
        at=utc_now(),
        kind=data.kind,
        tournament_id=tournament.id if tournament else match.tournament_id if match else None,
        match_id=match.id if match else None,
        user_id=actor.id if actor else None,
        data=data.kept(),
        class_id=class_id,
        act=begun or None,
    )
    session.add(event)
    if begun == 0:
        session.flush()
        session.info[ACT] = event.id
    return event


def of_tournament(session: Session, tournament: Tournament) -> Sequence[Event]:
    """Everything that happened in a tournament, in order."""
    query = select(Event).where(Event.tournament_id == tournament.id).order_by(Event.id)
    return session.scalars(query).all()


def logged(tournament: Tournament, without: Sequence[EventKind]) -> Select[Event]:
    """The log of a tournament, newest first, without events of these kinds."""
    kinds = [kind for kind in EventKind if kind not in without]
    query = select(Event).where(Event.tournament_id == tournament.id, Event.kind.in_(kinds))
    return query.order_by(Event.id.desc()).options(joinedload(Event.user), joinedload(Event.match))


def stuck(session: Session, tournament: Tournament) -> Worded | None:
    """Why the format of a tournament, as it is now, does not know how it goes on."""
    query = select(Event.id, Event.data).where(Event.tournament_id == tournament.id)
    rows = session.execute(query.where(Event.kind == TournamentStuck.KIND)).all()  # few, found by their kind
    last = TournamentStuck(**max(rows, key=lambda row: row.id).data) if rows else None
    return last.said if last and last.revision == tournament.revision else None


def not_kept(session: Session, tournament: Tournament) -> dict[str, Worded]:
    """Why acts of a tournament's timetable could not be done, the last time each, by their names."""
    query = select(Event.data).where(Event.tournament_id == tournament.id)
    rows = session.scalars(query.where(Event.kind == TimetableFailed.KIND).order_by(Event.id))
    return {told.act: told.said for told in (TimetableFailed(**data) for data in rows)}


class TypedEvent(NamedTuple):
    """An event by its number: of which match it tells, and what; None where that cannot be read."""

    number: int
    kind: EventKind
    match: int | None
    data: EventData | None


def of_types(
    session: Session, tournament: Tournament, types: Sequence[type[EventData]]
) -> Iterator[TypedEvent]:
    """A tournament's events of these types, in order, never all held at once."""
    by_kind = {each.KIND: (each, _types(each)) for each in types}
    query = select(Event.id, Event.kind, Event.match_id, Event.data)
    query = query.where(Event.tournament_id == tournament.id, Event.kind.in_(by_kind))
    for number, kind, match, data in session.execute(
        query.order_by(Event.id).execution_options(yield_per=BATCH)
    ):
        yield TypedEvent(number, kind, match, _read(*by_kind[kind], data))


def _read(kind: type[EventData], types: dict[str, Any], data: Any) -> EventData | None:
    """What a row of the log tells; None where fields are missing, of another kind's or of another type."""
    if not isinstance(data, dict) or data.keys() != types.keys():
        return None
    return kind(**data) if all(isinstance(data[name], types[name]) for name in types) else None


def _types(kind: type[EventData]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind)}  # type: ignore[arg-type]
