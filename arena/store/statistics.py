"""Queries for the numbers of one entry, of two, and of seats."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import func, select, union_all
from sqlalchemy.orm import Session

from arena.store.models import Encounter, Entry, Match, Result, Tournament


def games_of(
    session: Session, entry: Entry, other: Entry | None
) -> Iterator[tuple[int, int, int, int, Result]]:
    """An entry's games with results by number, all or those against another.

    Each as its number, the ids of both entries, the number of its opening, and its result.
    """
    sides = [select(Match.id).where(side == entry.id) for side in (Match.first_id, Match.second_id)]
    if other is not None:
        against = (Match.second_id, Match.first_id)
        sides = [side.where(seat == other.id) for side, seat in zip(sides, against, strict=True)]
    query = select(Match.number, Match.first_id, Match.second_id, Match.opening_number, Result)
    query = query.join(Result, Result.match_id == Match.id).order_by(Match.number)
    query = query.where(Match.id.in_(union_all(*sides)))
    for row in session.execute(query):
        yield row[0], row[1], row[2], row[3], row[4]


def seats_taken(session: Session, tournament: Tournament) -> Iterator[tuple[int, int, int, int, int]]:
    """What the running totals of pairs tell of seats, in games that were played and not lost by both.

    Each entry's id and a seat, and the wins, draws and losses of the first seat in those games.
    """
    ours = select(Entry.id).where(Entry.tournament_id == tournament.id)
    ends = (Encounter.first_wins, Encounter.first_draws, Encounter.first_losses)
    for seat, column in enumerate((Encounter.entry_id, Encounter.other_id)):
        query = select(column, *(func.sum(each) for each in ends)).where(Encounter.entry_id.in_(ours))
        for row in session.execute(query.group_by(column)):
            yield row[0], seat, row[1], row[2], row[3]
