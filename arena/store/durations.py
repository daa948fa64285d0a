"""Queries for how long matches took, of a tournament and of others like it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from arena.core.terms import MatchState, VersionState
from arena.store.models import BotVersion, Entry, Event, Match, Result, Tournament, VoidAttempt
from arena.store.models.event_types import MatchRecorded, MatchStarted

EVENTS_A_MATCH = 4
"""Published, started, recorded, and now and then one more."""


class Took(NamedTuple):
    """A recorded match: the bots' ids, what its seats used, when it was begun and when it was recorded."""

    first: int
    second: int
    seats: list[dict[str, Any]]
    began: dt.datetime
    ended: dt.datetime


def latest(session: Session, tournament: Tournament, limit: int) -> list[Took]:
    """About the last `limit` matches of a tournament that workers played."""
    query = select(Event.match_id, Event.kind, Event.at, Event.data).where(
        Event.tournament_id == tournament.id, Event.match_id.is_not(None)
    )
    began: dict[tuple[int, int], dt.datetime] = {}
    ended: dict[int, tuple[int, dt.datetime]] = {}
    for match, kind, at, data in session.execute(
        query.order_by(Event.id.desc()).limit(EVENTS_A_MATCH * limit)
    ):
        if kind == MatchRecorded.KIND:
            ended.setdefault(match, (MatchRecorded(**data).attempt, at))
        elif kind == MatchStarted.KIND:
            began[match, MatchStarted(**data).attempt] = at
    return [
        Took(first, second, seats, began[match, ended[match][0]], ended[match][1])
        for match, first, second, seats in _played(session, ended)
        if (match, ended[match][0]) in began
    ]


def _played(session: Session, matches: Any) -> Sequence[Any]:
    first, second = aliased(Entry), aliased(Entry)
    by_first, by_second = aliased(BotVersion), aliased(BotVersion)
    query = (
        select(Result.match_id, by_first.bot_id, by_second.bot_id, Result.seats)
        .join(Match, Match.id == Result.match_id)
        .join(first, first.id == Match.first_id)
        .join(second, second.id == Match.second_id)
        .join(by_first, by_first.id == first.version_id)
        .join(by_second, by_second.id == second.version_id)
        .where(Result.match_id.in_(list(matches)), Result.manual_reason.is_(None))
    )
    return session.execute(query.order_by(Result.match_id)).all()


def like(session: Session, game: str, limit: int) -> Sequence[Tournament]:
    """The newest tournaments in a game that were begun, but for those whose results are hidden."""
    query = select(Tournament).where(Tournament.game == game, Tournament.started_at.is_not(None))
    query = query.where(Tournament.frozen_at.is_(None))
    return session.scalars(query.order_by(Tournament.id.desc()).limit(limit)).all()


def checked(session: Session, limit: int) -> Sequence[BotVersion]:
    """The latest versions that passed their checks."""
    query = select(BotVersion).where(BotVersion.state == VersionState.PASSED)
    return session.scalars(query.order_by(BotVersion.id.desc()).limit(limit)).all()


class Open(NamedTuple):
    """A match that is not over: the numbers of its entries, and since when it is being played, if it is."""

    number: int
    round: int
    phase: str
    first: int
    second: int
    state: MatchState
    needs: str
    since: dt.datetime | None


def unfinished(session: Session, tournament: Tournament) -> list[Open]:
    """The matches of a tournament that are still to be played or to be decided on, by number."""
    states = (MatchState.PENDING, MatchState.PUBLISHED, MatchState.RUNNING, MatchState.PARKED)
    first, second = aliased(Entry), aliased(Entry)
    query = (
        select(
            Match.number,
            Match.round,
            Match.phase,
            first.number,
            second.number,
            Match.state,
            Match.needs,
            Match.id,
            Match.attempt,
        )
        .join(first, first.id == Match.first_id)
        .join(second, second.id == Match.second_id)
        .where(Match.tournament_id == tournament.id, Match.state.in_(states))
        .order_by(Match.number)
    )
    rows = session.execute(query).all()
    running = {match: attempt for *_, state, _, match, attempt in rows if state == MatchState.RUNNING}
    since = _since(session, tournament, running)
    return [
        Open(number, at, phase, one, other, state, needs, since.get(match))
        for number, at, phase, one, other, state, needs, match, _ in rows
    ]


def _since(session: Session, tournament: Tournament, running: dict[int, int]) -> dict[int, dt.datetime]:
    """When the present attempts of these matches were begun."""
    if not running:
        return {}
    query = select(Event.match_id, Event.at, Event.data).where(
        Event.tournament_id == tournament.id,
        Event.kind == MatchStarted.KIND,
        Event.match_id.in_(list(running)),
    )
    return {
        match: at
        for match, at, data in session.execute(query)
        if MatchStarted(**data).attempt == running[match]
    }


def voids(session: Session, tournament: Tournament) -> int:
    """How many attempts at matches of a tournament were void."""
    query = select(func.count()).select_from(VoidAttempt).join(Match, Match.id == VoidAttempt.match_id)
    return session.scalar(query.where(Match.tournament_id == tournament.id)) or 0
