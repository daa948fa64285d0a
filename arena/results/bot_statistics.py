"""The numbers of one bot in a tournament, of two against each other, and of seats and openings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.core.errors import InvalidError
from arena.results import ratings
from arena.store import statistics as store
from arena.store import tournaments
from arena.store.models import Entry, Result, Tournament
from arena.submissions import versions
from arena.theory.pairing.contract import Kind
from arena.theory.standings.balance import Balance, balance
from arena.theory.standings.statistics import Game, Numbers, numbers_of
from arena.theory.standings.tally import WALKOVER, Tally, tally
from arena.theory.statistics.superiority import likelihood_of_superiority
from arena.tournaments import lifecycle

MAX_RATED = 200
"""With more bots two of them are not compared by the ratings, which would all have to be found for that."""


@dataclass(frozen=True)
class BotNumbers:
    """What an entry made in all, and the entries by their ids."""

    entry: Entry
    numbers: Numbers
    entries: dict[int, Entry]


@dataclass(frozen=True)
class HeadToHead:
    """What two entries made of their games with each other, from the side of the first.

    `superiority` is the likelihood that the first is the stronger one by these games, `rated` by all games of
    the tournament; None where they say nothing.
    """

    one: Entry
    other: Entry
    numbers: Numbers
    games: list[Game]
    superiority: float | None
    rated: float | None


def bot_numbers(session: Session, tournament: Tournament, bot: str) -> BotNumbers:
    """The numbers of a bot.

    Raises:
        NotFoundError: there is no such bot, or it is not entered.
    """
    entry = _entry(session, tournament, bot)
    entries = {each.id: each for each in lifecycle.entries(session, tournament)}
    return BotNumbers(entry, numbers_of(_games(session, entry, None)), entries)


def head_to_head(session: Session, tournament: Tournament, one: str, other: str) -> HeadToHead:
    """Two bots against each other.

    Raises:
        NotFoundError: there is no such bot, or it is not entered.
        InvalidError: it is one bot twice.
    """
    first, second = _entry(session, tournament, one), _entry(session, tournament, other)
    if first.id == second.id:
        raise InvalidError(f"{first.version.bot.name!r} does not meet itself; name two bots")
    games = list(_games(session, first, second))
    numbers = numbers_of(games)
    played = numbers.seats[0] + numbers.seats[1]
    return HeadToHead(
        one=first,
        other=second,
        numbers=numbers,
        games=games,
        superiority=likelihood_of_superiority(played.wins, played.losses) if played.games else None,
        rated=_rated(session, tournament, first, second),
    )


def seat_balance(session: Session, tournament: Tournament) -> Balance:
    """What the first seat made in the games that were played, and how often everybody had it, by numbers."""
    entries = lifecycle.entries(session, tournament)
    numbers = {entry.id: entry.number for entry in entries}
    unseated = [(entry.number, 0, 0, 0, 0) for entry in entries]
    taken = [
        (numbers[entry], seat, wins, draws, losses)
        for entry, seat, wins, draws, losses in store.seats_taken(session, tournament)
    ]
    if not tournament.opening_moves:
        return balance([*unseated, *taken])
    rows = tournaments.opening_totals(session, tournament)
    openings = [(row.number, row.first_wins, row.first_draws, row.first_losses) for row in rows]
    return balance([*unseated, *taken], openings)


def _entry(session: Session, tournament: Tournament, bot: str) -> Entry:
    return lifecycle.entry_of(session, tournament, versions.get(session, bot))


def _games(session: Session, entry: Entry, other: Entry | None) -> Iterator[Game]:
    for number, first, second, opening, result in store.games_of(session, entry, other):
        seat = 0 if first == entry.id else 1
        against = second if seat == 0 else first
        made, played = tally(result, seat), result.kind == Kind.PLAYED
        yield Game(number, against, seat, opening, made, _fault(result, seat, made), played)


def _fault(result: Result, seat: int, made: Tally) -> str | None:
    """What a seat forfeited by."""
    if result.kind == Kind.FORFEIT:
        return None if made.half_points else WALKOVER
    return next((forfeit["code"] for forfeit in result.forfeits if forfeit["seat"] == seat), None)


def _rated(session: Session, tournament: Tournament, one: Entry, other: Entry) -> float | None:
    """How likely the first is stronger by the ratings, in tournaments where they take no time to tell."""
    if len(lifecycle.entries(session, tournament)) > MAX_RATED:
        return None
    lines = ratings.ratings(session, tournament, pairwise=True).lines
    place = {line.entrant.entry: at for at, line in enumerate(lines)}
    over = lines[place[one.id]].over
    against = place[other.id]
    return over[against] if over is not None and against < len(over) else None
