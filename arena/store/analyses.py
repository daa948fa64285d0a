"""Queries for analyses of games: what is asked for, what is given out next, and what was given up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, joinedload

from arena.core.terms import MatchState
from arena.store.leases import locked
from arena.store.models import Analysis, Match, Result, Tournament
from arena.theory.pairing.contract import Kind

AT_ONCE = 200
"""So many old analyses are deleted at once."""


def find(session: Session, match: Match, *, lock: bool = False) -> Analysis | None:
    """The analysis of a match, whichever result of it that is of; with `lock` as it is now, and kept so."""
    query = select(Analysis).where(Analysis.match_id == match.id)
    return session.scalar(locked(query, Analysis) if lock else query)


def by_digest(session: Session, digest: str, *, lock: bool = False) -> Analysis | None:
    """The analysis of a game that is no match's; with `lock` as it is now, and kept so."""
    query = select(Analysis).where(Analysis.digest == digest)
    return session.scalar(locked(query, Analysis) if lock else query)


def delete_old(session: Session, before: dt.datetime) -> int:
    """Delete analyses of games that are no matches' and were asked for before then; how many these were."""
    old = select(Analysis.id).where(Analysis.digest.is_not(None), Analysis.created_at < before)
    ids = session.scalars(old.order_by(Analysis.created_at).limit(AT_ONCE)).all()
    if ids:
        session.execute(
            delete(Analysis).where(Analysis.id.in_(ids)), execution_options={"synchronize_session": False}
        )
    return len(ids)


def lock_all(session: Session, ids: Collection[int]) -> Sequence[Analysis]:
    """The analyses of these ids as they are now, locked."""
    query = select(Analysis).where(Analysis.id.in_(ids)).order_by(Analysis.id)
    whole = joinedload(Analysis.match).joinedload(Match.result)
    return session.scalars(locked(query, Analysis).options(whole)).unique().all()


def asked_since(session: Session, user_id: int, since: dt.datetime) -> tuple[int, dt.datetime | None]:
    """How many analyses a user has asked for since then, and when the first of them."""
    query = select(func.count(), func.min(Analysis.created_at))
    row = session.execute(query.where(Analysis.asked_by == user_id, Analysis.created_at > since)).one()
    return row[0], row[1]


def accuracies(session: Session, tournament: Tournament) -> Iterator[tuple[int, int, str, list[Any]]]:
    """Of each analysed game that gave its match a result: both entries' ids, how it ended, and its accuracy.

    Those are left out of which no accuracy was kept.
    """
    query = select(Match.first_id, Match.second_id, Result.reason, Analysis.accuracy)
    query = query.join(Result, Result.match_id == Match.id).join(Analysis, Analysis.match_id == Match.id)
    known = Analysis.state == MatchState.FINISHED, Analysis.accuracy.is_not(None)
    query = query.where(
        Match.tournament_id == tournament.id, Analysis.result_attempt == Result.attempt, *known
    )
    for first, second, reason, accuracy in session.execute(query):
        yield first, second, reason, accuracy or []


def count_played(session: Session, tournament: Tournament) -> int:
    """How many games of a tournament were played and have a result."""
    query = select(func.count()).select_from(Match).join(Result, Result.match_id == Match.id)
    played = Match.tournament_id == tournament.id, Result.kind == Kind.PLAYED
    return session.scalar(query.where(*played)) or 0


def pending_of(session: Session) -> dict[int, int]:
    """How many analyses wait to be given out, by who asked for them."""
    query = select(Analysis.asked_by, func.count()).where(Analysis.state == MatchState.PENDING)
    return {row[0]: row[1] for row in session.execute(query.group_by(Analysis.asked_by))}


def lock_pending(session: Session, user_id: int, limit: int) -> Sequence[Analysis]:
    """The next analyses to be given out of those that a user has asked for, locked."""
    query = select(Analysis).where(Analysis.state == MatchState.PENDING, Analysis.asked_by == user_id)
    query = query.order_by(Analysis.created_at, Analysis.id).limit(limit)
    return session.scalars(locked(query, Analysis).options(joinedload(Analysis.match))).unique().all()
