"""Queries that go through all games of a tournament, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from arena.store import matches as store
from arena.store.models import Match, MatchState, Result, Tournament

BATCH = 100


def matches(session: Session, tournament: Tournament, state: MatchState | None) -> Iterator[Match]:
    """The matches by number, with their results; of one state if given. A batch of them is held at a time."""
    last = 0
    while True:
        query = store.listed(tournament, state, None).where(Match.number > last).limit(BATCH)
        found = session.scalars(query).unique().all()
        yield from found
        if len(found) < BATCH:
            return
        last = found[-1].number


def uses(session: Session, tournament: Tournament) -> Iterator[Row[Any]]:
    """Of every recorded game: both entries, how it was decided, half points, forfeits, and what both used."""
    query = select(
        Match.first_id,
        Match.second_id,
        Result.kind,
        Result.first_half_points,
        Result.second_half_points,
        Result.forfeits,
        Result.seats,
    ).join(Result, Result.match_id == Match.id)
    query = query.where(Match.tournament_id == tournament.id)
    yield from session.execute(query.execution_options(yield_per=BATCH))
