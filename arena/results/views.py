"""The read side: leaderboard, crosstable, and matches with their moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy.orm import Session

from arena.core.errors import ConflictError
from arena.core.terms import MatchState
from arena.results import tables
from arena.results.snapshot import snapshot_of
from arena.store import matches as match_store
from arena.store import summaries
from arena.store.matches import Sought
from arena.store.models import Ending, Match, Tournament
from arena.theory.standings import crosstable as crosstables
from arena.theory.standings.crosstable import Crosstable
from arena.theory.standings.table import Standing
from arena.tournaments.specs import match_spec
from workers.core.contract import CpuContention, MatchRecord, MatchResult, MoveRecord

STRAIN_FIELDS = tuple(field.name for field in fields(CpuContention))
MOVE_FIELDS = tuple(field.name for field in fields(MoveRecord) if field.name != "strain")
ALL = Sought()
MAX_CROSSED = 100
"""Bots in one crosstable: that of a thousand has a million cells, and each bot has a page of its own."""


def leaderboard(session: Session, tournament: Tournament) -> list[Standing]:
    """The table as it stands, best first."""
    return list(tables.table(session, tournament).standings)


def crosstable(
    session: Session, tournament: Tournament, *, offset: int = 0, limit: int = MAX_CROSSED
) -> tuple[Crosstable, int]:
    """What some neighbours on the leaderboard made against each other, and how many lines that has."""
    standings = leaderboard(session, tournament)
    shown = standings[offset : offset + limit]
    met = snapshot_of(session, tournament).met([standing.number for standing in shown])
    return crosstables.crosstable(shown, met), len(standings)


def list_matches(
    session: Session,
    tournament: Tournament,
    sought: Sought = ALL,
    *,
    offset: int = 0,
    limit: int = 100,
) -> tuple[Sequence[Match], int]:
    """A page of the matches that are sought by number, with their results, and how many there are in all."""
    listed = session.execute(match_store.listed(tournament, sought, offset, limit))
    rows = match_store.of_ids(session, [row.id for row in listed])
    if sought != Sought(sought.state):
        return rows, match_store.count(session, tournament, sought)
    return rows, progress(session, tournament)[sought.state or "total"]


def progress(session: Session, tournament: Tournament) -> dict[str, int]:
    """How many matches are in each state, and `total`."""
    states = summaries.match_counts(session, [tournament])[tournament.id]
    counts = {str(state): states.get(state, 0) for state in MatchState}
    return counts | {"total": tournament.matches_total}


def match_record(session: Session, match: Match) -> MatchRecord:
    """Everything needed to show or to replay a recorded match.

    Raises:
        ConflictError: it has no result yet.
    """
    result = match.result
    if result is None:
        raise ConflictError(f"match {match.number} is {match.state} and has no result yet")
    moves = match_store.moves(session, match)
    rows = [{name: getattr(move, name) for name in (*MOVE_FIELDS, *STRAIN_FIELDS)} for move in moves]
    voided = [forfeit for void in match.voids for forfeit in void.forfeits]
    return MatchRecord(spec=match_spec(match), result=result_record(str(match.id), result, rows, voided))


def result_record(
    match: str, result: Ending, moves: Sequence[Mapping[str, Any]], voided: Sequence[Any] = ()
) -> MatchResult:
    """The result as a worker reported it; a move is a row of the table of moves."""
    return MatchResult.model_validate(
        {
            "match": match,
            "winner": result.winner,
            "reason": result.reason,
            "score": (result.first_score, result.second_score),
            "forfeits": result.forfeits,
            "moves": [_move(move) for move in moves],
            "seats": result.seats,
            "host": result.host,
            "host_speed": result.host_speed,
            "voided": voided,
        }
    )


def _move(move: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: move[name] for name in MOVE_FIELDS}
    return told | {"strain": {name: move[name] for name in STRAIN_FIELDS}}
