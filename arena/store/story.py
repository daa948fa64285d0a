"""Queries for the acts of a tournament: events that were logged together, told by the first of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import Session, aliased

from arena.core.terms import Acts
from arena.store.models import Bot, Entry, Event, Match, Tournament, User
from arena.store.models.event_types import EventKind

CORRECTIONS = (
    *(EventKind.MATCH_SUPERSEDED, EventKind.MATCH_DECIDED, EventKind.MATCH_DROPPED, EventKind.MATCH_RERUN),
    *(EventKind.ROUND_RERUN, EventKind.ENTRY_DISQUALIFIED, EventKind.ENTRY_ANNULLED),
)
"""With what an act begins by which somebody changes results."""
BATCH = 500


class Part(NamedTuple):
    """An event of an act, with the names that stand for its rows."""

    act: int
    event: Event
    user: str | None
    match: int | None


class Count(NamedTuple):
    """How many events of a kind an act has, and the number of the first of them."""

    act: int
    kind: EventKind
    events: int
    first: int


def acts(tournament: Tournament, without: Sequence[EventKind], which: Acts) -> Select[int]:
    """The numbers of the acts of a tournament, the last first, but for those that begin with these kinds."""
    mine = Event.tournament_id == tournament.id, Event.kind.not_in(without)
    query = select(Event.id).where(*mine, Event.act.is_(None)).order_by(Event.id.desc())
    part = aliased(Event)
    by_people = select(part.act).where(
        part.tournament_id == tournament.id, part.act.is_not(None), part.user_id.is_not(None)
    )
    somebody = or_(Event.user_id.is_not(None), Event.id.in_(by_people))
    if which is Acts.PEOPLE:
        return query.where(somebody)
    if which is Acts.ARENA:
        return query.where(~somebody)
    if which is Acts.CORRECTIONS:
        return query.where(Event.kind.in_(CORRECTIONS), Event.user_id.is_not(None))
    return query


def counts(session: Session, numbers: Collection[int]) -> list[Count]:
    """What these acts have, by kind."""
    act = func.coalesce(Event.act, Event.id)
    query = select(act, Event.kind, func.count(), func.min(Event.id)).group_by(act, Event.kind)
    return [Count(*row) for row in session.execute(query.where(_of(numbers)))]


def parts(session: Session, numbers: Collection[int]) -> dict[int, Part]:
    """The events of these numbers, by them."""
    rows = session.execute(_parts().where(Event.id.in_(numbers)))
    return {row[0].id: Part(row[0].act or row[0].id, *row) for row in rows}


def parts_of(session: Session, act: int, offset: int, limit: int) -> list[Part]:
    """A part of the events of an act, in order."""
    query = _parts().where(_of([act])).order_by(Event.id).offset(offset).limit(limit)
    return [Part(act, *row) for row in session.execute(query)]


def first_parts(session: Session, numbers: Collection[int], most: int) -> list[Part]:
    """The first events of each of these acts, at most so many, in order."""
    act = func.coalesce(Event.act, Event.id)
    number = func.row_number().over(partition_by=act, order_by=Event.id).label("number")
    ranked = select(Event.id, number).where(_of(numbers)).subquery()
    query = _parts().join(ranked, ranked.c.id == Event.id).where(ranked.c.number <= most).order_by(Event.id)
    return [Part(row[0].act or row[0].id, *row) for row in session.execute(query)]


def owners(session: Session, bots: Collection[str]) -> dict[str, str]:
    """Whose these bots are."""
    query = select(Bot.name, User.name).join(User, User.id == Bot.owner_id).where(Bot.name.in_(bots))
    return {row[0]: row[1] for row in session.execute(query)}


def bots_of(session: Session, tournament: Tournament, numbers: Collection[int]) -> dict[int, str]:
    """The bots of the entries of these numbers."""
    query = select(Entry.number, Bot.name).join(Bot, Bot.id == Entry.bot_id)
    query = query.where(Entry.tournament_id == tournament.id, Entry.number.in_(numbers))
    return {row[0]: row[1] for row in session.execute(query)}


def _of(numbers: Collection[int]) -> ColumnElement[bool]:
    return or_(Event.act.in_(numbers), and_(Event.id.in_(numbers), Event.act.is_(None)))


def _parts() -> Select[Event, str | None, int | None]:
    query = select(Event, User.name, Match.number).outerjoin(User, User.id == Event.user_id)
    return query.outerjoin(Match, Match.id == Event.match_id)
