"""The audit log: what happened, when, and who did it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from arena.core.clock import utc_now
from arena.store.database import has_news
from arena.store.models import Event, Match, Tournament, User
from arena.store.models.event_types import EventData, EventKind, TournamentStuck

BATCH = 2000


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
    event = Event(
        at=utc_now(),
        kind=data.kind,
        tournament_id=tournament.id if tournament else match.tournament_id if match else None,
        match_id=match.id if match else None,
        user_id=actor.id if actor else None,
        data=data.kept(),
        class_id=class_id,
    )
    session.add(event)
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


def stuck(session: Session, tournament: Tournament) -> str | None:
    """Why the format of a tournament, as it is now, does not know how it goes on."""
    query = select(Event.id, Event.data).where(Event.tournament_id == tournament.id)
    rows = session.execute(query.where(Event.kind == TournamentStuck.KIND)).all()  # few, found by their kind
    last = TournamentStuck(**max(rows, key=lambda row: row.id).data) if rows else None
    return last.trouble if last and last.revision == tournament.revision else None


def of_types(
    session: Session, tournament: Tournament, types: Sequence[type[EventData]]
) -> Iterator[tuple[int | None, EventData]]:
    """Match and data of a tournament's events of these types, in order, never all held at once."""
    by_kind = {each.KIND: each for each in types}
    query = select(Event.kind, Event.match_id, Event.data).where(Event.tournament_id == tournament.id)
    query = query.where(Event.kind.in_(by_kind)).order_by(Event.id).execution_options(yield_per=BATCH)
    for kind, match, data in session.execute(query):
        yield match, by_kind[kind](**data)
