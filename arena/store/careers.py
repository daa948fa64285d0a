"""Queries for bots over all tournaments, as everybody may see these.

A tournament that is frozen is read from its copy and every other one from the tables themselves, in one
statement: whatever was recorded after a freeze is not found here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, case, func, literal, select, true, union_all
from sqlalchemy.orm import Session

from arena.core.terms import Outcome, TournamentState
from arena.store.models import FROZEN, Base, Bot, BotVersion
from arena.store.teams import ended_so
from arena.theory.pairing.contract import Kind


class _Tables(NamedTuple):
    """Where tournaments are read: the tables, or the copies of those that are frozen."""

    tournaments: FromClause
    entries: FromClause
    matches: FromClause
    results: FromClause
    shown: ColumnElement[bool]


def _tables(of: Any, shown: ColumnElement[bool]) -> _Tables:
    return _Tables(of["tournaments"], of["entries"], of["matches"], of["results"], shown)


_PRESENT = _tables(Base.metadata.tables, Base.metadata.tables["tournaments"].c.frozen_at.is_(None))
_KEPT = _tables(FROZEN, true())
_BOTH = (_PRESENT, _KEPT)


@dataclass(frozen=True)
class Sought:
    """Which of some bots' games are asked for; without anything all are."""

    outcome: Outcome | None = None
    opponent_id: int | None = None
    tournament: str | None = None
    since: dt.datetime | None = None


ALL = Sought()


class Game(NamedTuple):
    """A recorded match as one of its bots sees it, which sat in `seat`."""

    tournament: str
    title: str | None
    game: str
    params: dict[str, Any]
    game_version: int
    number: int
    seat: int
    version: int
    opponent: str
    opponent_version: int
    half_points: int
    reason: str
    recorded_at: dt.datetime


class Met(NamedTuple):
    """What a bot's games with another came to."""

    opponent: str
    owner: str
    won: int
    drawn: int
    lost: int
    last_at: dt.datetime


class Sum(NamedTuple):
    """What a bot's games of one game came to; those forfeited by a fault are among the lost ones."""

    game: str
    won: int
    drawn: int
    lost: int
    last_at: dt.datetime


class Made(NamedTuple):
    """What a bot's games in a tournament came to, those that are new or those of before."""

    bot: str
    team: str
    tournament: str
    title: str | None
    is_new: bool
    won: int
    drawn: int
    lost: int
    at: dt.datetime


class Part(NamedTuple):
    """A tournament that a bot is entered in, by its id, and whether it is read from what was kept."""

    id: int
    is_kept: bool
    name: str
    title: str | None
    state: TournamentState
    game: str
    version: int
    left_as: str | None


class Rated(NamedTuple):
    """A game that was played: both bots, when it was recorded, and the half points of the first mover."""

    first: int
    second: int
    recorded_at: dt.datetime
    half_points: int


def games(session: Session, bot_id: int, sought: Sought, offset: int, limit: int) -> list[Game]:
    """A part of a bot's recorded games, the last first."""
    listed = _sides([bot_id], sought).subquery()
    own, other = _version(listed.c.version_id), _version(listed.c.opponent_version_id)
    query = select(
        *(listed.c[name] for name in ("tournament", "title", "game", "params", "game_version", "number")),
        *(listed.c.seat, own, Bot.name, other, listed.c.half_points, listed.c.reason, listed.c.recorded_at),
    ).join(Bot, Bot.id == listed.c.opponent_id)
    query = query.order_by(listed.c.recorded_at.desc(), listed.c.match_id.desc())
    rows: Sequence[Any] = session.execute(query.offset(offset).limit(limit)).all()
    return [Game(*row) for row in rows]


def count_games(session: Session, bot_id: int, sought: Sought) -> int:
    """How many those are in all."""
    query = select(func.count()).select_from(_sides([bot_id], sought).subquery())
    return session.scalar(query) or 0


def opponents(session: Session, bot_id: int, offset: int, limit: int) -> tuple[list[Met], int]:
    """A part of those that a bot has met, whom it has met most first, and how many there are."""
    listed = _sides([bot_id], ALL).subquery()
    met = _summed(listed, listed.c.opponent_id).subquery()
    query = select(Bot, *list(met.c)[1:]).join(met, met.c.opponent_id == Bot.id)
    query = query.order_by((met.c.won + met.c.drawn + met.c.lost).desc(), Bot.name)
    rows = session.execute(query.offset(offset).limit(limit)).unique()
    total = session.scalar(select(func.count()).select_from(met)) or 0
    return [Met(bot.name, bot.owner.name, *made) for bot, *made in rows], total


def opponent_names(session: Session, bot_id: int) -> list[str]:
    """The names of all that a bot has met."""
    met = select(_sides([bot_id], ALL).subquery().c.opponent_id)
    return list(session.scalars(select(Bot.name).where(Bot.id.in_(met)).order_by(Bot.name)))


def sums(session: Session, bot_id: int) -> list[Sum]:
    """What a bot's games came to, a line a game, the one that it played last first."""
    listed = _sides([bot_id], ALL).subquery()
    made = _summed(listed, listed.c.game).subquery()
    return [Sum(*row) for row in session.execute(select(made).order_by(made.c.last_at.desc(), made.c.game))]


def results(
    session: Session, bot_ids: Collection[int], since: dt.datetime | None, *, only_new: bool, limit: int
) -> list[Made]:
    """What some bots' games came to, by bot and tournament, the newest first; what is after `since` apart."""
    listed = _sides(bot_ids, Sought(since=since if only_new else None)).subquery()
    is_new: Any = case((listed.c.recorded_at > since, 1), else_=0) if since else literal(1)
    marked = select(listed, is_new.label("is_new")).subquery()
    keys = (marked.c[name] for name in ("bot_id", "tournament", "title", "is_new"))
    made = _summed(marked, *keys).subquery()
    query = select(Bot, *list(made.c)[1:]).join(made, Bot.id == made.c.bot_id)
    rows = session.execute(query.order_by(made.c.last_at.desc(), Bot.name).limit(limit)).unique()
    return [Made(row[0].name, row[0].owner.name, row[1], row[2], bool(row[3]), *row[4:]) for row in rows]


def parts(session: Session, bot_id: int) -> list[Part]:
    """What a bot takes part in, the newest tournament first."""
    rows = union_all(*(_part(tables, bot_id) for tables in _BOTH)).subquery()
    return [Part(*row) for row in session.execute(select(rows).order_by(rows.c.id.desc()))]


def rated(session: Session, game: str, most: int) -> list[Rated]:
    """The last so many games of a game that say who is stronger, in the order of their recording."""
    listed = union_all(*(_rated(tables, game) for tables in _BOTH)).subquery()
    newest = listed.c.recorded_at.desc(), listed.c.match_id.desc()
    query = select(*list(listed.c)[1:]).order_by(*newest).limit(most)
    return [Rated(*row) for row in session.execute(query)][::-1]


def _version(version_id: Any) -> Any:
    return select(BotVersion.number).where(BotVersion.id == version_id).scalar_subquery()


def _summed(listed: FromClause, *keys: Any) -> Select[Any]:
    made = [
        func.sum(case((listed.c.half_points == half_points, 1), else_=0)).label(name)
        for name, half_points in (("won", 2), ("drawn", 1), ("lost", 0))
    ]
    return select(*keys, *made, func.max(listed.c.recorded_at).label("last_at")).group_by(*keys)


def _sides(bot_ids: Collection[int], sought: Sought) -> Any:
    """The recorded games of some bots by the seat that they had, found by the index of either seat."""
    return union_all(*(_side(tables, seat, bot_ids, sought) for tables in _BOTH for seat in (0, 1)))


def _side(of: _Tables, seat: int, bot_ids: Collection[int], sought: Sought) -> Select[Any]:
    mine, theirs = of.entries.alias(), of.entries.alias()
    own, other = (of.matches.c.first_id, of.matches.c.second_id)[:: 1 - 2 * seat]
    half_points = (of.results.c.first_half_points, of.results.c.second_half_points)[seat]
    cup, result = of.tournaments.c, of.results.c
    query = select(
        *(of.matches.c.id.label("match_id"), literal(seat).label("seat"), mine.c.bot_id),
        *(mine.c.version_id, theirs.c.bot_id.label("opponent_id")),
        *(theirs.c.version_id.label("opponent_version_id"), half_points.label("half_points")),
        *(result.reason, result.recorded_at, of.matches.c.number, cup.id.label("tournament_id")),
        *(cup.name.label("tournament"), cup.title, cup.game, cup.params, cup.game_version),
    )
    query = query.select_from(
        mine.join(of.matches, own == mine.c.id)
        .join(of.results, result.match_id == of.matches.c.id)
        .join(theirs, other == theirs.c.id)
        .join(of.tournaments, cup.id == of.matches.c.tournament_id)
    ).where(mine.c.bot_id.in_(bot_ids), of.shown)
    if sought.outcome is not None:
        query = query.where(*ended_so(half_points, result.reason, sought.outcome))
    if sought.opponent_id is not None:
        query = query.where(theirs.c.bot_id == sought.opponent_id)
    if sought.tournament is not None:
        query = query.where(cup.name == sought.tournament)
    if sought.since is not None:
        later = cup.finished_at.is_(None) | (cup.finished_at > sought.since)
        query = query.where(result.recorded_at > sought.since, later)  # of most nothing has to be read
    return query


def _part(of: _Tables, bot_id: int) -> Select[Any]:
    cup, entry = of.tournaments.c, of.entries.c
    query = select(
        *(cup.id, literal(of is _KEPT).label("is_kept"), cup.name, cup.title, cup.state, cup.game),
        *(_version(entry.version_id).label("version"), entry.left_as),
    ).select_from(of.entries.join(of.tournaments, cup.id == entry.tournament_id))
    return query.where(entry.bot_id == bot_id, of.shown)


def _rated(of: _Tables, game: str) -> Select[Any]:
    first, second = of.entries.alias(), of.entries.alias()
    match, result = of.matches.c, of.results.c
    query = select(
        *(match.id.label("match_id"), first.c.bot_id.label("first"), second.c.bot_id.label("second")),
        *(result.recorded_at, result.first_half_points),
    ).select_from(
        of.matches.join(of.results, result.match_id == match.id)
        .join(first, match.first_id == first.c.id)
        .join(second, match.second_id == second.c.id)
    )
    cup = of.tournaments.c
    counted = select(cup.id).where(cup.game == game, cup.state != TournamentState.CANCELLED, of.shown)
    decided = result.first_half_points + result.second_half_points > 0
    return query.where(match.tournament_id.in_(counted), result.kind == Kind.PLAYED, decided)
