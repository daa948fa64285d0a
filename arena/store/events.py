"""The audit log: what happened, when, and who did it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.moments import utc_now
from arena.store.models import Event, Match, Tournament, User


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
