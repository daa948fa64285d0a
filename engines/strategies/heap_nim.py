"""The computer player of the document on heap Nim, its `computerzug`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Any

from engines.game import Game, Move
from engines.games.heap_nim import STRIDE, HeapNim, State
from engines.strategies import StrategyError, no_parameters
from engines.stream import Stream


def find(game: Game[Any], *parameters: str) -> ExclusiveOr:
    """The document's player of heap Nim.

    Raises:
        StrategyError: there are parameters, or it is another game.
    """
    if not isinstance(game, HeapNim):
        raise StrategyError("xor plays heap_nim only, not %(game)s", game=game.name)
    if parameters:
        raise no_parameters("xor", parameters)
    return ExclusiveOr(game)


class ExclusiveOr:
    """Leaves heaps whose exclusive or is 0; where it faces such heaps it plays any legal move.

    It looks for the first heap that gets smaller by the exclusive or with that of all heaps. The document's
    code also takes one that would stay the same, which would be no move; since that heap changes wherever the
    exclusive or of all is not 0, this never happens. It names but does not show what draws its random move:
    here each legal move is equally likely, by one draw, and there is no draw where the rule finds a move.

    The document knows only the game in which the last taker wins. The rule is the same here with `misere`,
    and then wrong at the end; `perfect` is not.
    """

    name = "xor"

    def __init__(self, game: HeapNim) -> None:
        self._game = game

    def choose(self, state: State, history: Sequence[Move], stream: Stream) -> Move:
        """The first move that leaves 0, or any."""
        del history
        total = reduce(xor, state.heaps)
        for heap, held in enumerate(state.heaps):
            if held ^ total < held:
                return heap * STRIDE + held - (held ^ total)
        return stream.choice(self._game.legal_moves(state))
