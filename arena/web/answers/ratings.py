"""Ratings of a tournament's bots, and how they came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.results.rated_games import rated_games
from arena.results.rating_history import EntryRatings, History
from arena.results.top_bots import TopBots
from arena.schemas.ratings import (
    HistoryPoint,
    RatedLine,
    RatingHistory,
    RatingTable,
    TopBotOut,
    TopBotsOut,
)
from arena.store.models import Tournament
from arena.web.answers.copying import copied
from arena.web.answers.matches import seat_of

if TYPE_CHECKING:
    from arena.theory.rating.table import Ratings  # SciPy takes long to read


def rating_table_of(tournament: Tournament, rated: Ratings) -> RatingTable:
    """The ratings of `tournament`."""
    return RatingTable(tournament=tournament.name, state=tournament.state, **dict(rated_games(rated)))


def rating_history_of(tournament: Tournament, history: History) -> RatingHistory:
    """The history of the ratings of `tournament`."""
    return copied(
        RatingHistory,
        history,
        tournament=tournament.name,
        state=tournament.state,
        order_dependent=history.kind == "online",
        points=[copied(HistoryPoint, point) for point in history.points],
        items=[_line(line) for line in history.lines],
    )


def top_bots_of(top: TopBots, most: int) -> TopBotsOut:
    """The best bots of a game, so many at most."""
    items = [
        TopBotOut(
            rank=line.rank,
            bot=line.entrant.bot,
            owner=line.entrant.owner,
            games=line.games,
            rating=line.rating,
            error=line.error,
        )
        for line in top.lines[:most]
    ]
    return copied(TopBotsOut, top, bots=len(top.lines), items=items)


def _line(line: EntryRatings) -> RatedLine:
    return RatedLine(
        **dict(seat_of(line.entry)),
        games=line.games,
        ratings=[None if each is None else each[0] for each in line.ratings],
        errors=[None if each is None else each[1] for each in line.ratings],
    )
