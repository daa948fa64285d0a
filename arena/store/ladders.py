"""Queries for what was played last on a ladder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select, union_all
from sqlalchemy.orm import Session, contains_eager

from arena.store.models import Match, Result, Tournament


class Last(NamedTuple):
    """One of the last games of an entry: the match's number, and how it ended for the entry."""

    entry: int
    match: int
    half_points: int
    reason: str


def last_of_each(session: Session, tournament: Tournament, length: int) -> list[Last]:
    """The last recorded games of every entry, the last first."""
    seats = (
        (Match.first_id, Result.first_half_points),
        (Match.second_id, Result.second_half_points),
    )
    sides = union_all(
        *(
            select(
                *(entry.label("entry"), Match.number, half_points.label("half_points")),
                *(Result.reason, Result.recorded_at),
            )
            .join(Result, Result.match_id == Match.id)
            .where(Match.tournament_id == tournament.id)
            for entry, half_points in seats
        )
    ).subquery()
    newest = sides.c.recorded_at.desc(), sides.c.number.desc()
    place = func.row_number().over(partition_by=sides.c.entry, order_by=newest).label("place")
    placed = select(sides, place).subquery()
    query = select(placed.c.entry, placed.c.number, placed.c.half_points, placed.c.reason)
    query = query.where(placed.c.place <= length).order_by(placed.c.entry, placed.c.place)
    return [Last(*row) for row in session.execute(query)]


def last_matches(session: Session, tournament: Tournament, most: int) -> Sequence[Match]:
    """The last recorded matches with their results, the last first."""
    query = select(Match).join(Result, Result.match_id == Match.id).options(contains_eager(Match.result))
    query = query.where(Match.tournament_id == tournament.id)
    return session.scalars(query.order_by(Result.recorded_at.desc(), Match.number.desc()).limit(most)).all()
