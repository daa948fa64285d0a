"""Positions that are typed: as the moves that lead there, or as a state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.failures import UsageError
from arena.core.words import say

if TYPE_CHECKING:
    from engines.game import Game

Moves = Annotated[
    str | None,
    typer.Option("--moves", metavar="MOVES", help="Moves from the first position, with spaces between."),
]
Position = Annotated[
    str | None,
    typer.Option("--position", metavar="JSON", help="A state, as bots are sent it (arena game protocol)."),
]


def typed_position(game: Game[Any], moves: str | None, position: str | None) -> Any:
    """The position after `moves`, or the state `position`; None where neither is given.

    Raises:
        UsageError: both are given, or the state is not a JSON object.
        GameError: a move or the state is none of this game.
    """
    from engines.game import play_all

    if moves is not None and position is not None:
        raise UsageError(say("--moves and --position both name a position: give one of them"))
    if moves is not None:
        return play_all(game, moves.split())
    if position is None:
        return None
    try:
        value = json.loads(position)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UsageError(
            say("--position takes a JSON object such as {dumps}", dumps=json.dumps(first_state(game)))
        )
    return game.state_from_json(value)


def first_state(game: Game[Any]) -> dict[str, Any]:
    """The first position as a JSON object."""
    return game.state_to_json(game.initial())
