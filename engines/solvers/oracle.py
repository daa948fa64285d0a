"""What an exact solution says of a position, and how one byte or more says it in a table.

A value belongs to the side to move: `result` is 1 when it wins against any play, -1 when it loses against
perfect play, 0 when either side can hold the game for ever. `distance` counts the plies to the end when the
winner hurries and the loser delays: a won position is one ply farther than its nearest lost successor, a lost
one is one ply farther than its farthest won successor, and a finished game is at 0.

In a table a value is one unsigned integer, its code: 0 for a draw, ``2 * distance + 1`` for a win and
``2 * distance + 2`` for a loss. A byte reaches distance 126, and leaves 255 for "no such position".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from engines.game import GameError

S_contra = TypeVar("S_contra", contravariant=True)

Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do, in units of the caller's."""

DRAW_CODE = 0
NO_POSITION = 255
LONGEST_IN_A_BYTE = 126


class SolverError(GameError):
    """A game or a size of it cannot be solved here; the message says what can."""


class Value(NamedTuple):
    """`result` for the side to move (1, 0, -1), and plies to the end; None for a draw, or if not known."""

    result: int
    distance: int | None


DRAWN = Value(0, None)


class Oracle(ABC, Generic[S_contra]):
    """Knows the exact value of every position of one game, its parameters fixed."""

    @abstractmethod
    def value(self, state: S_contra) -> Value:
        """The value of `state` for the side to move.

        Raises:
            SolverError: the state is none that play can reach, and it is not in the table.
        """

    def promise(self, state: S_contra) -> Fraction | int:  # noqa: ARG002 - most games have nothing to add
        """How promising it is to have moved into `state`, compared with other moves of the same value.

        More is better. The perfect player asks it where the values leave several moves.
        """
        return 0


def encoded(value: Value) -> int:
    """The code of a value; its distance must be known unless it is a draw."""
    if value.result == 0:
        return DRAW_CODE
    if value.distance is None:
        raise ValueError("a win or a loss without a distance has no code")
    return 2 * value.distance + (1 if value.result > 0 else 2)


def decoded(code: int) -> Value:
    """The value that has this code."""
    if code == DRAW_CODE:
        return DRAWN
    return Value(1 if code % 2 else -1, (code - 1) // 2)


def no_progress(done: int, total: int) -> None:
    """Whoever does not want to know how far it is passes this."""
    del done, total


def before(after: Value) -> Value:
    """What a move into a position of value `after` (for the opponent, then to move) is worth to the mover."""
    return Value(-after.result, None if after.distance is None else after.distance + 1)


def rank(after: Value) -> tuple[int, int]:
    """An order of moves by the value of the position they lead to: the greatest is the best for the mover.

    Wins come before draws and draws before losses; of wins the fastest, of losses the slowest is best.
    """
    result, distance = before(after)
    return result, -result * (distance or 0)


Solution = dict[str, Any]
"""What an analysis found: fit for JSON, every number computed."""
