"""A player that errs as people do: it sees one move ahead, and now and then it is told what is best.

It wins at once where it can. Else it plays any move after which the other side cannot win at once, each
equally likely, or any at all where there is none. In `hints` of 100 turns it asks for a hint first, as
`arena game hint` gives it, and follows it. How much that helps says how much a program's hints are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Game, Move
from engines.solvers import find_oracle
from engines.solvers.oracle import Value
from engines.strategies import StrategyError, whole_number
from engines.strategies.perfect import best_moves
from engines.stream import Stream

ALWAYS = 100
WON_BY_THE_MOVE = Value(-1, 0)
LOST_TO_THE_ANSWER = Value(1, 1)


class Person:
    """Looks one move ahead for either side, and follows a hint in `hints` of 100 turns.

    One draw decides whether there is a hint, if it is neither never nor always so; one more takes one of
    several moves. A game whose values have no distances, because its heaps are too large, has nothing that
    it could see.
    """

    def __init__(self, game: Game[Any], hints: int) -> None:
        self.name = f"person:{hints}"
        self._game, self._hints = game, hints
        self._oracle = find_oracle(game)

    def choose(self, state: Any, history: Sequence[Move], stream: Stream) -> Move:
        """A best move where it is told one, else its own."""
        del history
        told = self._hints == ALWAYS or (self._hints > 0 and stream.below(ALWAYS) < self._hints)
        moves = best_moves(self._game, self._oracle, state) if told else self._seen(state)
        return moves[0] if len(moves) == 1 else stream.choice(moves)

    def _seen(self, state: Any) -> Sequence[Move]:
        """The moves that look equally good to it."""
        moves = self._game.legal_moves(state)
        after = [self._oracle.value(self._game.play(state, move)) for move in moves]
        for seen in (
            [move for move, value in zip(moves, after, strict=True) if value == WON_BY_THE_MOVE],
            [move for move, value in zip(moves, after, strict=True) if value != LOST_TO_THE_ANSWER],
        ):
            if seen:
                return seen
        return moves


def find(game: Game[Any], *parameters: str) -> Person:
    """The player by the text of its parameter.

    Raises:
        StrategyError: as `read`.
        SolverError: the game cannot be solved with its parameters.
    """
    return Person(game, read(*parameters))


def read(*parameters: str) -> int:
    """The hints in 100 turns, 0 where they are left out.

    Raises:
        StrategyError: there are more parameters, or it is none from 0 to 100.
    """
    if len(parameters) > 1:
        raise StrategyError(
            "person takes the hints in 100 turns, as in person:25, not %(text)r",
            text=":".join(parameters)[:40],
        )
    return whole_number(
        parameters[0] if parameters else "0", 0, ALWAYS, what="the number of hints", player="person"
    )
