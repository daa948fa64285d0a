"""Queries for what entries made against each other, without more of a row than its numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from arena.store.models import Base, Match, Result, Tournament
from arena.theory.pairing.contract import Kind

Pair = tuple[int, int, int, int]
"""Two entries, and the half points and games of the first against the second."""

_COLUMNS = Base.metadata.tables["encounters"].columns
_OF = select(*(_COLUMNS[name] for name in ("entry_id", "other_id", "half_points", "games"))).where(
    _COLUMNS.entry_id.in_(bindparam("entries", expanding=True))
)
_AMONG = _OF.where(_COLUMNS.other_id.in_(bindparam("others", expanding=True)))


def of(session: Session, entries: Sequence[int]) -> list[Pair]:
    """What these entries, by their ids, made against all that they have met."""
    return [tuple(row) for row in session.execute(_OF, {"entries": entries})]


def among(session: Session, entries: Sequence[int]) -> list[Pair]:
    """What these entries made against each other."""
    return [tuple(row) for row in session.execute(_AMONG, {"entries": entries, "others": entries})]


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
