"""Reversi as the rest of the world plays it: its board is the arena's, seen in a mirror.

The arena begins with X, which moves first, on d4 and e5; everybody else with white there. So columns are
mirrored, and what is the same otherwise is the same there. Least discs win in the arena unless its parameter
`reversed` is false; an engine that plays for the most is asked all the same, since its moves are legal in
both.
"""

from __future__ import annotations

from bots.adapters.notation import is_square, place_of, square
from bots.adapters.wire import note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

EIGHT = 8


class Mirror:
    """Moves between the arena's board and the usual one, which is a square: other boards are refused."""

    def __init__(self, params: dict[str, Any]) -> None:
        if "rows" in params:
            note("only square boards can be told in this protocol")
            raise SystemExit(1)
        self.size: int = params["size"]
        if params["reversed"]:
            note("here the fewest discs win; most programs of this kind play for the most")

    def __call__(self, move: str) -> str:
        """The other board's name of a square; of anything else, the same."""
        if not is_square(move) or not 0 <= (place := place_of(move))[0] < self.size:
            return move
        return square(self.size - 1 - place[0], place[1])

    def rows(self, board: Sequence[str]) -> list[str]:
        """The rows of the arena's board as they are on the other one."""
        return [row[::-1] for row in board]
