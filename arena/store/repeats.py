"""Queries for matches of laboratory PCs that are played again elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from arena.core.terms import MatchState, Repeated
from arena.store.leases import locked
from arena.store.models import Repeat

TELLING = (Repeated.DIFFERENT, Repeated.LATE)
"""What speaks against the host that has played a match first."""


class Served(NamedTuple):
    """What repeats there is somebody for: those of these needs.

    Where one host alone can serve a need, as `alone` says, what it has played itself waits for another.
    """

    needs: Collection[str]
    alone: Collection[tuple[str, str]]


def any_pending(session: Session, served: Served | None = None) -> bool:
    """Whether one waits; with `served`, one for which there is somebody."""
    query = select(Repeat.id).where(Repeat.state == MatchState.PENDING)
    query = query if served is None else query.where(*_are(served))
    return session.scalar(query.limit(1)) is not None


def lock_pending(session: Session, served: Served, limit: int) -> Sequence[Repeat]:
    """The oldest of those for which there is somebody, locked."""
    query = select(Repeat).where(Repeat.state == MatchState.PENDING, *_are(served))
    return session.scalars(locked(query.order_by(Repeat.id).limit(limit), Repeat)).all()


def _are(served: Served) -> list[ColumnElement[bool]]:
    others = [or_(Repeat.needs != need, Repeat.played_on != host) for need, host in served.alone]
    return [Repeat.needs.in_(served.needs), *others]


def open_of(session: Session, host: str) -> int:
    """How many of a host's matches are to be played again, or just are."""
    query = select(func.count()).select_from(Repeat)
    query = query.where(Repeat.played_on == host, Repeat.outcome.is_(None))
    return session.scalar(query) or 0


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
