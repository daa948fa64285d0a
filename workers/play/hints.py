"""What a position is worth with perfect play, and what is best there."""

from __future__ import annotations

from typing import Any

from engines.game import Game
from engines.games import find_presentation
from engines.solvers import Progress, Value, find_oracle
from engines.strategies.perfect import best_moves

WORDS = {1: "won", 0: "drawn", -1: "lost"}


def hint(game: Game[Any], state: Any, progress: Progress) -> dict[str, Any]:
    """The position's value for the side to move and its best moves, fit for JSON.

    Of a finished game there are no moves. The best are those that the perfect player chooses from.

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
    }


def _told(value: Value) -> dict[str, Any]:
    return {"result": WORDS[value.result], "plies": value.distance}
