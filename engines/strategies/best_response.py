"""The player that wins most against the random one: see `engines.solvers.best_response`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Game, Move
from engines.solvers.best_response import find_response
from engines.strategies import no_parameters
from engines.stream import Stream


def find(game: Game[Any], *parameters: str) -> BestResponse:
    """The best response in `game`; a table that it needs and that is not there yet is built now.

    Raises:
        StrategyError: there are parameters.
        SolverError: the game has no best response with its parameters.
    """
    read(*parameters)
    return BestResponse(game)


def read(*parameters: str) -> None:
    """There are none.

    Raises:
        StrategyError: there are.
    """
    if parameters:
        raise no_parameters("best_response", parameters)


class BestResponse:
    """The move of the greatest expected score against `random`, and of such moves of the soonest end.

    Of several such moves each is equally likely; a draw is made only where more than one move is left.
    """

    name = "best_response"

    def __init__(self, game: Game[Any]) -> None:
        self.table = find_response(game)

    def choose(self, state: Any, history: Sequence[Move], stream: Stream) -> Move:
        """One of the best moves."""
        del history
        best = self.table.best(state)
        return best[0] if len(best) == 1 else stream.choice(best)
