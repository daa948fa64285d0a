"""The rules of the L-Game, to search with. Copy this one file beside your bot; it needs nothing else.

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


SIZE = 4
FULL = (1 << SIZE * SIZE) - 1
NAMES = [f"{'abcd'[column]}{row + 1}" for row in range(SIZE) for column in range(SIZE)]
SIDES = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
SIGNS = "XO*"


class State(NamedTuple):
    """A position: bit ``i`` is square ``i``, row by row from a1.

    `own` is the L of the side to move, `opp` the other's, `discs` are the neutral ones; `seat` (0 is X) is to
    move.
    """

    own: int
    opp: int
    discs: int
    seat: int

    @classmethod
    def initial(cls, params: dict[str, Any]) -> State:
        """Where a game begins."""
        return cls.from_request({"board": ["*XX.", ".OX.", ".OX.", ".OO*"], "to_move": "X"}, params)

    @classmethod
    def from_request(cls, state: dict[str, Any], params: dict[str, Any]) -> State:
        """The position of a request's `state`."""
        cells = "".join(state["board"])
        cross, nought, discs = (
            sum(1 << at for at, cell in enumerate(cells) if cell == sign) for sign in SIGNS
        )
        return cls(cross, nought, discs, 0) if state["to_move"] == "X" else cls(nought, cross, discs, 1)

    def to_json(self) -> dict[str, Any]:
        """The position as requests have it."""
        cross, nought = (self.own, self.opp) if self.seat == 0 else (self.opp, self.own)
        signs = {**dict.fromkeys(_squares(cross), "X"), **dict.fromkeys(_squares(nought), "O")}
        signs.update(dict.fromkeys(_squares(self.discs), "*"))
        cells = "".join(signs.get(at, ".") for at in range(SIZE * SIZE))
        return {
            "board": [cells[at : at + SIZE] for at in range(0, len(cells), SIZE)],
            "to_move": "XO"[self.seat],
        }

    def legal_moves(self) -> list[str]:
        """Every other place for the L, each with every way to move one disc or none."""
        own = self.own
        return [
            move for squares, moves in _placings(self.opp, self.discs) if squares != own for move in moves
        ]

    def play(self, move: str) -> State:
        """The position after a legal move."""
        squares, changed = _meaning(move)
        return State(self.opp, squares, self.discs ^ changed, 1 - self.seat)

    def result(self) -> Result | None:
        """Whoever is to move and can put the L nowhere else has lost."""
        if any(squares != self.own for squares, _ in _placings(self.opp, self.discs)):
            return None
        return Result(1 - self.seat, "cannot_place", (0, 1) if self.seat == 0 else (1, 0))


def _squares(board: int) -> list[int]:
    return [at for at in range(SIZE * SIZE) if board >> at & 1]


def _all_places() -> dict[str, int]:
    """The 48 ways to put an L down: foot and side of the bar, and all four squares as bits."""
    found = {}
    for at, name in enumerate(NAMES):
        row, column = divmod(at, SIZE)
        for side, (right, down) in SIDES.items():
            x, y = column + right, row + down
            if not (0 <= x < SIZE and 0 <= y < SIZE):
                continue
            # The bar goes from beside the foot towards the farther edge.
            along, near = (SIZE, row) if right else (1, column)
            step = along if near < SIZE // 2 else -along
            found[name + side] = sum(1 << y * SIZE + x + step * each for each in range(3)) | 1 << at
    return found


PLACES = _all_places()


@cache
def _placings(opp: int, discs: int) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Where the L fits beside the other and the discs: its squares, and the moves that put it there."""
    taken = opp | discs
    return tuple(
        (squares, (name, *(_text(name, start, end) for start in _squares(discs) for end in _squares(free))))
        for name, squares in PLACES.items()
        if not squares & taken
        for free in (FULL & ~(taken | squares),)
    )


@cache
def _text(name: str, start: int, end: int) -> str:
    return f"{name}/{NAMES[start]}-{NAMES[end]}"


@cache
def _meaning(move: str) -> tuple[int, int]:
    """The L's squares, and those where a disc comes or goes."""
    name, _, disc = move.partition("/")
    return PLACES[name], sum(1 << NAMES.index(square) for square in disc.split("-") if square)
