"""Queries for timetables: what is to be done when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from arena.core.terms import Act
from arena.store.models import Moment, Tournament

NOT_DONE = or_(Moment.done_at.is_(None), Moment.trouble.is_not(None))
"""What the public is told of as still to come."""


def of_tournament(session: Session, tournament: Tournament) -> dict[Act, Moment]:
    """The moments of a tournament's timetable, as they are now."""
    query = select(Moment).where(Moment.tournament_id == tournament.id)
    rows = session.scalars(query.execution_options(populate_existing=True))
    return {row.act: row for row in sorted(rows, key=lambda row: list(Act).index(row.act))}


def of_tournaments(session: Session, tournaments: Collection[int]) -> dict[int, list[Moment]]:
    """The moments of these tournaments, by their ids, the earliest first."""
    query = select(Moment).where(Moment.tournament_id.in_(tournaments)).order_by(Moment.at)
    found: dict[int, list[Moment]] = {each: [] for each in tournaments}
    for moment in session.scalars(query):
        found[moment.tournament_id].append(moment)
    return found


def of_act(session: Session, tournament_id: int, act: Act) -> Moment | None:
    """The moment of one act, as it is now."""
    return session.get(Moment, (tournament_id, act), populate_existing=True)


def due(session: Session, now: dt.datetime) -> Sequence[tuple[int, Act]]:
    """The tournaments' ids and acts whose moments have come and that nobody has tried, the earliest first."""
    query = select(Moment.tournament_id, Moment.act).where(Moment.done_at.is_(None), Moment.at <= now)
    return [(row[0], row[1]) for row in session.execute(query.order_by(Moment.at, Moment.tournament_id))]


def next_at(session: Session) -> dt.datetime | None:
    """When something is to be done next."""
    return session.scalar(select(func.min(Moment.at)).where(Moment.done_at.is_(None)))
