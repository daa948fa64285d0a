"""Queries for the games that ratings are made from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session, aliased

from arena.core.terms import TournamentState
from arena.store.database import is_frozen
from arena.store.models import Bot, Encounter, Entry, Match, Result, Tournament, User
from arena.theory.pairing.contract import Kind


class RatedGame(NamedTuple):
    """A game that was played: both entries, when it was recorded, and the half points of the first mover."""

    first: int
    second: int
    recorded_at: dt.datetime
    half_points: int


def last_rated(session: Session, tournament: Tournament, most: int) -> list[RatedGame]:
    """The last so many rated games in the order in which they were recorded.

    Those of one moment are in the order of their numbers.
    """
    query = select(Match.first_id, Match.second_id, Result.recorded_at, Result.first_half_points)
    query = query.join(Result, Result.match_id == Match.id).where(*_rated(tournament))
    rows = session.execute(query.order_by(Result.recorded_at.desc(), Match.number.desc()).limit(most))
    return [RatedGame(*row) for row in rows][::-1]


def count_rated(session: Session, tournament: Tournament) -> int:
    """How many rated games there are."""
    query = select(func.count()).select_from(Match).join(Result, Result.match_id == Match.id)
    return session.execute(query.where(*_rated(tournament))).scalar_one()


def rated_totals(session: Session, tournament: Tournament) -> Iterator[tuple[int, int, int, int, int]]:
    """The running counts of the rated games: both entries, and what the first mover won, drew and lost."""
    counts = (Encounter.first_wins, Encounter.first_draws, Encounter.first_losses)
    ours = select(Entry.id).where(Entry.tournament_id == tournament.id)
    query = select(Encounter.entry_id, Encounter.other_id, *counts).where(Encounter.entry_id.in_(ours))
    played = Encounter.first_wins + Encounter.first_draws + Encounter.first_losses > 0
    for row in session.execute(query.where(played)):
        yield row[0], row[1], row[2], row[3], row[4]


def rated_by_round(session: Session, tournament: Tournament) -> list[tuple[int, int, int, int, int]]:
    """The rated games, counted: round, both entries, half points of the first mover, how many."""
    keys = (Match.round, Match.first_id, Match.second_id, Result.first_half_points)
    query = select(*keys, func.count()).join(Result, Result.match_id == Match.id)
    rows = session.execute(query.where(*_rated(tournament)).group_by(*keys))
    return [(one, first, second, half_points, games) for one, first, second, half_points, games in rows]


class RatedBot(NamedTuple):
    """A bot that is rated: its id, its name and its owner's."""

    id: int
    name: str
    owner: str


def counted(session: Session, game: str) -> list[tuple[int, dict[str, Any]]]:
    """The tournaments of a game that were not cancelled, by their ids, with their parameters.

    Those that are frozen are not among them, but in a session that sees these and no others.
    """
    query = select(Tournament.id, Tournament.params).order_by(Tournament.id)
    query = query.where(Tournament.game == game, Tournament.state != TournamentState.CANCELLED)
    if not is_frozen(session):
        query = query.where(Tournament.frozen_at.is_(None))
    return [(row[0], row[1]) for row in session.execute(query)]


def totals_of_bots(session: Session, tournaments: Collection[int]) -> list[tuple[int, int, int, int, int]]:
    """The rated games of these tournaments, counted by pairs of bots.

    Both bots' ids, and what the first mover won, drew and lost.
    """
    one, other = aliased(Entry), aliased(Entry)
    counts = [
        func.sum(each) for each in (Encounter.first_wins, Encounter.first_draws, Encounter.first_losses)
    ]
    query = select(one.bot_id, other.bot_id, *counts).join(Encounter, Encounter.entry_id == one.id)
    query = query.join(other, other.id == Encounter.other_id).where(one.tournament_id.in_(tournaments))
    played = Encounter.first_wins + Encounter.first_draws + Encounter.first_losses > 0
    query = query.where(played).group_by(one.bot_id, other.bot_id)
    return [(row[0], row[1], int(row[2]), int(row[3]), int(row[4])) for row in session.execute(query)]


def bots(session: Session, ids: Collection[int]) -> list[RatedBot]:
    """The bots of these ids."""
    query = select(Bot.id, Bot.name, User.name).join(User, User.id == Bot.owner_id).where(Bot.id.in_(ids))
    return [RatedBot(*row) for row in session.execute(query.order_by(Bot.id))]


def _rated(tournament: Tournament) -> tuple[ColumnElement[bool], ...]:
    """The games that say who is stronger: not those that both forfeited, or that were never played."""
    decided = Result.first_half_points + Result.second_half_points > 0
    return Match.tournament_id == tournament.id, decided, Result.kind == Kind.PLAYED
