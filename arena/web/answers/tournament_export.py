"""A whole tournament as a stream of lines, in the formats of `arena.interchange`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fastapi import Request
from sqlalchemy.orm import Session

from arena.core.errors import ConflictError
from arena.core.terms import OVER, ExportFormat, MatchState
from arena.interchange import ggf, pgn, trf
from arena.interchange.matches import GGF, ggf_of, pgn_of
from arena.interchange.tables import BOM, csv_line
from arena.interchange.transcript import transcript
from arena.interchange.trf_tournament import report_of
from arena.results import views
from arena.schemas.matches import SeatOut
from arena.store import exports, stamps
from arena.store.models import Match, Result, Tournament
from arena.theory.pairing.contract import FormatName
from arena.theory.pairing.format import FormatError
from arena.tournaments import history, lifecycle, rounds
from arena.web.answers.matches import seat_of
from arena.web.http import freezing
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import get_services
from arena.web.http.download import Download, Texts
from arena.web.http.visibility import Viewer
from engines.game import UnknownGameError
from engines.games import find_row
from workers.core.contract import TimeControl

MEDIA_TYPES = {
    ExportFormat.CSV: "text/csv",
    ExportFormat.JSONL: "application/jsonl",
    ExportFormat.PGN: "application/vnd.chess-pgn",
    ExportFormat.GGF: "text/plain",
    ExportFormat.TRF: "text/plain",
    ExportFormat.TRANSCRIPTS: "text/plain",
}
TEXTS = {ExportFormat.TRANSCRIPTS: "txt"}
"""Endings of file names that are not the format's own name."""
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
    "phase",
    "first_owner",
    "second_owner",
    "opening_number",
    "kind",
    "recorded_at",
)
TRF_KINDS = {
    FormatName.ROUND_ROBIN: "Round robin",
    FormatName.DOUBLE_ROUND_ROBIN: "Double round robin",
    FormatName.SWISS: "Swiss, by weighted matching",
    FormatName.SWISS_DUTCH: "Swiss (FIDE Dutch system)",
}
"""The formats that a tournament report can tell."""


def export_of(request: Request, tournament: Tournament, form: ExportFormat, viewer: Viewer) -> Download:
    """All matches of a tournament in one file, as `viewer` may see them.

    Raises:
        ConflictError: the format cannot tell of the tournament.
    """
    check_format(tournament, form)
    name = tournament.name

    def pieces() -> Texts:
        with freezing.reading(request, get_services(request).database) as session:
            now = lifecycle.get(session, name)
            if viewer.user is None and (form is not ExportFormat.CSV or now.state in OVER):
                cacheable(request, stamps.of_tournament(session, now))  # a CSV tells of what is being played
            yield from _lines(session, now, form, viewer)

    media_type = MEDIA_TYPES[form]
    charset = "" if media_type.startswith("application/") else "; charset=utf-8"
    return Download(pieces, f"{name}.{TEXTS.get(form, form)}", f"{media_type}{charset}")


def formats_of(tournament: Tournament) -> list[ExportFormat]:
    """The formats that can tell of the tournament; before its start there is nothing to tell."""
    return [] if tournament.started_at is None else [form for form in ExportFormat if _fits(tournament, form)]


def _fits(tournament: Tournament, form: ExportFormat) -> bool:
    try:
        check_format(tournament, form)
    except ConflictError:
        return False
    return True


def check_format(tournament: Tournament, form: ExportFormat) -> None:
    """Refuse a format that cannot tell of the tournament.

    Raises:
        ConflictError: the message says what the format is for.
    """
    if form is ExportFormat.GGF and not _told_in_ggf(tournament.game):
        raise ConflictError(
            f"GGF tells of Reversi, and {tournament.name!r} plays {tournament.game}; take jsonl"
        )
    if form is ExportFormat.GGF and "rows" in tournament.params:
        raise ConflictError(
            f"GGF tells of square boards only, and {tournament.name!r} is not played on one; take jsonl"
        )
    if form is ExportFormat.TRF and tournament.format not in TRF_KINDS:
        raise ConflictError(
            f"a TRF tells of Swiss and round robin tournaments, and {tournament.name!r} is a "
            f"{tournament.format}; take csv or pgn"
        )


def _told_in_ggf(game: str) -> bool:
    try:
        return GGF in find_row(game).exports
    except UnknownGameError:
        return False


def _lines(session: Session, tournament: Tournament, form: ExportFormat, viewer: Viewer) -> Iterator[str]:
    """The export in pieces, as `viewer` may see it; the format has been checked."""
    match form:
        case ExportFormat.CSV:
            yield from _csv(session, tournament)
        case ExportFormat.JSONL:
            yield from _records(session, tournament, viewer)
        case ExportFormat.PGN:
            yield from _pgn(session, tournament)
        case ExportFormat.GGF:
            yield from _ggf(session, tournament)
        case ExportFormat.TRF:
            yield from _trf(session, tournament)
        case ExportFormat.TRANSCRIPTS:
            yield from _transcripts(session, tournament)


def _csv(session: Session, tournament: Tournament) -> Iterator[str]:
    """A heading, then every match, played or not; the mark of UTF-8 before it is for spreadsheets."""
    seats = _seats(session, tournament)
    yield BOM + csv_line(COLUMNS)
    for row in exports.lines(session, tournament):
        yield csv_line(_columns(row, seats[row.first_id], seats[row.second_id]))


def _seats(session: Session, tournament: Tournament) -> dict[int, SeatOut]:
    """Who an entry is, by its id."""
    return {entry.id: seat_of(entry) for entry in lifecycle.entries(session, tournament)}


def _columns(row: Any, first: SeatOut, second: SeatOut) -> tuple[object, ...]:
    planned = (row.number, row.round, str(row.state), first.bot, first.version, second.bot, second.version)
    opening = " ".join(row.opening)
    place = (row.phase, first.owner, second.owner, row.opening_number)
    if row.reason is None:
        return (*planned, opening, *("" for _ in range(9)), *place, "", "")
    bots = (first.bot, second.bot)
    winner = "" if row.winner is None else bots[row.winner]
    points = (row.first_half_points / 2, row.second_half_points / 2)
    wall_ms = (use["wall_ns"] // 1_000_000 for use in row.seats)
    forfeits = " ".join(f"{bots[each['seat']]}:{each['code']}" for each in row.forfeits)
    played = (winner, row.reason, row.first_score, row.second_score, *points, *wall_ms, forfeits)
    return (*planned, opening, *played, *place, row.kind, row.recorded_at.isoformat())


def _pgn(session: Session, tournament: Tournament) -> Iterator[str]:
    seats = _seats(session, tournament)
    for row in exports.lines(session, tournament):
        if row.reason is None:
            continue
        game = pgn_of(row, tournament.heading, seats[row.first_id].bot, seats[row.second_id].bot)
        if game is not None:
            yield pgn.write(game)


def _records(session: Session, tournament: Tournament, viewer: Viewer) -> Iterator[str]:
    """The record of every finished match, as `viewer` may see it."""
    for match in exports.matches(session, tournament, MatchState.FINISHED):
        yield viewer.record(match, views.match_record(session, match)).model_dump_json() + "\n"


def _ggf(session: Session, tournament: Tournament) -> Iterator[str]:
    game = lifecycle.game_of(tournament)
    for match, result in _played(session, tournament):
        record = views.match_record(session, match)
        yield ggf.write(ggf_of(record, game, place=tournament.heading, recorded_at=result.recorded_at))


def _transcripts(session: Session, tournament: Tournament) -> Iterator[str]:
    game = lifecycle.game_of(tournament)
    for match, _ in _played(session, tournament):
        title = f"{tournament.heading}, round {match.round}, match {match.number}"
        yield transcript(views.match_record(session, match), game, title=title)


def _trf(session: Session, tournament: Tournament) -> Iterator[str]:
    names = {entry.number: entry.version.bot.name for entry in lifecycle.entries(session, tournament)}
    entrants = history.entrants(session, tournament)
    report = report_of(
        entrants,
        names,
        history.meetings(session, tournament),
        rounds=_length(tournament, sum(each.joined <= 1 for each in entrants)),
        ranks={line.number: line.rank for line in views.leaderboard(session, tournament)},
    )
    time = TimeControl.model_validate(tournament.time)
    told = replace(
        report,
        name=tournament.heading,
        start=f"{tournament.started_at:%Y/%m/%d}" if tournament.started_at else "",
        end=f"{tournament.finished_at:%Y/%m/%d}" if tournament.finished_at else "",
        kind=TRF_KINDS[FormatName(tournament.format)],
        arbiter="Bot Arena",
        time=f"{time.move_ms / 1000:g} s a move",
    )
    yield from trf.write(told)


def _length(tournament: Tournament, entries: int) -> int | None:
    """How many rounds there will be with so many at the start; None while they are too few to say so."""
    try:
        extent = rounds.format_of(tournament).extent(entries)
    except FormatError:
        extent = None
    return max(extent.rounds_most if extent else 0, tournament.rounds_paired) or None


def _played(session: Session, tournament: Tournament) -> Iterator[tuple[Match, Result]]:
    """The matches whose result came of a game on the board: those that some worker played."""
    for match in exports.matches(session, tournament, MatchState.FINISHED):
        if match.result is not None and match.result.reported:
            yield match, match.result
