"""Scrimmages, as each of the two teams may see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import Response

from arena.core.errors import ConflictError
from arena.results.own_games import outcome_of
from arena.results.views import result_record
from arena.schemas import scrimmages as schemas
from arena.schemas.matches import ForfeitEvidence, MoveOut
from arena.scrimmages.quotas import Allowance
from arena.scrimmages.specs import game_of, scrimmage_spec
from arena.store.models import Bot, BotVersion, Scrimmage, ScrimmageGame
from arena.store.scrimmages import UNFINISHED
from arena.submissions.reference import PREFIX
from arena.web.answers.copying import copied
from arena.web.answers.game_file import game_file
from arena.web.answers.languages import Language
from arena.web.answers.matches import result_of
from arena.web.http.responses import file_response
from arena.web.http.visibility import Viewer, without_stderr
from workers.core.contract import Forfeit, MatchRecord, SeatUse, TimeControl

PUBLIC = Viewer(None)


def scrimmage_of(viewer: Viewer, scrimmage: Scrimmage) -> schemas.ScrimmageOut:
    """The scrimmage with its games, without their moves."""
    own = viewer.sees_seat_of(scrimmage, own=True)
    return schemas.ScrimmageOut(
        id=scrimmage.id,
        created_at=scrimmage.created_at,
        team=scrimmage.owner.name,
        asked_by=scrimmage.asker.name if own else None,
        own=own,
        bot=_seat(scrimmage.version),
        opponent=_opponent(scrimmage),
        tournament=scrimmage.tournament.name if scrimmage.tournament else None,
        game=game_of(scrimmage),
        time=TimeControl.model_validate(scrimmage.time),
        over=all(game.state not in UNFINISHED for game in scrimmage.games),
        games=[_game(scrimmage, game, own=own) for game in scrimmage.games],
    )


def game_detail_of(
    viewer: Viewer, game: ScrimmageGame, moves: Sequence[dict[str, Any]]
) -> schemas.ScrimmageGameDetail:
    """One game with its moves, and what the viewer may see of what was written."""
    scrimmage = game.scrimmage
    own = viewer.sees_seat_of(scrimmage, own=True)
    seen = [seat for seat in (0, 1) if viewer.sees_seat_of(scrimmage, own=seat == game.seat)]
    uses = [SeatUse.model_validate(row) for row in game.result.seats] if game.result else []
    forfeits = [Forfeit.model_validate(row) for row in game.result.forfeits] if game.result else []
    return schemas.ScrimmageGameDetail(
        **dict(_game(scrimmage, game, own=own)),
        scrimmage=scrimmage.id,
        game=game_of(scrimmage),
        time=TimeControl.model_validate(scrimmage.time),
        moves=[
            MoveOut.model_validate(move if move["seat"] in seen else {**move, "debug": None})
            for move in moves
        ],
        use=[use if seat in seen else without_stderr(use) for seat, use in enumerate(uses)],
        evidence=[
            copied(ForfeitEvidence, each, evidence=each if each.seat in seen else None) for each in forfeits
        ],
        logs=seen,
    )


def record_of(viewer: Viewer, game: ScrimmageGame, moves: Sequence[dict[str, Any]]) -> MatchRecord:
    """The game as a line of a record file, as the viewer may see it.

    Raises:
        ConflictError: it has no result.
    """
    if game.result is None:
        raise ConflictError(f"game {game.number} is {game.state} and has no result")
    record = MatchRecord(spec=scrimmage_spec(game), result=result_record(str(game.id), game.result, moves))
    return viewer.scrimmage_record(game, record)


def page_response(game: ScrimmageGame, moves: Sequence[dict[str, Any]], language: Language) -> Response:
    """The game as a page in one file that opens without any server; it has nothing that bots wrote.

    Raises:
        ConflictError: it has no result.
    """
    page = game_file(record_of(PUBLIC, game, moves), language)
    return file_response(page, f"scrimmage-{game.scrimmage_id}-{game.number}.html", "text/html")


def opponents_of(reference: Sequence[str], bots: Sequence[Bot], allowance: Allowance) -> schemas.OpponentsOut:
    """Whom a team may play against, and how often."""
    return schemas.OpponentsOut(
        reference=[PREFIX + name for name in reference],
        others=[schemas.OpponentOut(bot=bot.name, owner=bot.owner.name) for bot in bots],
        games_a_day=allowance.most,
        games_left=allowance.left,
        again_at=allowance.again_at,
    )


def _game(scrimmage: Scrimmage, game: ScrimmageGame, *, own: bool) -> schemas.ScrimmageGameOut:
    mine, other = _seat(scrimmage.version), _opponent(scrimmage)
    outcome = None
    if game.result is not None:
        points = game.result.first_half_points, game.result.second_half_points
        outcome = outcome_of(points[game.seat if own else 1 - game.seat], game.result.reason)
    return schemas.ScrimmageGameOut(
        number=game.number,
        seat=game.seat,
        state=game.state,
        seats=(mine, other) if game.seat == 0 else (other, mine),
        opening=game.opening,
        unplayed=game.unplayed,
        outcome=outcome,
        result=result_of(game.result) if game.result else None,
    )


def _opponent(scrimmage: Scrimmage) -> schemas.ScrimmageSeat:
    if scrimmage.opponent is not None:
        return _seat(scrimmage.opponent)
    return schemas.ScrimmageSeat(bot=f"{PREFIX}{scrimmage.reference}", version=None, owner=None)


def _seat(version: BotVersion) -> schemas.ScrimmageSeat:
    return schemas.ScrimmageSeat(bot=version.bot.name, version=version.number, owner=version.bot.owner.name)
