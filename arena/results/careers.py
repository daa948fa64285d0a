"""What a bot has done over all tournaments, as everybody may see it: behind a freeze there is nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.core.errors import NotFoundError
from arena.core.terms import Outcome
from arena.results import tables
from arena.results.own_games import outcome_of
from arena.store import careers as store
from arena.store import freezes, tournaments
from arena.store.careers import Game, Met, Part, Rated, Sought, Sum
from arena.store.models import Bot, Tournament
from arena.theory.rating.history_points import evenly
from arena.theory.standings.table import Standing

FORM = 10
"""So many results of a bot are its form."""
MAX_RATED = 20_000
"""The games that a rating over all tournaments looks back on; those before are forgotten."""


@dataclass(frozen=True)
class Career:
    """What a bot did in all, a line a game, the one played last first, and its last games, the last first."""

    sums: Sequence[Sum]
    form: Sequence[Game]


@dataclass(frozen=True)
class Place:
    """A tournament that a bot is entered in, of how many, and its line of the table once that has begun."""

    part: Part
    entries: int
    standing: Standing | None


@dataclass(frozen=True)
class Point:
    """A bot's rating and its deviation after so many of its games, of which the last was recorded `at`."""

    games: int
    at: dt.datetime
    rating: float
    deviation: float


@dataclass(frozen=True)
class Ratings:
    """How a bot's rating in one game came about, over all tournaments; the last point is now.

    `forgotten` says that there may be games too long ago to count.
    """

    game: str
    points: Sequence[Point]
    forgotten: bool


def career(session: Session, bot: Bot) -> Career:
    """What a bot did in all."""
    return Career(store.sums(session, bot.id), store.games(session, bot.id, store.ALL, 0, FORM))


def games(session: Session, bot: Bot, sought: Sought, offset: int, limit: int) -> tuple[list[Game], int]:
    """A part of a bot's recorded games, the last first, and how many there are in all."""
    found = store.games(session, bot.id, sought, offset, limit)
    return found, store.count_games(session, bot.id, sought)


def opponents(session: Session, bot: Bot, offset: int, limit: int) -> tuple[list[Met], int]:
    """A part of those that a bot has met, whom it has met most first, and how many there are."""
    return store.opponents(session, bot.id, offset, limit)


def outcome(game: Game) -> Outcome:
    """How a game ended for its own side."""
    return outcome_of(game.half_points, game.reason)


def places(session: Session, bot: Bot, offset: int, limit: int) -> tuple[list[Place], int]:
    """A part of the tournaments that a bot is in, the newest first, with its places, and how many there are.

    Each has a table of its own, which is worked out as its leaderboard is: ask for few at once.
    """
    parts = store.parts(session, bot.id)
    shown = parts[offset : offset + limit]
    made = _places(session, bot, [part for part in shown if not part.is_kept])
    if any(part.is_kept for part in shown):
        with freezes.beside(session) as kept:
            made |= _places(kept, bot, [part for part in shown if part.is_kept])
    return [made[part.id] for part in shown if part.id in made], len(parts)


def _places(session: Session, bot: Bot, parts: Sequence[Part]) -> dict[int, Place]:
    found: dict[int, Tournament] = {
        each.id: each for each in tournaments.of_ids(session, [part.id for part in parts])
    }
    return {part.id: _place(session, bot, part, found[part.id]) for part in parts if part.id in found}


def _place(session: Session, bot: Bot, part: Part, tournament: Tournament) -> Place:
    lines = tables.table(session, tournament).standings
    own = next((line for line in lines if line.bot == bot.name), None)
    return Place(part, len(lines), own if tournament.started_at is not None else None)


def game_of(session: Session, bot: Bot, game: str | None) -> str | None:
    """The game of that name that a bot has played, or without a name the one that it played last.

    Raises:
        NotFoundError: it has not played that one.
    """
    played = [each.game for each in store.sums(session, bot.id)]
    if game is not None and game not in played:
        raise NotFoundError(f"{bot.name!r} has not played {game!r} in any tournament yet")
    return game or next(iter(played), None)


def ratings(session: Session, bot: Bot, game: str, points: int) -> Ratings:
    """How a bot's rating in a game came about, at so many points at most, evenly spread over its games."""
    from arena.theory.rating.online import Recorded, rate_online  # noqa: PLC0415 - openskill takes long to read

    rows = store.rated(session, game, MAX_RATED)
    own = [number for number, row in enumerate(rows, start=1) if bot.id in (row.first, row.second)]
    at = [own[number - 1] for number in evenly(len(own), points)]
    rated = rate_online([Recorded(row.first, row.second, 2 - row.half_points) for row in rows], at)
    return Ratings(
        game=game,
        points=[_point(rows, number, *told[bot.id]) for number, told in zip(at, rated, strict=True)],
        forgotten=len(rows) == MAX_RATED,
    )


def _point(rows: Sequence[Rated], number: int, rating: float, deviation: float, games: int) -> Point:
    return Point(games, rows[number - 1].recorded_at, rating, deviation)
