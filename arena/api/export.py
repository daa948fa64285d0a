"""A whole tournament as a stream of lines, a match a line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from sqlalchemy.orm import Session

from arena import results
from arena.api.schemas.matches import MatchOut
from arena.api.visibility import Viewer
from arena.store.models import Match, MatchState, Tournament

BATCH = 100
COLUMNS = (
    "number",
    "round",
    "state",
    "first",
    "first_version",
    "second",
    "second_version",
    "opening",
    "winner",
    "reason",
    "first_score",
    "second_score",
    "first_points",
    "second_points",
    "first_wall_ms",
    "second_wall_ms",
    "forfeits",
)


def csv_lines(session: Session, tournament: Tournament) -> Iterator[str]:
    """A heading, then every match, played or not."""
    yield _csv_line(COLUMNS)
    for match in _matches(session, tournament, None):
        yield _csv_line(_columns(MatchOut.of(match)))


def record_lines(session: Session, tournament: Tournament, viewer: Viewer) -> Iterator[str]:
    """The record of every finished match, as `viewer` may see it."""
    for match in _matches(session, tournament, MatchState.FINISHED):
        yield viewer.record(match, results.match_record(session, match)).model_dump_json() + "\n"


def _matches(session: Session, tournament: Tournament, state: MatchState | None) -> Iterator[Match]:
    offset, total = 0, 1
    while offset < total:
        rows, total = results.list_matches(session, tournament, state=state, offset=offset, limit=BATCH)
        yield from rows
        offset += BATCH


def _columns(match: MatchOut) -> tuple[object, ...]:
    first, second = match.seats
    planned = (match.number, match.round, match.state, first.bot, first.version, second.bot, second.version)
    opening = " ".join(match.opening)
    result = match.result
    if result is None:
        return (*planned, opening, *("" for _ in range(9)))
    winner = "" if result.winner is None else match.seats[result.winner].bot
    forfeits = " ".join(f"{match.seats[each.seat].bot}:{each.code}" for each in result.forfeits)
    played = (winner, result.reason, *result.score, *result.points, *result.wall_ms, forfeits)
    return (*planned, opening, *played)


def _csv_line(values: tuple[object, ...]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(values)
    return line.getvalue()
