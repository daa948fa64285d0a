"""The rules of Reversed Reversi, to search with. Copy this one file beside your bot; it needs nothing else.

    from rules import State

    state = State.from_request(request.state, request.params)
    for move in state.legal_moves():        # texts, as the referee takes them; none when the game is over
        after = state.play(move)            # a new state; the old one stays as it was
        after.result()                      # None while the game goes on

Where a side can place nothing and the other can, the one legal move is `pass`; the referee plays it for you,
but a search meets it. States are equal, and can be keys of a dict, where the same can happen from them.
`play` trusts you: what comes of a move that is not among the legal ones is nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Result(NamedTuple):
    """How a game ended: the seat that won (None: a draw), why, and the score of each seat."""

    winner: int | None
    reason: str
    score: tuple[int, int]


class Board:
    """What all positions of one match share: bit ``i`` of a board is square ``i``, row by row from a1."""

    def __init__(self, size: int, rows: int, fewest: bool) -> None:
        self.size, self.rows, self.fewest = size, rows, fewest
        self.full = (1 << size * rows) - 1
        column = sum(1 << row * size for row in range(rows))
        inner = self.full & ~column & ~(column << size - 1)
        # How far the next square of a line is, and what may lie between its ends without wrapping around.
        self.steps = ((1, inner), (size, self.full), (size - 1, inner), (size + 1, inner))
        names = [f"{chr(ord('a') + column)}{row + 1}" for row in range(rows) for column in range(size)]
        self.names = {1 << square: name for square, name in enumerate(names)}
        self.discs = {name: disc for disc, name in self.names.items()}


class State(NamedTuple):
    """A position: `own` are the discs of the side to move, `opp` the other's; `seat` is to move (0 is X)."""

    own: int
    opp: int
    seat: int
    board: Board

    @classmethod
    def initial(cls, params: dict[str, Any]) -> State:
        """Where a game with these parameters begins."""
        board = _board_of(params)
        upper = (board.rows // 2 - 1) * board.size + board.size // 2 - 1
        lower = upper + board.size
        return cls(1 << upper | 1 << lower + 1, 1 << upper + 1 | 1 << lower, 0, board)

    @classmethod
    def from_request(cls, state: dict[str, Any], params: dict[str, Any]) -> State:
        """The position of a request's `state`, with the game's `params`."""
        cells = "".join(state["board"])
        cross, nought = (sum(1 << at for at, cell in enumerate(cells) if cell == side) for side in "XO")
        board = _board_of(params)
        return cls(cross, nought, 0, board) if state["to_move"] == "X" else cls(nought, cross, 1, board)

    def to_json(self) -> dict[str, Any]:
        """The position as requests have it."""
        cross, nought = (self.own, self.opp) if self.seat == 0 else (self.opp, self.own)
        size, squares = self.board.size, self.board.size * self.board.rows
        cells = "".join("X" if cross >> at & 1 else "O" if nought >> at & 1 else "." for at in range(squares))
        rows = [cells[at : at + size] for at in range(0, squares, size)]
        return {"board": rows, "to_move": "XO"[self.seat]}

    def legal_moves(self) -> list[str]:
        """The squares that turn something over, from a1 on; else a pass; else, at the end, nothing."""
        places, names, moves = _places(self.own, self.opp, self.board), self.board.names, []
        while places:
            disc = places & -places
            moves.append(names[disc])
            places ^= disc
        return moves or (["pass"] if _places(self.opp, self.own, self.board) else [])

    def play(self, move: str) -> State:
        """The position after a legal move."""
        own, opp, seat, board = self
        if move == "pass":
            return State(opp, own, 1 - seat, board)
        disc = board.discs[move]
        turned = _turned(own, opp, disc, board)
        return State(opp ^ turned, own | turned | disc, 1 - seat, board)

    def result(self) -> Result | None:
        """When neither side can place a disc, fewer win; with `reversed` false, more."""
        if _places(self.own, self.opp, self.board) or _places(self.opp, self.own, self.board):
            return None
        first, second = self.discs()
        if first == second:
            return Result(None, "equal_discs", (first, second))
        winner = int((first > second) == self.board.fewest)
        return Result(winner, "fewest_discs" if self.board.fewest else "most_discs", (first, second))

    def discs(self) -> tuple[int, int]:
        """How many discs each seat has."""
        own, opp = self.own.bit_count(), self.opp.bit_count()
        return (own, opp) if self.seat == 0 else (opp, own)


def _board_of(params: dict[str, Any]) -> Board:
    return _board(params["size"], params.get("rows", params["size"]), params["reversed"])


@cache
def _board(size: int, rows: int, fewest: bool) -> Board:
    return Board(size, rows, fewest)


def _places(own: int, opp: int, board: Board) -> int:
    """Where a disc of `own` turns over some of `opp`: the ends of their runs beside `own`."""
    ends = 0
    for step, mask in board.steps:
        between = opp & mask
        run = own << step & between
        while run:
            run <<= step
            ends |= run
            run &= between
        run = own >> step & between
        while run:
            run >>= step
            ends |= run
            run &= between
    return ends & board.full & ~(own | opp)


def _turned(own: int, opp: int, disc: int, board: Board) -> int:
    """What a disc of `own` turns over: the runs of `opp` from it that end at another of `own`."""
    turned = 0
    for step, mask in board.steps:
        between = opp & mask
        line, run = 0, disc << step
        while run & between:
            line |= run
            run <<= step
        if run & own:
            turned |= line
        line, run = 0, disc >> step
        while run & between:
            line |= run
            run >>= step
        if run & own:
            turned |= line
    return turned
