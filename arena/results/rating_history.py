"""How the ratings of a tournament came about, and its online rating; made whenever somebody looks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from arena.core.errors import ConflictError
from arena.core.terms import HistoryKind
from arena.store import ratings as rating_store
from arena.store import tournaments as store
from arena.store.models import Entry, Tournament
from arena.theory.rating.history_points import evenly

MAX_BOTS = 200
"""Bots of a tournament whose history is told, so that nobody keeps the arena busy for long."""

MAX_ONLINE = 20_000
"""The games that the online rating looks back on; those before are forgotten."""


Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Point:
    """One point of a history: up to which round, or moment of recording, and how many games.

    `prior` says why a normal prior was needed.
    """

    games: int
    round: int | None
    at: dt.datetime | None
    prior: Literal["not connected", "separated"] | None


@dataclass(frozen=True)
class EntryRatings:
    """What an entry was rated at every point: Elo and error, None before its first game."""

    entry: Entry
    games: int
    ratings: tuple[tuple[float, float] | None, ...]


@dataclass(frozen=True)
class History:
    """The points, and a line for every entry, the best one of the last point first.

    `forgotten` are the first games recorded, which the online rating does not look back on.
    """

    kind: HistoryKind
    points: tuple[Point, ...]
    lines: tuple[EntryRatings, ...]
    forgotten: int


def history(session: Session, tournament: Tournament, kind: HistoryKind, points: int) -> History:
    """The ratings at so many points at most, the last one being now.

    `likelihood` has a point for rounds: no order of arrival changes it. `online` has one for the games in the
    order in which they were recorded, and depends on that order.

    Raises:
        ConflictError: there are too many bots.
    """
    entries = store.entries(session, tournament)
    if len(entries) > MAX_BOTS:
        raise ConflictError(
            f"only the history of up to {MAX_BOTS} bots is told, and {tournament.name} has {len(entries)}"
        )
    made = _likelihood if kind == "likelihood" else _online
    return made(session, tournament, entries, points)


def before_round(session: Session, tournament: Tournament, number: int) -> dict[int, float]:
    """What entries were rated by the games of the rounds before that one, by their ids."""
    from arena.theory.rating.history import by_round  # noqa: PLC0415 - SciPy takes long to read

    _, met = _met(session, tournament)
    found = by_round(met[met[:, 0] < number], 1)
    return {entry: rating for each in found for entry, (rating, _) in each.ratings.items()}


def _met(session: Session, tournament: Tournament) -> tuple[Ints, Ints]:
    """The rated games, counted, as the store tells them, and as histories are made from them."""
    rows = np.array(rating_store.rated_by_round(session, tournament), dtype=np.int64).reshape(-1, 5)
    met = np.zeros((len(rows), 6), dtype=np.int64)
    met[:, :3] = rows[:, :3]
    met[np.arange(len(rows)), 5 - rows[:, 3]] = rows[:, 4]
    return rows, met


def _likelihood(session: Session, tournament: Tournament, entries: Sequence[Entry], most: int) -> History:
    from arena.theory.rating.history import by_round  # noqa: PLC0415 - SciPy takes long to read

    rows, met = _met(session, tournament)
    games = np.bincount(rows[:, 1:3].ravel(), np.repeat(rows[:, 4], 2)).astype(int)
    snapshots = by_round(met, most)
    points = [Point(each.games, each.round, None, each.prior) for each in snapshots]
    lines = _lines(entries, [each.ratings for each in snapshots], dict(enumerate(games.tolist())))
    return History("likelihood", tuple(points), lines, 0)


def _online(session: Session, tournament: Tournament, entries: Sequence[Entry], most: int) -> History:
    from arena.theory.rating.online import Recorded, rate_online  # noqa: PLC0415 - so does openskill

    rows = rating_store.last_rated(session, tournament, MAX_ONLINE)
    forgotten = rating_store.count_rated(session, tournament) - len(rows)
    at = evenly(len(rows), most)
    snapshots = rate_online([Recorded(row.first, row.second, 2 - row.half_points) for row in rows], at)
    points = [Point(forgotten + number, None, rows[number - 1].recorded_at, None) for number in at]
    games = {entry: each.games for entry, each in snapshots[-1].items()} if snapshots else {}
    told = [{entry: (each.rating, each.deviation) for entry, each in one.items()} for one in snapshots]
    return History("online", tuple(points), _lines(entries, told, games), forgotten)


def _lines(
    entries: Sequence[Entry], points: Sequence[Mapping[int, tuple[float, float]]], games: Mapping[int, int]
) -> tuple[EntryRatings, ...]:
    lines = [
        EntryRatings(entry, games.get(entry.id, 0), tuple(point.get(entry.id) for point in points))
        for entry in entries
    ]
    return tuple(sorted(lines, key=_best_first))


def _best_first(line: EntryRatings) -> tuple[bool, float, int]:
    last = line.ratings[-1] if line.ratings else None
    return (last is None, 0.0 if last is None else -last[0], line.entry.number)
