"""The audit log: what happened, when, and who did it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from arena.moments import utc_now
from arena.store.models import Event, Match, Tournament, User

BATCH = 2000


def log(
    session: Session,
    kind: str,
    *,
    actor: User | None = None,
    tournament: Tournament | None = None,
    match: Match | None = None,
    **data: Any,
) -> None:
    """Add an event to this transaction; without an `actor` it was the arena itself."""
    session.add(
        Event(
            at=utc_now(),
            kind=kind,
            tournament_id=tournament.id if tournament else match.tournament_id if match else None,
            match_id=match.id if match else None,
            user_id=actor.id if actor else None,
            data=data,
        )
    )


def of_tournament(session: Session, tournament: Tournament) -> Sequence[Event]:
    """Everything that happened in a tournament, in order."""
    query = select(Event).where(Event.tournament_id == tournament.id).order_by(Event.id)
    return session.scalars(query).all()


def logged(tournament: Tournament, without: Sequence[str]) -> Select[Event]:
    """The log of a tournament, newest first, without events of these kinds."""
    query = select(Event).where(Event.tournament_id == tournament.id, Event.kind.not_in(without))
    return query.order_by(Event.id.desc()).options(joinedload(Event.user), joinedload(Event.match))


def of_kinds(session: Session, tournament: Tournament, kinds: Sequence[str]) -> Iterator[Any]:
    """Kind, match and data of a tournament's events of these kinds, in order, never all held at once."""
    query = select(Event.kind, Event.match_id, Event.data).where(Event.tournament_id == tournament.id)
    query = query.where(Event.kind.in_(kinds)).order_by(Event.id).execution_options(yield_per=BATCH)
    yield from session.execute(query)
