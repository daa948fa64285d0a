"""What a position is worth with perfect play, and what is best there."""

from __future__ import annotations

from typing import Any

from engines.game import Game
from engines.games import find_presentation
from engines.solvers import Oracle, Progress, Value, find_oracle
from engines.strategies.perfect import best_moves

WORDS = {1: "won", 0: "drawn", -1: "lost"}
MOST_VALUED = 512
"""Where there are more legal moves, only the best are told."""


def hint(game: Game[Any], state: Any, progress: Progress) -> dict[str, Any]:
    """The position's value for the side to move, its best moves, and what each move is worth; fit for JSON.

    Of a finished game there are no moves. The best are those that the perfect player chooses from. A move's
    value is its mover's, its plies to the end count it.

    Raises:
        SolverError: the game cannot be solved with its parameters.
    """
    presentation, oracle = find_presentation(game.name), find_oracle(game, progress)
    best = best_moves(game, oracle, state) if game.legal_moves(state) else []
    return {
        "game": game.name,
        "params": game.params,
        "state": game.state_to_json(state),
        "seat": game.to_move(state),
        **_told(oracle.value(state)),
        "moves": [
            {"move": game.move_to_text(move)} | presentation.hinted(game, state, move) for move in best
        ],
        "values": _values(game, oracle, state),
    }


def _values(game: Game[Any], oracle: Oracle[Any], state: Any) -> list[dict[str, Any]]:
    """What each legal move is worth to who makes it; nothing where there are too many."""
    legal = game.legal_moves(state)
    if len(legal) > MOST_VALUED:
        return []
    told = []
    for move in legal:
        after = oracle.value(game.play(state, move))
        plies = None if after.distance is None else after.distance + 1
        told.append({"move": game.move_to_text(move), **_told(Value(-after.result, plies))})
    return told


def _told(value: Value) -> dict[str, Any]:
    return {"result": WORDS[value.result], "plies": value.distance}
