"""The rules of Circle Nim, to search with. Copy this one file beside your bot; it needs nothing else.

    from rules import State

    state = State.from_request(request.state, request.params)
    for move in state.legal_moves():        # texts, as the referee takes them; none when the game is over
        after = state.play(move)            # a new state; the old one stays as it was
        after.result()                      # None while the game goes on

States are equal, and can be keys of a dict, where the same can happen from them. `play` trusts you: what
comes of a move that is not among the legal ones is nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Result(NamedTuple):
    """How a game ended: the seat that won (None: a draw), why, and the score of each seat."""

    winner: int | None
    reason: str
    score: tuple[int, int]


class State(NamedTuple):
    """A position: bit ``i`` of `left` is circle ``i + 1`` still there; `seat` is to move."""

    left: int
    seat: int
    rows: int

    @classmethod
    def initial(cls, params: dict[str, Any]) -> State:
        """Where a game with these parameters begins."""
        rows = params["rows"]
        return cls((1 << rows * (rows + 1) // 2) - 1, 0, rows)

    @classmethod
    def from_request(cls, state: dict[str, Any], params: dict[str, Any]) -> State:
        """The position of a request's `state`, with the game's `params`."""
        return cls(sum(1 << number - 1 for number in state["left"]), state["to_move"], params["rows"])

    def to_json(self) -> dict[str, Any]:
        """The position as requests have it."""
        left = [number + 1 for number in range(self.left.bit_length()) if self.left >> number & 1]
        return {"left": left, "to_move": self.seat}

    def legal_moves(self) -> list[str]:
        """What the seat can take: single circles, then pairs, then threes."""
        left = self.left
        return [move for move, circles in _lines(self.rows).items() if circles & left == circles]

    def play(self, move: str) -> State:
        """The position after a legal move."""
        return State(self.left ^ _lines(self.rows)[move], 1 - self.seat, self.rows)

    def result(self) -> Result | None:
        """Whoever took the last circle has lost."""
        if self.left:
            return None
        return Result(self.seat, "left_the_last", (1, 0) if self.seat == 0 else (0, 1))


@cache
def _lines(rows: int) -> dict[str, int]:
    """All that can be taken from a full triangle, and its circles as bits."""
    found = set()
    for row in range(rows):
        for place in range(row + 1):
            for down, right in ((0, 1), (1, 0), (1, 1)):  # along the row, and down either slope
                line: tuple[int, ...] = ()
                for length in range(3):
                    r, p = row + down * length, place + right * length
                    if r < rows and p <= r:
                        line = (*line, r * (r + 1) // 2 + p + 1)
                        found.add(line)
    ordered = sorted(found, key=lambda line: (len(line), line))
    return {"-".join(map(str, line)): sum(1 << number - 1 for number in line) for line in ordered}
