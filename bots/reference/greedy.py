"""A bot that looks at nothing but the position right after its own move.

Where a game keeps a score on the way, it leaves itself the best one there. Elsewhere it takes a win at hand,
else a move that does not leave one to the other side. Among equals it plays the first of the legal moves.
"""

from __future__ import annotations

from typing import Any

from bots.reference.rules import position, require_game
from bots.sdk.arena_bot import Request, run
from engines.game import Game, Seat


class Bot:
    """Plays greedily."""

    name = "greedy"
    version = "1"
    reusable = True

    def start(self, hello: dict[str, Any]) -> None:
        """Learn which game it is."""
        self._game = require_game(self.name, hello)

    def choose(self, request: Request) -> str:
        """The move of the best value, the first among equals."""
        game = self._game
        state = position(game, request)
        seat = game.to_move(state)
        moves = (game.move_from_text(text) for text in request.legal)
        values = [_value(game, game.play(state, move), seat) for move in moves]
        return request.legal[values.index(max(values))]


def _value(game: Game[Any], after: Any, seat: Seat) -> int:
    """How good the position `after` a move of `seat` is for it; only the order of values has a meaning."""
    score = game.running_score(after)
    if score is not None:
        return -score[seat] if game.score_sense == "fewest" else score[seat]
    outcome = game.outcome(after)
    if outcome is not None:
        return 1 if outcome.winner == seat else -1
    replies = (game.outcome(game.play(after, reply)) for reply in game.legal_moves(after))
    return -1 if any(reply and reply.winner not in {seat, None} for reply in replies) else 0


if __name__ == "__main__":
    run(Bot())
