"""Queries for matches of laboratory PCs that are played again elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.core.terms import MatchState, Repeated
from arena.store.leases import locked
from arena.store.models import Repeat

TELLING = (Repeated.DIFFERENT, Repeated.LATE)
"""What speaks against the host that has played a match first."""


def any_pending(session: Session, served: Collection[str] | None = None) -> bool:
    """Whether one waits, of these needs where they are told."""
    query = select(Repeat.id).where(Repeat.state == MatchState.PENDING)
    query = query if served is None else query.where(Repeat.needs.in_(served))
    return session.scalar(query.limit(1)) is not None


def lock_pending(session: Session, served: Collection[str], limit: int) -> Sequence[Repeat]:
    """The oldest of them, locked."""
    return session.scalars(locked(_pending(served).limit(limit), Repeat)).all()


def _pending(served: Collection[str]) -> Select[Repeat]:
    query = select(Repeat).where(Repeat.state == MatchState.PENDING, Repeat.needs.in_(served))
    return query.order_by(Repeat.id)


def lock_all(session: Session, ids: Collection[int]) -> Sequence[Repeat]:
    """Those of these numbers as they are now, locked."""
    query = select(Repeat).where(Repeat.id.in_(ids)).order_by(Repeat.id)
    return session.scalars(locked(query, Repeat)).all()


def counts(session: Session) -> dict[str, Counter[Repeated | None]]:
    """What came of the repeats of every host's matches, by host; None of those that are not over."""
    query = select(Repeat.played_on, Repeat.outcome, func.count())
    found: dict[str, Counter[Repeated | None]] = defaultdict(Counter)
    for host, outcome, number in session.execute(query.group_by(Repeat.played_on, Repeat.outcome)):
        found[host][outcome] = number
    return found


def telling(session: Session, names: Collection[str], limit: int) -> Sequence[Repeat]:
    """The newest repeats that speak against one of these hosts."""
    query = select(Repeat).where(Repeat.played_on.in_(names), Repeat.outcome.in_(TELLING))
    return session.scalars(query.order_by(Repeat.id.desc()).limit(limit)).all()
