"""What a position is worth and what is best there, for `arena game hint`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.game import Game
    from engines.solvers import Progress, Value

WORDS = {1: "won", 0: "drawn", -1: "lost"}


def hint(game: Game[Any], state: Any, progress: Progress) -> dict[str, Any]:
    """The position's value for the side to move and its best moves, fit for JSON.

    Of a finished game there are no moves. The best are those that the perfect player chooses from.

    Raises:
        SolverError: the game cannot be solved with its parameters.
    """
    from engines.games import find_presentation
    from engines.solvers import find_oracle
    from engines.strategies.perfect import best_moves

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


def hint_lines(game: Game[Any], state: Any, told: Mapping[str, Any]) -> Iterator[str]:
    """The hint in words, below a drawing of the position."""
    from engines.games import find_presentation

    presentation = find_presentation(game.name)
    yield game.draw(state)
    yield ""
    ended = "" if told["moves"] else "; the game is over"
    plies = "" if told["plies"] is None or ended else f" in {told['plies']} plies"
    yield f"seat {told['seat']} is to move: {told['result']}{plies}{ended}"
    for move in told["moves"]:
        words = presentation.hint_words(move)
        yield f"  {move['move']}{words and '  ' + words}"


def _told(value: Value) -> dict[str, Any]:
    return {"result": WORDS[value.result], "plies": value.distance}
