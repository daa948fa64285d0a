"""Queries for games with the same bots, seats and opening."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from arena.store.models import Entry, Match, Move, Result, Tournament

MOST = 2000
"""The latest matches that are looked at."""

MAX_COMPARED = 500
"""Those of them whose moves are compared."""


class Repetition(NamedTuple):
    """A match: its tournament and number, both bots' versions, its opening, and all its moves."""

    tournament_id: int
    number: int
    first: int
    second: int
    opening: tuple[str, ...]
    moves: tuple[str, ...]


def repetitions(
    session: Session, game: str, params: dict[str, Any], versions: Collection[int]
) -> list[Repetition]:
    """The latest recorded matches between these versions that have another one like them.

    Those whose results are hidden are left out.
    """
    first, second = aliased(Entry), aliased(Entry)
    query = (
        select(
            Match.id,
            Match.tournament_id,
            Match.number,
            first.version_id,
            second.version_id,
            Match.opening,
            Tournament.params,
        )
        .join(Result, Result.match_id == Match.id)
        .join(Tournament, Tournament.id == Match.tournament_id)
        .join(first, first.id == Match.first_id)
        .join(second, second.id == Match.second_id)
        .where(Tournament.game == game, Tournament.frozen_at.is_(None), Result.manual_reason.is_(None))
        .where(first.version_id.in_(versions), second.version_id.in_(versions))
        .order_by(Match.id.desc())
        .limit(MOST)
    )
    rows = [row for row in session.execute(query) if row.params == params]
    times = Counter(_setting(row) for row in rows)
    again = [row for row in rows if times[_setting(row)] > 1][:MAX_COMPARED]
    moves = _moves(session, [row.id for row in again])
    return [
        Repetition(row.tournament_id, row.number, *_setting(row), moves=tuple(moves[row.id])) for row in again
    ]


def _setting(row: Any) -> tuple[int, int, tuple[str, ...]]:
    return row[3], row[4], tuple(row.opening)


def _moves(session: Session, matches: Sequence[int]) -> dict[int, list[str]]:
    query = select(Move.match_id, Move.move).where(Move.match_id.in_(matches))
    moves: dict[int, list[str]] = defaultdict(list)
    for match, move in session.execute(query.order_by(Move.match_id, Move.ply)):
        moves[match].append(move)
    return moves
