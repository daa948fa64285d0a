"""A second way to the exact values of games that end: plain recursion over the rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from engines.game import Game
from engines.solvers import Value


@cache
def brute_values(game: Game[Any]) -> dict[Any, Value]:
    """The value of every position that play can reach: a win as fast, a loss as late as can be."""
    found: dict[Any, Value] = {}

    @cache
    def value(state: Any) -> Value:
        outcome = game.outcome(state)
        if outcome is not None:
            mine = outcome.winner == game.to_move(state)
            found[state] = Value(0, None) if outcome.winner is None else Value(1 if mine else -1, 0)
            return found[state]
        after = [value(game.play(state, move)) for move in game.legal_moves(state)]
        lost = [each.distance for each in after if each.result < 0 and each.distance is not None]
        won = [each.distance for each in after if each.result > 0 and each.distance is not None]
        if lost:
            found[state] = Value(1, 1 + min(lost))
        elif len(won) == len(after):
            found[state] = Value(-1, 1 + max(won))
        else:
            found[state] = Value(0, None)
        return found[state]

    value(game.initial())
    return found
