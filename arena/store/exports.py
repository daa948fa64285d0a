"""Queries that go through all games of a tournament, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.store import matches as store
from arena.store.models import Match, Result, Tournament

BATCH = 100
LINES = 1000
"""Lines without moves that are held at a time."""


def matches(session: Session, tournament: Tournament, state: MatchState | None) -> Iterator[Match]:
    """The matches by number, with their results; of one state if given. A batch of them is held at a time."""
    last = 0
    while True:
        batch = session.scalars(store.after(tournament, state, last).limit(BATCH)).unique().all()
        yield from batch
        if len(batch) < BATCH:
            return
        last = batch[-1].number


def lines(session: Session, tournament: Tournament) -> Iterator[Any]:
    """What a table of matches tells, by number; what belongs to a result is None where there is none."""
    query = select(
        Match.number,
        Match.round,
        Match.phase,
        Match.state,
        Match.first_id,
        Match.second_id,
        Match.opening_number,
        Match.opening,
        Result.winner,
        Result.reason,
        Result.first_score,
        Result.second_score,
        Result.first_half_points,
        Result.second_half_points,
        Result.forfeits,
        Result.seats,
        Result.kind,
        Result.recorded_at,
    ).outerjoin(Result, Result.match_id == Match.id)
    query = query.where(Match.tournament_id == tournament.id).order_by(Match.number)
    yield from session.execute(query.execution_options(yield_per=LINES))
