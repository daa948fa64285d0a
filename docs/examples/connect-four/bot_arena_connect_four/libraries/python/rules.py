"""The rules of Connect Four, to search with. Copy this one file beside your bot; it needs nothing else.

    from rules import State

    state = State.from_request(request.state, request.params)
    for move in state.legal_moves():        # texts, as the referee takes them; none when the game is over
        after = state.play(move)            # a new state; the old one stays as it was
        after.result()                      # None while the game goes on

States are equal, and can be keys of a dict, where the same can happen from them. `play` trusts you: what
comes of a move that is not among the legal ones is nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Result(NamedTuple):
    """How a game ended: the seat that won (None: a draw), why, and the score of each seat."""

    winner: int | None
    reason: str
    score: tuple[int, int]


COLUMNS, ROWS = 7, 6
HIGH = ROWS + 1  # a column's bits: its squares from the bottom, and one above that is always empty
BOTTOM = sum(1 << column * HIGH for column in range(COLUMNS))
FULL = BOTTOM * ((1 << ROWS) - 1)
NAMES = {str(column + 1): ((1 << ROWS) - 1) << column * HIGH for column in range(COLUMNS)}


class State(NamedTuple):
    """A position: `own` are the discs of the side to move as bits, `opp` the other's; `seat` is to move.

    Seat 0 is X.
    """

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
        discs = {"X": 0, "O": 0, ".": 0}
        for height, row in enumerate(reversed(state["board"])):
            for column, cell in enumerate(row):
                discs[cell] |= 1 << column * HIGH + height
        seat = state["to_move"]
        return cls(discs["XO"[seat]], discs["OX"[seat]], seat)

    def to_json(self) -> dict[str, Any]:
        """The position as requests have it."""
        first, second = (self.own, self.opp) if self.seat == 0 else (self.opp, self.own)
        rows = [
            "".join(
                "X" if first >> at & 1 else "O" if second >> at & 1 else "."
                for at in range(height, COLUMNS * HIGH, HIGH)
            )
            for height in reversed(range(ROWS))
        ]
        return {"board": rows, "to_move": self.seat}

    def legal_moves(self) -> list[str]:
        """The columns that are not full, from the left; none when four are in a line."""
        if _lined_up(self.opp):
            return []
        taken = self.own | self.opp
        return [name for name, column in NAMES.items() if column & ~taken]

    def play(self, move: str) -> State:
        """The position after a legal move: the disc lies on what is there."""
        taken = self.own | self.opp
        disc = (taken + (NAMES[move] & BOTTOM)) & NAMES[move] & ~taken
        return State(self.opp, self.own | disc, 1 - self.seat)

    def result(self) -> Result | None:
        """Whoever has just made a line of four has won; a full board is a draw."""
        if _lined_up(self.opp):
            return Result(1 - self.seat, "four_in_line", (0, 1) if self.seat == 0 else (1, 0))
        return Result(None, "board_full", (0, 0)) if self.own | self.opp == FULL else None


def _lined_up(discs: int) -> bool:
    """Whether four stand in a line: upright, level, or on either diagonal."""
    for step in (1, HIGH, HIGH - 1, HIGH + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
