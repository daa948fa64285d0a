"""Queries for analyses of games: what is asked for, what is given out next, and what was given up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple, TypeVarTuple

from sqlalchemy import Select, delete, exists, func, select
from sqlalchemy.orm import Session, joinedload

from arena.core.terms import MatchState
from arena.store.leases import ISSUED, locked
from arena.store.models import Analysis, Match, Move, Result, Tournament
from arena.theory.pairing.contract import Kind

OVER = (MatchState.FINISHED, MatchState.PARKED)
Columns = TypeVarTuple("Columns")
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
    """How many analyses a user has asked for one by one since then, and when the first of them."""
    query = select(func.count(), func.min(Analysis.created_at))
    row = session.execute(
        query.where(Analysis.asked_by == user_id, Analysis.created_at > since, ~Analysis.idle)
    ).one()
    return row[0], row[1]


def accuracies(session: Session, tournament: Tournament) -> Iterator[tuple[int, int, str, list[Any]]]:
    """Of each analysed game that gave its match a result: both entries' ids, how it ended, and its accuracy.

    Those are left out of which no accuracy was kept.
    """
    query = select(Match.first_id, Match.second_id, Result.reason, Analysis.accuracy)
    query = query.join(Result, Result.match_id == Match.id).join(Analysis, Analysis.match_id == Match.id)
    known = Analysis.result_attempt == Result.attempt, Analysis.accuracy.is_not(None)
    query = query.where(Match.tournament_id == tournament.id, *known)
    for first, second, reason, accuracy in session.execute(query):
        yield first, second, reason, accuracy or []


def count_played(session: Session, tournament: Tournament) -> int:
    """How many games of a tournament were played, by a move at least, and have a result."""
    query = _played(select(func.count(Match.id)), tournament.id)
    return session.scalar(query.where(Result.kind == Kind.PLAYED)) or 0


def pending_of(session: Session) -> dict[int, int]:
    """How many analyses wait to be given out that somebody has asked for, by who that was."""
    return _asked_of(session, (MatchState.PENDING,))


def issued_of(session: Session) -> dict[int, int]:
    """The same of what is given out."""
    return _asked_of(session, ISSUED)


def _asked_of(session: Session, states: Collection[MatchState]) -> dict[int, int]:
    query = select(Analysis.asked_by, func.count()).where(Analysis.state.in_(states), ~Analysis.idle)
    return {row[0]: row[1] for row in session.execute(query.group_by(Analysis.asked_by))}


def lock_pending(session: Session, user_id: int, limit: int) -> Sequence[Analysis]:
    """The next analyses to be given out of those that a user has asked for, locked."""
    query = select(Analysis).where(Analysis.state == MatchState.PENDING, Analysis.asked_by == user_id)
    query = query.where(~Analysis.idle)
    query = query.order_by(Analysis.created_at, Analysis.id).limit(limit)
    return session.scalars(locked(query, Analysis).options(joinedload(Analysis.match))).unique().all()


def any_idle(session: Session) -> bool:
    """Whether an analysis waits to be given out when there is nothing else to do."""
    query = select(Analysis.id).where(Analysis.state == MatchState.PENDING, Analysis.idle)
    return bool(session.scalar(select(exists(query))))


def lock_idle(session: Session, limit: int) -> Sequence[Analysis]:
    """The next of these that nobody else has locked, the last that was begun first, locked."""
    query = select(Analysis).where(Analysis.state == MatchState.PENDING, Analysis.idle)
    query = query.order_by(Analysis.created_at.desc(), Analysis.id.desc()).limit(limit)
    query = locked(query, Analysis, skip=True).options(joinedload(Analysis.match))
    return session.scalars(query).unique().all()


def idle_in_hand(session: Session) -> Sequence[Analysis]:
    """Those of them that workers have in hand."""
    return session.scalars(select(Analysis).where(Analysis.state == MatchState.RUNNING, Analysis.idle)).all()


class Wanted(NamedTuple):
    """A tournament whose games are analysed in idle time: its id, its revision, and its rules."""

    id: int
    revision: int
    game: str
    game_version: int


def wanted(session: Session, *, everywhere: bool) -> Sequence[Wanted]:
    """The tournaments of which somebody wants all games analysed, the newest first; or `everywhere` all."""
    query = select(Tournament.id, Tournament.revision, Tournament.game, Tournament.game_version)
    query = query.where(Tournament.started_at.is_not(None)).order_by(Tournament.id.desc())
    if not everywhere:
        query = query.where(Tournament.analysed_for.is_not(None))
    return [Wanted(*row) for row in session.execute(query)]


def unanalysed(
    session: Session, tournament_id: int, limit: int, among: Collection[int] | None = None
) -> Sequence[int]:
    """The ids of matches with a game that nobody has had analysed, those that ended last first.

    This reads the whole tournament, unless the matches are given `among` which it looks.
    """
    query = _played(select(Match.id), tournament_id).where(Analysis.id.is_(None))
    if among is not None:
        query = query.where(Match.id.in_(among))
    return session.scalars(query.order_by(Result.recorded_at.desc(), Match.id.desc()).limit(limit)).all()


class Left(NamedTuple):
    """How many games of a tournament are to be analysed, were given up, and do not say what was at stake."""

    left: int
    given_up: int
    without_stakes: int


def left(session: Session, tournament_id: int) -> Left:
    """What is not known of the games of a tournament."""
    here, state = func.count(Match.id), Analysis.state
    bare = (state == MatchState.FINISHED) & Analysis.accuracy.is_(None)
    counts = select(
        here.filter(Analysis.id.is_(None) | state.not_in(OVER)),
        here.filter(state == MatchState.PARKED),
        here.filter(bare),
    )
    return Left(*session.execute(_played(counts.select_from(Match), tournament_id)).one())


def _played(query: Select[*Columns], tournament_id: int) -> Select[*Columns]:
    """The matches of a tournament that have a game with moves, with their results and analyses."""
    query = query.join(Result, Result.match_id == Match.id).outerjoin(Analysis, Analysis.match_id == Match.id)
    moves = select(Move.match_id).where(Move.match_id == Match.id)
    return query.where(Match.tournament_id == tournament_id, exists(moves))


def lock_without_accuracy(session: Session, tournament_id: int) -> Sequence[Analysis]:
    """The analyses of a tournament's games that were given up or do not say what was at stake, locked."""
    query = select(Analysis).join(Match, Match.id == Analysis.match_id).order_by(Analysis.id)
    query = query.where(Match.tournament_id == tournament_id, Analysis.accuracy.is_(None))
    return session.scalars(locked(query.where(Analysis.state.in_(OVER)), Analysis)).all()
