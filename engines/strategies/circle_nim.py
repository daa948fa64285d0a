"""How the document on circle Nim draws at random, and its random player.

*Raising the first player's winning rate in Nim* (61st science fair of Hualien County) defines its players by
the Python code in its appendix. Sets of moves are integers here: bit ``m`` is move ``m``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from engines.game import Move
from engines.games.circle_nim import LONGEST, CircleNim, State, lines
from engines.strategies import no_parameters
from engines.stream import Stream

Moves = int
"""A set of moves: bit ``m`` is move ``m``."""

Kinds = tuple[Moves, Moves, Moves]
"""All lines of one circle, of two and of three."""


@cache
def kinds(rows: int) -> Kinds:
    """The lines of the full triangle by the number of circles that they take."""
    by_length = [0, 0, 0]
    for move, mask in enumerate(lines(rows).masks):
        by_length[mask.bit_count() - 1] |= 1 << move
    return by_length[0], by_length[1], by_length[2]


@cache
def untouched(rows: int) -> tuple[Moves, ...]:
    """For each move, the lines that share no circle with it: those which can still be taken after it."""
    masks = lines(rows).masks
    return tuple(sum(1 << other for other, mask in enumerate(masks) if not mask & taken) for taken in masks)


@lru_cache(maxsize=1 << 16)
def options(rows: int, left: int) -> Moves:
    """The legal moves where the circles `left` (a bitboard) are still there."""
    return sum(1 << move for move, mask in enumerate(lines(rows).masks) if mask & left == mask)


def pick(moves: Moves, stream: Stream) -> Move:
    """One of `moves`, each equally likely: one draw, which counts them from the lowest."""
    for _ in range(stream.below(moves.bit_count())):
        moves &= moves - 1
    return (moves & -moves).bit_length() - 1


def draw(moves: Moves, of: Kinds, stream: Stream) -> Move:
    """The document's `computerRound`: how many circles, then which, each time equally likely.

    Threes come into question only where there are pairs too, pairs only where there are single circles. One
    draw for the number, if more than one comes into question, and one for the line.
    """
    count = 1
    while count < LONGEST and moves & of[count]:
        count += 1
    chosen = stream.below(count) if count > 1 else 0
    return pick(moves & of[chosen], stream)


class RandomByCount:
    """1, 2 or 3 circles, whichever can still be taken, each equally likely; then any such line."""

    name = "random"

    def __init__(self, game: CircleNim) -> None:
        self._rows = game.rows

    def choose(self, state: State, history: Sequence[Move], stream: Stream) -> Move:
        """A line drawn in two steps."""
        del history
        return draw(options(self._rows, state.left), kinds(self._rows), stream)


def find_random(game: CircleNim, *parameters: str) -> RandomByCount:
    """The document's random player.

    Raises:
        StrategyError: there are parameters.
    """
    if parameters:
        raise no_parameters("random", parameters)
    return RandomByCount(game)
