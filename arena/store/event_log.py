"""The log of events as a stream: in the order of their numbers, with the names that others know things by."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ScalarSelect, Select, and_, func, or_, select, text
from sqlalchemy.orm import Session, aliased

from arena.core.terms import MatchState, TournamentState
from arena.store.models import Bot, Entry, Event, Match, Tournament, User
from arena.store.models.event_types import ArenaRestored, EventKind


class LoggedEvent(NamedTuple):
    """An event with the names that stand for its rows; `number` is that of its row.

    It is `hidden` where its tournament is frozen now, and was when it happened.
    """

    number: int
    at: dt.datetime
    kind: EventKind
    tournament_id: int | None
    tournament: str | None
    match_id: int | None
    match: int | None
    bots: tuple[str, str] | None
    user: str | None
    data: dict[str, Any]
    hidden: bool


def last_number(session: Session) -> int:
    """That of the newest event; 0 where there is none."""
    return session.scalar(select(func.max(Event.id))) or 0


def last_of_match(session: Session, match: Match) -> int:
    """The number of the newest event of a match; 0 where there is none."""
    return session.scalar(select(func.max(Event.id)).where(Event.match_id == match.id)) or 0


def is_lost(session: Session, number: int) -> bool:
    """Whether the event of that number was after the backup of which this arena was made."""
    query = select(Event.kind, Event.data).where(Event.id > number).order_by(Event.id).limit(1)
    following = session.execute(query).one_or_none()
    if following is None or following.kind != ArenaRestored.KIND:
        return False
    return ArenaRestored(**following.data).after < number


def after(
    session: Session,
    number: int,
    limit: int,
    *,
    up_to: int | None = None,
    tournament: int | None = None,
    match: int | None = None,
) -> list[LoggedEvent]:
    """The next events after that number, in order: all, or those of a tournament or a match."""
    query = _lines().where(Event.id > number).order_by(Event.id).limit(limit)
    if up_to is not None:
        query = query.where(Event.id <= up_to)
    if match is not None:
        query = query.where(Event.match_id == match)
    elif tournament is not None:
        query = query.where(Event.tournament_id == tournament)
    return _read(session, query)


def newest(
    session: Session, kind: EventKind, *, offset: int, limit: int, tournament: int | None = None
) -> tuple[list[LoggedEvent], int]:
    """A part of the events of a kind, newest first, and how many there are; all, or those of a tournament."""
    wanted = (
        [Event.kind == kind]
        if tournament is None
        else [Event.kind == kind, Event.tournament_id == tournament]
    )
    total = session.scalar(select(func.count()).where(*wanted)) or 0
    query = _lines().where(*wanted).order_by(Event.id.desc()).offset(offset).limit(limit)
    return _read(session, query), total


def of_numbers(session: Session, numbers: Collection[int]) -> list[LoggedEvent]:
    """The events of these numbers, newest first."""
    return _read(session, _lines().where(Event.id.in_(numbers)).order_by(Event.id.desc()))


def _lines() -> Select[Any]:
    first, second = aliased(Entry), aliased(Entry)
    query = select(
        *(Event.id, Event.at, Event.kind, Event.tournament_id, Tournament.name, Event.match_id),
        *(Match.number, _bot_of(first), _bot_of(second), User.name, Event.data),
        and_(Tournament.frozen_at.is_not(None), Event.id > Tournament.freeze_event),
    )
    query = query.outerjoin(Tournament, Tournament.id == Event.tournament_id)
    query = query.outerjoin(Match, Match.id == Event.match_id).outerjoin(User, User.id == Event.user_id)
    query = query.outerjoin(first, first.id == Match.first_id)
    return query.outerjoin(second, second.id == Match.second_id)


def _read(session: Session, query: Select[Any]) -> list[LoggedEvent]:
    return [_line(tuple(row)) for row in session.execute(query)]


def _line(row: tuple[Any, ...]) -> LoggedEvent:
    *known, first, second, user, data, hidden = row
    return LoggedEvent._make((*known, None if first is None else (first, second), user, data, bool(hidden)))


def _bot_of(entry: type[Entry]) -> ScalarSelect[str]:
    return select(Bot.name).where(Bot.id == entry.bot_id).scalar_subquery()


def writers(session: Session) -> frozenset[str]:
    """Who may be in the middle of writing events whose numbers are given already.

    On PostgreSQL a transaction has its events' numbers before others see them, and holds a lock on the table
    from before until after. On SQLite nobody else writes meanwhile.
    """
    if session.get_bind().dialect.name == "sqlite":
        return frozenset()
    query = text(
        "SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'"
        " AND granted AND relation = 'events'::regclass"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    return frozenset(session.scalars(query))


class Progress(NamedTuple):
    """How far a tournament is."""

    name: str
    state: TournamentState
    revision: int
    total: int
    finished: int
    cancelled: int


def progress(session: Session, tournaments: Collection[int]) -> dict[int, Progress]:
    """How far these tournaments are."""
    query = select(
        *(Tournament.id, Tournament.name, Tournament.state, Tournament.revision),
        *(Tournament.matches_total, Tournament.matches_finished, Tournament.matches_cancelled),
    ).where(Tournament.id.in_(tournaments))
    return {row[0]: Progress(*row[1:]) for row in session.execute(query)}


class Running(NamedTuple):
    """A match that is being played, and the token that its present attempt has."""

    match_id: int
    match: int
    tournament_id: int
    tournament: str
    attempt: int
    token: str


def running(
    session: Session, tournaments: Collection[int], matches: Collection[int], limit: int
) -> Sequence[Running]:
    """The matches that are being played in these tournaments, and which of these matches are."""
    query = select(Match.id, Match.number, Match.tournament_id, Tournament.name, Match.attempt, Match.token)
    query = query.join(Tournament, Tournament.id == Match.tournament_id)
    query = query.where(Match.state == MatchState.RUNNING, Match.token.is_not(None))
    query = query.where(or_(Match.tournament_id.in_(tournaments), Match.id.in_(matches)))
    rows = session.execute(query.order_by(Match.id).limit(limit))
    return [Running(*row[:5], token=row[5] or "") for row in rows]
