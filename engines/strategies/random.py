"""Random players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Game, Move
from engines.strategies import Strategy, no_parameters
from engines.stream import Stream


def find(game: Game[Any], *parameters: str) -> Strategy:
    """The random player of `game`.

    Raises:
        StrategyError: there are parameters.
    """
    if parameters:
        raise no_parameters("random", parameters)
    return Uniform(game)


class Uniform:
    """Any legal move, each equally likely: one draw a move, also where there is only one."""

    name = "random"

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def choose(self, state: Any, history: Sequence[Move], stream: Stream) -> Move:
        """One of the legal moves."""
        del history
        return stream.choice(self._game.legal_moves(state))
