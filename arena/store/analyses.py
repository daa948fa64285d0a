"""Queries for analyses of games: what is asked for, what is given out next, and what was given up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from arena.core.terms import MatchState
from arena.store.leases import locked
from arena.store.models import Analysis, Match


def find(session: Session, match: Match, *, lock: bool = False) -> Analysis | None:
    """The analysis of a match, whichever result of it that is of; with `lock` as it is now, and kept so."""
    query = select(Analysis).where(Analysis.match_id == match.id)
    return session.scalar(locked(query, Analysis) if lock else query)


def lock_all(session: Session, matches: Collection[int]) -> Sequence[Analysis]:
    """The analyses of these matches as they are now, locked."""
    query = select(Analysis).where(Analysis.match_id.in_(matches)).order_by(Analysis.match_id)
    whole = joinedload(Analysis.match).joinedload(Match.result)
    return session.scalars(locked(query, Analysis).options(whole)).unique().all()


def asked_since(session: Session, user_id: int, since: dt.datetime) -> tuple[int, dt.datetime | None]:
    """How many analyses a user has asked for since then, and when the first of them."""
    query = select(func.count(), func.min(Analysis.created_at))
    row = session.execute(query.where(Analysis.asked_by == user_id, Analysis.created_at > since)).one()
    return row[0], row[1]


def pending_of(session: Session) -> dict[int, int]:
    """How many analyses wait to be given out, by who asked for them."""
    query = select(Analysis.asked_by, func.count()).where(Analysis.state == MatchState.PENDING)
    return {row[0]: row[1] for row in session.execute(query.group_by(Analysis.asked_by))}


def lock_pending(session: Session, user_id: int, limit: int) -> Sequence[Analysis]:
    """The next analyses to be given out of those that a user has asked for, locked."""
    query = select(Analysis).where(Analysis.state == MatchState.PENDING, Analysis.asked_by == user_id)
    query = query.order_by(Analysis.created_at, Analysis.match_id).limit(limit)
    return session.scalars(locked(query, Analysis).options(joinedload(Analysis.match))).unique().all()
