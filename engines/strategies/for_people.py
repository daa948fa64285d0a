"""The third algorithm for circle Nim as its document's program against a human plays it, `algo3_vs_hum`.

That program keeps a list of the losing records that fit the game so far, as the others do, but hands over the
list of all of them at every turn. So

- strategy 2 avoids whatever any losing record has at this ply, also records of games that went another way;
- strategy 3 is never reached, because that list is never empty;
- where a losing record is shorter than the game, the program asks for a move that is not there and breaks
  off with an `IndexError`. Here such a record says nothing, and the game goes on.

Everything else is `engines.strategies.algorithms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Game, Move, Seat
from engines.games.circle_nim import CircleNim, State
from engines.strategies.algorithms import LAST, Algorithm, Size, read
from engines.strategies.circle_nim import options
from engines.strategies.records import records
from engines.stream import Stream

NAME = "algo3_vs_hum"


class AgainstPeople:
    """The player of the document's program for people, with records of that `size`, made from `seed`."""

    def __init__(self, game: CircleNim, size: Size, seed: int) -> None:
        self.name = f"{NAME}:{size}:{seed}"
        self._rows = game.rows
        self._algorithm = Algorithm(game, LAST, size, seed)

    def prepare(self, seat: Seat) -> None:
        """Make the records for that seat now, and not when it moves for the first time."""
        self._algorithm.prepare(seat)

    def keep(self) -> None:
        """Have all records on disk that take a process of its own too long to make."""
        self._algorithm.keep()

    def breaks_off(self, state: State, history: Sequence[Move]) -> bool:
        """Whether the document's program ends here with an `IndexError` instead of a move."""
        won = records(self._algorithm.record_set(state.seat, won=True))
        lost = records(self._algorithm.record_set(state.seat, won=False))
        return not won.consistent(bytes(history)) and lost.some_are_over(len(history))

    def choose(self, state: State, history: Sequence[Move], stream: Stream) -> Move:
        """As a winning record goes on, if there is one; else what no losing record has at this ply."""
        won = records(self._algorithm.record_set(state.seat, won=True))
        winning = won.consistent(bytes(history))
        if winning:
            return won.move(winning[stream.below(len(winning))], len(history))
        lost = records(self._algorithm.record_set(state.seat, won=False))
        return self._algorithm.avoid(options(self._rows, state.left), lost.moves_at(len(history)), stream)


def find(game: Game[Any], *parameters: str) -> AgainstPeople:
    """The player by its parameters' texts, both optional: numbers of records, and their seed.

    Raises:
        StrategyError: a parameter is none, or out of range, or it is another game.
    """
    return AgainstPeople(*read(NAME, game, parameters))
