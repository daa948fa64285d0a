"""The rules of a game say why the move that a bot forfeited by is illegal."""

from __future__ import annotations

import json
from typing import Any

from engines.game import Game, GameError
from engines.games import find_game
from workers.checks.contract import CheckReport
from workers.core.contract import FaultCode, Forfeit, GameSpec


def answered(forfeit: Forfeit) -> str | None:
    """The move in an answer that was read; None where only a part of it was kept, or it was no such fault."""
    if forfeit.code is not FaultCode.ILLEGAL_MOVE:
        return None
    answer = _read(forfeit.received)
    move = answer.get("move") if isinstance(answer, dict) else answer
    return move if isinstance(move, str) else None


def why(spec: GameSpec, forfeit: Forfeit) -> GameError | None:
    """What the rules have against the move where it was asked for; None where that is not known.

    A record keeps it in English, if at all: so it is found anew.
    """
    try:
        game = find_game(spec.name, spec.params)
    except GameError:
        return None
    return _against(game, forfeit) if game.version == spec.version else None


def why_in_check(report: CheckReport) -> GameError | None:
    """The same of a check, which failed in the game of its last part, as that usually is."""
    name = report.steps[-1].game if report.steps else None
    if name is None or report.forfeit is None:
        return None
    try:
        return _against(find_game(name), report.forfeit)
    except GameError:
        return None


def _against(game: Game[Any], forfeit: Forfeit) -> GameError | None:
    move, request = answered(forfeit), _read(forfeit.request)
    state = request.get("state") if isinstance(request, dict) else None
    if move is None or not isinstance(state, dict):
        return None
    try:
        position = game.state_from_json(state)
    except GameError:
        return None
    try:
        game.play(position, game.move_from_text(move))
    except GameError as error:
        return error
    return None


def _read(text: str) -> object:
    try:
        told: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return told
