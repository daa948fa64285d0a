"""The player that cannot be beaten where a game is solved: wins fast, else draws, else loses slowly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Game, Move
from engines.solvers import Oracle, find_oracle
from engines.solvers.oracle import rank
from engines.strategies import Strategy, no_parameters
from engines.stream import Stream


def find(game: Game[Any], *parameters: str) -> Strategy:
    """The perfect player of `game`; a table that it needs and that is not there yet is built now.

    Raises:
        StrategyError: there are parameters.
        SolverError: the game cannot be solved with its parameters.
    """
    read(*parameters)
    return Perfect(game)


def read(*parameters: str) -> None:
    """There are none.

    Raises:
        StrategyError: there are.
    """
    if parameters:
        raise no_parameters("perfect", parameters)


def best_moves(game: Game[Any], oracle: Oracle[Any], state: Any) -> list[Move]:
    """The best of the legal moves, ascending: those of the best value and, of these, of the most promise."""
    after = {move: game.play(state, move) for move in game.legal_moves(state)}
    ranks = {move: rank(oracle.value(reached)) for move, reached in after.items()}
    highest = max(ranks.values())
    best = [move for move, each in ranks.items() if each == highest]
    if len(best) > 1:
        promises = [oracle.promise(after[move]) for move in best]
        most = max(promises)
        best = [move for move, promise in zip(best, promises, strict=True) if promise == most]
    return best


class Perfect:
    """The fastest win, else a draw, else the slowest loss; of several such moves each is equally likely.

    Between moves of the same value the oracle's promise decides first: in a drawn position of the L-Game
    the document's chance of winning. A draw is made only where more than one move is left.
    """

    name = "perfect"

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._oracle = find_oracle(game)

    def choose(self, state: Any, history: Sequence[Move], stream: Stream) -> Move:
        """One of the best moves."""
        del history
        best = best_moves(self._game, self._oracle, state)
        return best[0] if len(best) == 1 else stream.choice(best)
