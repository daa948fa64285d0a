"""The rules of Rhombic Chess, to search with. Copy this one file beside your bot; it needs nothing else.

    from rules import State

    state = State.from_request(request.state, request.params)
    for move in state.legal_moves():        # texts, as the referee takes them; none when the game is over
        after = state.play(move)            # a new state; the old one stays as it was
        after.result()                      # None while the game goes on

States are equal, and can be keys of a dict, where the same can happen from them. `play` trusts you: what
comes of a move that is not among the legal ones is nothing.

The rules know no draw; a match does, by its `policy`: see `hello` in the protocol, and `request.history`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Result(NamedTuple):
    """How a game ended: the seat that won (None: a draw), why, and the score of each seat."""

    winner: int | None
    reason: str
    score: tuple[int, int]


ROWS = (1, 3, 5, 3, 1)
STONES = 5
NAMES = {1 << point: str(point + 1) for point in range(13)}
BITS = {name: bit for bit, name in NAMES.items()}
JOINED = "1-2 1-4 2-3 2-5 2-6 3-4 3-7 4-8 4-9 5-10 6-7 6-10 7-8 7-11 8-12 9-12 10-11 10-13 11-12 12-13"


class State(NamedTuple):
    """A position: bit ``i`` is point ``i + 1``; `own` is the side to move, and `seat` (0 is X)."""

    own: int
    opp: int
    seat: int

    @classmethod
    def initial(cls, params: dict[str, Any]) -> State:
        """Where a game begins."""
        return cls(0, 0, 0)

    @classmethod
    def from_request(cls, state: dict[str, Any], params: dict[str, Any]) -> State:
        """The position of a request's `state`."""
        cells = "".join(state["board"])
        cross, nought = (sum(1 << at for at, cell in enumerate(cells) if cell == side) for side in "XO")
        return cls(cross, nought, 0) if state["to_move"] == "X" else cls(nought, cross, 1)

    def to_json(self) -> dict[str, Any]:
        """The position as requests have it."""
        cross, nought = (self.own, self.opp) if self.seat == 0 else (self.opp, self.own)
        cells = "".join("X" if cross & bit else "O" if nought & bit else "." for bit in NAMES)
        rows = [cells[sum(ROWS[:row]) : sum(ROWS[: row + 1])] for row in range(len(ROWS))]
        return {"board": rows, "to_move": "XO"[self.seat]}

    def legal_moves(self) -> list[str]:
        """Every empty point while stones are placed; then every own stone with every empty neighbour."""
        taken = self.own | self.opp
        if self.own.bit_count() < STONES:
            return [name for name, bit in BITS.items() if not bit & taken]
        return [name for start, steps in _STEPS if self.own & start for name, end in steps if not end & taken]

    def play(self, move: str) -> State:
        """The position after a legal move."""
        return State(self.opp, self.own ^ _changed(move), 1 - self.seat)

    def result(self) -> Result | None:
        """Whoever is to move and cannot has lost."""
        if self.legal_moves():
            return None
        return Result(1 - self.seat, "blocked", (0, 1) if self.seat == 0 else (1, 0))


def _steps() -> list[tuple[int, list[tuple[str, int]]]]:
    """For each point, as a bit, the moves from it as texts, and where to, as a bit; ascending."""
    pairs = [tuple(map(int, line.split("-"))) for line in JOINED.split()]
    ways = sorted([*pairs, *((end, start) for start, end in pairs)])
    return [
        (bit, [(f"{start}-{end}", 1 << end - 1) for start, end in ways if 1 << start - 1 == bit])
        for bit in NAMES
    ]


_STEPS = _steps()


@cache
def _changed(move: str) -> int:
    """The points that a move fills or empties."""
    return sum(BITS[name] for name in move.split("-"))
