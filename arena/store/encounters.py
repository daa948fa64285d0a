"""Queries for what entries made against each other, without more of a row than its numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session, aliased

from arena.store.models import Encounter, Entry, Match, Result, Tournament
from arena.theory.pairing.contract import Kind

Pair = tuple[int, int, int, int]
"""Two entries, and the half points and games of the first against the second."""

COLUMNS = (Encounter.entry_id, Encounter.other_id, Encounter.half_points, Encounter.games)


def between(session: Session, entries: Sequence[int]) -> Iterator[Pair]:
    """What these entries, by their ids, made against each other."""
    chosen = set(entries)
    query = select(*COLUMNS).where(Encounter.entry_id.in_(chosen), Encounter.other_id.in_(chosen))
    for row in session.execute(query):
        yield row[0], row[1], row[2], row[3]


def sums(session: Session, tournament: Tournament) -> Iterator[tuple[int, int, int]]:
    """What every entry made against every other, in half points, weighed by the other's score and not.

    Each entry's id, the sum of what it made times the other's score (quarter points, as Sonneborn-Berger has
    it), and that of what it made against others with at least half of the points of their games (as Koya has
    it).
    """
    other = aliased(Entry)
    query = select(
        Encounter.entry_id,
        func.sum(Encounter.half_points * other.half_points),
        func.sum(case((other.half_points >= other.games, Encounter.half_points), else_=0)),
    ).join(other, Encounter.other_id == other.id)
    query = query.where(other.tournament_id == tournament.id).group_by(Encounter.entry_id)
    for row in session.execute(query):
        yield row[0], int(row[1]), int(row[2])


def against(session: Session, tournament: Tournament) -> Iterator[tuple[int, int, int, int]]:
    """What every entry made, in half points, against all others with the same half points and games.

    Each entry's id, what it made, and the half points and games of those others.
    """
    other = aliased(Entry)
    query = select(Encounter.entry_id, func.sum(Encounter.half_points), other.half_points, other.games).join(
        other, Encounter.other_id == other.id
    )
    query = query.where(other.tournament_id == tournament.id, other.games > 0)
    for row in session.execute(query.group_by(Encounter.entry_id, other.half_points, other.games)):
        yield row[0], int(row[1]), row[2], row[3]


def unplayed(session: Session, tournament: Tournament) -> Iterator[tuple[int, int, int]]:
    """The games that were decided without being played, from both sides: an entry, the other, half points."""
    query = select(Match.first_id, Match.second_id, Result.first_half_points, Result.second_half_points).join(
        Result, Result.match_id == Match.id
    )
    query = query.where(Match.tournament_id == tournament.id, Result.kind == Kind.FORFEIT)
    for first, second, made, others in session.execute(query):
        yield first, second, made
        yield second, first, others


def scores_against(
    session: Session, tournament: Tournament, entries: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """The own and the others' scores of everybody's games that were played against these entries."""
    scores: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for own, against, score, other in (
        (Match.first_id, Match.second_id, Result.first_score, Result.second_score),
        (Match.second_id, Match.first_id, Result.second_score, Result.first_score),
    ):
        query = select(own, func.sum(score), func.sum(other)).join(Result, Result.match_id == Match.id)
        query = query.where(
            Match.tournament_id == tournament.id, Result.kind == Kind.PLAYED, against.in_(set(entries))
        )
        for entry, scored, conceded in session.execute(query.group_by(own)):
            scores[entry][0] += scored
            scores[entry][1] += conceded
    for entry, (scored, conceded) in scores.items():
        yield entry, scored, conceded
