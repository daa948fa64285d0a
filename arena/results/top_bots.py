"""The best bots of a game by all that they have played: one rating over all that the public sees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from arena.store import freezes
from arena.store import ratings as store

if TYPE_CHECKING:
    from arena.theory.rating.table import Line  # SciPy takes long to read

MOST_RATED = 500
"""Bots of a game that are rated, those with the most games, so that nobody keeps the arena busy for long."""

Totals = list[tuple[int, int, int, int, int]]


@dataclass(frozen=True)
class TopBots:
    """The lines of all rated bots of a game, best first, by so many games of so many tournaments."""

    game: str
    tournaments: int
    games: int
    lines: tuple[Line, ...]


def top_bots(session: Session, game: str) -> TopBots:
    """The ratings of a game's bots, all versions of one together.

    The games of every tournament and ladder count that was not cancelled; of a frozen one those before its
    freeze, whoever asks.
    """
    from arena.theory.rating.table import Entrant, rate  # noqa: PLC0415 - SciPy takes long to read

    pairs, tournaments = store.totals_of_game(session, game), store.count_tournaments(session, game)
    with freezes.beside(session) as there:
        pairs += store.totals_of_game(there, game)
        tournaments += store.count_tournaments(there, game)
    pairs = _among_most_played(pairs)
    known = store.bots(session, {bot for pair in pairs for bot in pair[:2]})
    entrants = [Entrant(bot.id, bot.id, bot.name, 0, bot.owner) for bot in known]
    rated = rate(entrants, pairs)
    return TopBots(game, tournaments, sum(sum(pair[2:]) for pair in pairs), rated.lines)


def _among_most_played(pairs: Totals) -> Totals:
    """The games of those with the most games against each other."""
    games: Counter[int] = Counter()
    for one, other, *counts in pairs:
        games[one] += sum(counts)
        games[other] += sum(counts)
    if len(games) <= MOST_RATED:
        return pairs
    most = {bot for bot, _ in games.most_common(MOST_RATED)}
    return [pair for pair in pairs if {*pair[:2]} <= most]
