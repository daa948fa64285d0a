"""Queries for what is one team's own: its bots, what they take part in, and how they did."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, literal, or_, select, union_all
from sqlalchemy.orm import Session, contains_eager, joinedload

from arena.core.terms import Outcome, TournamentState
from arena.store.models import Bot, BotVersion, Entry, Match, Result, Tournament
from arena.theory.pairing.contract import FormatName
from workers.core.contract import FaultCode


@dataclass(frozen=True)
class Sought:
    """Which of a team's recorded matches are asked for; without anything all are."""

    outcome: Outcome | None = None
    bot_id: int | None = None
    tournament_id: int | None = None
    since: dt.datetime | None = None


def bots(session: Session, owner_id: int) -> Sequence[Bot]:
    """The bots of a team, in the order of their names."""
    return session.scalars(select(Bot).where(Bot.owner_id == owner_id).order_by(Bot.name)).all()


def versions(session: Session, bot_ids: Collection[int]) -> dict[int, list[BotVersion]]:
    """All versions of some bots, newest first, by the bot's id; of the newest also the check is read."""
    query = select(BotVersion).where(BotVersion.bot_id.in_(bot_ids)).order_by(BotVersion.number.desc())
    found: dict[int, list[BotVersion]] = {each: [] for each in bot_ids}
    for version in session.scalars(query):
        found[version.bot_id].append(version)
    newest = [each[0].id for each in found.values() if each]
    checked = select(BotVersion).where(BotVersion.id.in_(newest)).options(joinedload(BotVersion.check))
    session.scalars(checked).all()
    return found


def entries(session: Session, bot_ids: Collection[int]) -> Sequence[Entry]:
    """What some bots take part in, the newest tournament first."""
    query = select(Entry).where(Entry.bot_id.in_(bot_ids)).join(Tournament)
    query = query.order_by(Tournament.id.desc(), Entry.number).options(contains_eager(Entry.tournament))
    return session.scalars(query).unique().all()


def open_tournaments(session: Session, class_id: int | None) -> Sequence[Tournament]:
    """The tournaments that take entries from teams of a class, or from those of none; newest first."""
    query = select(Tournament).where(is_open(class_id))
    return session.scalars(query.order_by(Tournament.id.desc())).all()


def is_open(class_id: int | None) -> ColumnElement[bool]:
    """Whether a tournament takes entries from teams of a class, or from those of none.

    A ladder that is frozen is not told to have ended.
    """
    going_on = and_(
        Tournament.state.in_((TournamentState.RUNNING, TournamentState.PAUSED)),
        Tournament.all_paired.is_(False),
    )
    ladder = and_(
        Tournament.format == FormatName.LADDER.value, or_(going_on, Tournament.frozen_at.is_not(None))
    )
    theirs: ColumnElement[bool] = Tournament.class_id.is_(None)
    if class_id is not None:
        theirs = or_(theirs, Tournament.class_id == class_id)
    return and_(or_(Tournament.state == TournamentState.OPEN, ladder), theirs)


def results(session: Session, bot_ids: Collection[int], sought: Sought, offset: int, limit: int) -> list[Any]:
    """A part of the recorded matches of some bots, the last first: each with the match's id and the seat.

    A match of two of these bots is there twice, once for each. There is none of a tournament that is
    frozen to its teams too.
    """
    listed = sides(bot_ids, sought).subquery()
    query = select(listed.c.match_id, listed.c.seat)
    query = query.order_by(listed.c.recorded_at.desc(), listed.c.match_id.desc(), listed.c.seat)
    return list(session.execute(query.offset(offset).limit(limit)))


def count_results(session: Session, bot_ids: Collection[int], sought: Sought) -> int:
    """How many those are in all."""
    return session.scalar(select(func.count()).select_from(sides(bot_ids, sought).subquery())) or 0


def form(session: Session, bot_ids: Collection[int], length: int) -> dict[int, list[Any]]:
    """The last recorded matches of each of some bots, the last first, by the bot's id."""
    listed = sides(bot_ids, Sought()).subquery()
    newest = listed.c.recorded_at.desc(), listed.c.match_id.desc(), listed.c.seat
    place = func.row_number().over(partition_by=listed.c.bot_id, order_by=newest)
    placed = select(listed, place.label("place")).subquery()
    query = select(placed).where(placed.c.place <= length).order_by(placed.c.bot_id, placed.c.place)
    found: dict[int, list[Any]] = {each: [] for each in bot_ids}
    for row in session.execute(query):
        found[row.bot_id].append(row)
    return found


def matches(session: Session, match_ids: Collection[int]) -> dict[int, Match]:
    """The matches of these ids, with their results."""
    query = select(Match).where(Match.id.in_(match_ids)).options(joinedload(Match.result))
    return {match.id: match for match in session.scalars(query)}


def sides(bot_ids: Collection[int], sought: Sought) -> Any:
    """The recorded matches of some bots by the seat that they had, found by the index of either seat."""
    return union_all(*(_side(seat, bot_ids, sought) for seat in (0, 1)))


def _side(seat: int, bot_ids: Collection[int], sought: Sought) -> Select[Any]:
    entry_id, half_points = (
        (Match.first_id, Result.first_half_points),
        (Match.second_id, Result.second_half_points),
    )[seat]
    columns: list[Any] = [
        *(Match.id.label("match_id"), literal(seat).label("seat"), Entry.bot_id, Result.recorded_at),
        *(half_points.label("half_points"), Result.reason, Match.number, Tournament.name),
        Tournament.id.label("tournament_id"),
    ]
    query = select(*columns).select_from(Entry).join(Match, entry_id == Entry.id).join(Result)
    query = query.join(Tournament, Tournament.id == Match.tournament_id).where(Entry.bot_id.in_(bot_ids))
    query = query.where(or_(Tournament.frozen_at.is_(None), Tournament.shows_own))
    if sought.bot_id is not None:
        query = query.where(Entry.bot_id == sought.bot_id)
    if sought.tournament_id is not None:
        query = query.where(Entry.tournament_id == sought.tournament_id)
    if sought.since is not None:
        later = or_(Tournament.finished_at.is_(None), Tournament.finished_at > sought.since)
        query = query.where(Result.recorded_at > sought.since, later)  # of most nothing has to be read
    if sought.outcome is not None:
        query = query.where(*ended_so(half_points, Result.reason, sought.outcome))
    return query


def ended_so(half_points: Any, reason: Any, outcome: Outcome) -> list[ColumnElement[bool]]:
    """Whether a match ended so for the side that got so many half points in it."""
    wanted = {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0, Outcome.FORFEIT: 0}
    conditions: list[ColumnElement[bool]] = [half_points == wanted[outcome]]
    if outcome is Outcome.FORFEIT:
        conditions.append(reason.in_([code.value for code in FaultCode]))
    return conditions
