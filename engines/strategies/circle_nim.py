"""The players of circle Nim, as the document's appendix defines them.

*Raising the first player's winning rate in Nim* (61st science fair of Hualien County): a random player, and
three algorithms for the side that begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Move
from engines.games.circle_nim import LONGEST, CircleNim, State, lines
from engines.stream import Stream

Options = tuple[Sequence[Move], Sequence[Move], Sequence[Move]]
"""The lines of one circle, of two and of three that may be taken, each in ascending order."""


def options(game: CircleNim, state: State) -> Options:
    """The legal moves by the number of circles that they take."""
    masks, left = lines(game.rows).masks, state.left
    found: tuple[list[Move], list[Move], list[Move]] = ([], [], [])
    for move, mask in enumerate(masks):
        if mask & left == mask:
            found[mask.bit_count() - 1].append(move)
    return found


def draw(choices: Options, stream: Stream) -> Move:
    """The document's `computerRound`: how many circles, then which, each time equally likely.

    Threes come into question only where there are pairs too, pairs only where there are single circles. One
    draw for the number, if more than one comes into question, and one for the line.
    """
    kinds = 1
    while kinds < LONGEST and choices[kinds]:
        kinds += 1
    count = stream.below(kinds) if kinds > 1 else 0
    return stream.choice(choices[count])


class RandomByCount:
    """1, 2 or 3 circles, whichever can still be taken, each equally likely; then any such line."""

    name = "random"

    def __init__(self, game: CircleNim) -> None:
        self._game = game

    def choose(self, state: State, history: Sequence[Move], stream: Stream) -> Move:
        """A line drawn in two steps."""
        del history
        return draw(options(self._game, state), stream)
