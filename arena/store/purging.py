"""Queries for what a host has reported that is to count no more."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session, aliased

from arena.core.terms import MatchState, TournamentState
from arena.store.leases import locked
from arena.store.models import Analysis, Bot, Entry, Match, Result, Tournament, User
from arena.theory.pairing.contract import Kind


class Played(NamedTuple):
    """A match whose result counts; `left` says that one of its bots takes part no more, or may be gone."""

    match_id: int
    tournament_id: int
    number: int
    round: int
    left: bool


def tournaments_with(session: Session, host: str, since: dt.datetime) -> Sequence[int]:
    """The numbers of the tournaments of which a host has something in hand or has reported since then."""
    running = and_(Match.state == MatchState.RUNNING, Match.host == host)
    reported = and_(Result.host == host, Result.recorded_at >= since)
    query = select(Match.tournament_id).outerjoin(Result, Result.match_id == Match.id)
    return session.scalars(query.where(or_(running, reported)).distinct().order_by(Match.tournament_id)).all()


def played_on(
    session: Session, host: str, since: dt.datetime, states: Collection[TournamentState]
) -> Sequence[Played]:
    """The matches whose results came from that host since then, by tournament and number."""
    first, second = aliased(Entry), aliased(Entry)
    gone = select(Bot.id).join(User, User.id == Bot.owner_id).where(User.erased_at.is_not(None))
    left = or_(*(or_(each.left_as.is_not(None), each.bot_id.in_(gone)) for each in (first, second)))
    query = select(Match.id, Match.tournament_id, Match.number, Match.round, left)
    query = query.join(Result, Result.match_id == Match.id)
    query = query.join(Tournament, Tournament.id == Match.tournament_id)
    query = query.join(first, first.id == Match.first_id).join(second, second.id == Match.second_id)
    query = query.where(Result.host == host, Result.recorded_at >= since, Result.kind == Kind.PLAYED)
    query = query.where(Match.state == MatchState.FINISHED, Tournament.state.in_(states))
    rows = session.execute(query.order_by(Match.tournament_id, Match.number))
    return [Played(*row[:4], left=bool(row[4])) for row in rows]


def lock_analysed_on(session: Session, host: str) -> Sequence[Analysis]:
    """The analyses that are over and came from that host, whenever that was, locked."""
    query = select(Analysis).where(Analysis.state == MatchState.FINISHED, Analysis.host == host)
    return session.scalars(locked(query.order_by(Analysis.id), Analysis)).all()
