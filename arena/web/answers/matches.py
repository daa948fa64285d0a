"""Matches with their moves, as who asks may see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import Response
from sqlalchemy.orm import Session

from arena.results import views
from arena.schemas import matches as schemas
from arena.store.models import Ending, Entry, Match, Move, SupersededResult, VoidAttempt
from arena.web.answers.copying import copied
from arena.web.answers.game_file import game_file
from arena.web.answers.languages import Language
from arena.web.http.responses import file_response
from arena.web.http.visibility import Viewer
from workers.core.contract import Forfeit, SeatUse


def seat_of(entry: Entry) -> schemas.SeatOut:
    """The entry that sits there."""
    bot = entry.version.bot
    return schemas.SeatOut(
        entry=entry.number, bot=bot.name, version=entry.version.number, owner=bot.owner.name
    )


def match_of(match: Match) -> schemas.MatchOut:
    """The match without its moves."""
    seats = (seat_of(match.first), seat_of(match.second))
    return copied(
        schemas.MatchOut, match, seats=seats, result=result_of(match.result) if match.result else None
    )


def heading_of(match: Match) -> str:
    """What a match is called where nothing else says which tournament it is of."""
    return f"{match.tournament.heading} #{match.number}"


def page_response(session: Session, match: Match, language: Language) -> Response:
    """The match as a page in one file that opens without any server; it has nothing that bots wrote.

    Raises:
        ConflictError: it has no result.
    """
    record = Viewer(None).record(match, views.match_record(session, match))
    page = game_file(record, language, heading_of(match))
    return file_response(page, f"{match.tournament.name}-{match.number}.html", "text/html")


def detail_of(viewer: Viewer, match: Match, moves: Sequence[Move]) -> schemas.MatchDetail:
    """The match with its moves, as `viewer` may see it."""
    forfeits = [Forfeit.model_validate(row) for row in match.result.forfeits] if match.result else []
    speed = match.result.host_speed if match.result else None
    return schemas.MatchDetail(
        **dict(match_of(match)),
        moves=[
            copied(schemas.MoveOut, move, debug=move.debug if viewer.sees_bot_of(match, move.seat) else None)
            for move in moves
        ],
        use=_use(viewer, match, match.result.seats if match.result else []),
        evidence=[_evidence(viewer, match, forfeit) for forfeit in forfeits],
        voids=[_void(viewer, match, void) for void in match.voids],
        superseded=[_superseded(row) for row in match.superseded],
        staff=copied(schemas.Troubles, match, host_speed=speed) if viewer.runs(match.tournament) else None,
    )


def result_of(result: Ending) -> schemas.ResultOut:
    """How a game ended, without what the bots wrote."""
    first, second = (SeatUse.model_validate(row) for row in result.seats)
    return copied(
        schemas.ResultOut,
        result,
        score=(result.first_score, result.second_score),
        points=(result.first_half_points / 2, result.second_half_points / 2),
        wall_ms=(first.wall_ns // 1_000_000, second.wall_ns // 1_000_000),
        forfeits=[
            schemas.ForfeitOut(seat=row["seat"], code=row["code"], ply=row["ply"]) for row in result.forfeits
        ],
    )


def _superseded(row: SupersededResult) -> schemas.SupersededOut:
    return copied(
        schemas.SupersededOut, row, result=result_of(row), moves=[move["move"] for move in row.moves]
    )


def _void(viewer: Viewer, match: Match, void: VoidAttempt) -> schemas.VoidOut:
    both = viewer.sees_a_bot_of(match)
    forfeits = [Forfeit.model_validate(row) for row in void.forfeits]
    return copied(
        schemas.VoidOut,
        void,
        forfeits=[
            schemas.VoidForfeit(
                **dict(_evidence(viewer, match, forfeit)),
                contention=copied(schemas.Contention, forfeit, wall_ns=forfeit.clock_ns) if both else None,
            )
            for forfeit in forfeits
        ],
        use=_use(viewer, match, void.seats),
        host=void.host if viewer.runs(match.tournament) else None,
    )


def _use(viewer: Viewer, match: Match, seats: Sequence[dict[str, Any]]) -> list[SeatUse]:
    return [viewer.use(match, seat, SeatUse.model_validate(row)) for seat, row in enumerate(seats)]


def _evidence(viewer: Viewer, match: Match, forfeit: Forfeit) -> schemas.ForfeitEvidence:
    seen = forfeit if viewer.sees_bot_of(match, forfeit.seat) else None
    return copied(schemas.ForfeitEvidence, forfeit, evidence=seen)
