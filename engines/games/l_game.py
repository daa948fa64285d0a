"""The L-Game on 4 by 4 squares: replant your L, then move one neutral disc or none.

Each side has one L of four squares: a bar of three, and a foot beside one of the bar's ends. A move lifts
the own L and puts it down, turned or flipped any way, on other squares than before (not the same four);
then it may move one of the two neutral discs to an empty square. Whoever cannot put the L down loses.

An L is named by its foot and the side of the foot on which its other three squares lie: `u` up, `d` down,
`l` left, `r` right. That names exactly one L, because a bar of three that ends beside the foot fits in one
direction only. The computer analysis of the game by Tsai and Lin (National Taiwan Normal University) uses
the same code: its ``(x, y, dir)`` is the foot's column and row counted from 0 from the top left, and ``dir``
0 to 3 is up, down, left, right; its ``(n1, n2)`` counts the empty squares, row by row, before each disc.
Its first position ``[(1, 0, 3), (2, 3, 2), (0, 6), 0]`` is `b1r` against `c4l` with discs on `a1` and `d4`.

Bit ``i`` of a board is square ``i``, row by row from `a1` at the top left. A move is in text `c2u` (no disc
moved) or `c2u/a1-d3`, and inside ``placement * TAILS + tail``: a number in `PLACEMENTS` and either 0 or
``1 + from * SQUARES + to``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from engines.game import (
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    Score,
    Seat,
    UnreadableMoveError,
    UnreadableStateError,
)
from engines.symmetry import moved, of_board

SIZE = 4
SQUARES = SIZE * SIZE
FULL = (1 << SQUARES) - 1
TAILS = 1 + SQUARES * SQUARES
SYMBOLS = "XO"
DISC = "*"
SQUARE_TEXTS = tuple(f"{'abcd'[column]}{row + 1}" for row in range(SIZE) for column in range(SIZE))
SQUARE_NUMBERS = {text: number for number, text in enumerate(SQUARE_TEXTS)}
DIRECTIONS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}


class Placement(NamedTuple):
    """One way to put an L down: its name, and its squares as a bitboard."""

    text: str
    squares: int


class State(NamedTuple):
    """`own` is the L of the side to move, `opp` the other's; `seat` is the side to move."""

    own: int
    opp: int
    discs: int
    seat: Seat


def square(column: int, row: int) -> int:
    """The number of a square, column and row counted from 0."""
    return row * SIZE + column


def _placement(column: int, row: int, direction: str) -> Placement | None:
    """The L with its foot there and its bar on that side of it; None where the bar is off the board."""
    right, down = DIRECTIONS[direction]
    column_of_bar, row_of_bar = column + right, row + down
    if not (0 <= column_of_bar < SIZE and 0 <= row_of_bar < SIZE):
        return None
    if right:
        first = row if row < SIZE // 2 else row - 2
        bar = [square(column_of_bar, first + step) for step in range(3)]
    else:
        first = column if column < SIZE // 2 else column - 2
        bar = [square(first + step, row_of_bar) for step in range(3)]
    text = f"{SQUARE_TEXTS[square(column, row)]}{direction}"
    return Placement(text, sum(1 << each for each in (square(column, row), *bar)))


PLACEMENTS = tuple(
    placement
    for row in range(SIZE)
    for column in range(SIZE)
    for direction in DIRECTIONS
    if (placement := _placement(column, row, direction))
)
"""All 48, by their foot's square row by row, then up, down, left, right."""

_LS = {placement.squares for placement in PLACEMENTS}
_PLACEMENT_OF_TEXT = {placement.text: number for number, placement in enumerate(PLACEMENTS)}


@cache
def fitting(taken: int) -> tuple[int, ...]:
    """The placements that use no square of `taken`, ascending."""
    return tuple(number for number, each in enumerate(PLACEMENTS) if not each.squares & taken)


@cache
def tails(discs: int, empty: int) -> tuple[int, ...]:
    """What can be done with the discs when `empty` squares are free: nothing, or one moved; ascending."""
    moves = (
        1 + start * SQUARES + end
        for start in range(SQUARES)
        if discs >> start & 1
        for end in range(SQUARES)
        if empty >> end & 1
    )
    return (0, *moves)


@cache
def replantings(opp: int, discs: int) -> tuple[tuple[int, tuple[Move, ...]], ...]:
    """Each placement that fits beside the other L and the discs, by its squares, with the moves to it."""
    taken = opp | discs
    placed = ((number, PLACEMENTS[number].squares) for number in fitting(taken))
    return tuple(
        (squares, tuple(number * TAILS + tail for tail in tails(discs, FULL & ~(taken | squares))))
        for number, squares in placed
    )


@dataclass(frozen=True)
class LGame(Game[State]):
    """Two L-shaped pieces and two neutral discs on 4 by 4 squares; whoever cannot replant the L loses."""

    name: ClassVar[str] = "l_game"
    version: ClassVar[int] = 1
    can_repeat: ClassVar[bool] = True
    ply_limit: ClassVar[int] = 500
    rules: ClassVar[str] = (
        "Each player has one L of four squares, and there are two neutral discs. X, seat 0, begins. A move"
        " lifts the own L and puts it down again, turned or flipped any way, on free squares, but not on the"
        " same four; then one of the two discs, or none, is moved to a free square. Whoever is to move and"
        " can put the L nowhere else loses."
    )
    notation: ClassVar[str] = (
        "c2u puts the L down with its foot on c2 and its bar of three above (u up, d down, l left, r right:"
        " the bar lies on that side of the foot, one of its ends beside it, the only way it fits);"
        " c2u/a1-d3 also moves the disc on a1 to d3. a1 is the top left square, d4 the bottom right."
    )

    def initial(self) -> State:
        """The document's first position: `b1r` against `c4l`, discs in the two corners left."""
        own, opp = (PLACEMENTS[_PLACEMENT_OF_TEXT[text]].squares for text in ("b1r", "c4l"))
        discs = sum(1 << SQUARE_NUMBERS[text] for text in ("a1", "d4"))
        return State(own, opp, discs, 0)

    def to_move(self, state: State) -> Seat:
        """The seat whose L is `state.own`."""
        return state.seat

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Every other placement that fits, each with every way to move one disc or none."""
        own, opp, discs, _ = state
        replanted = (moves for squares, moves in replantings(opp, discs) if squares != own)
        return tuple(chain.from_iterable(replanted))

    def play(self, state: State, move: Move) -> State:
        """Put the L down and move the disc."""
        own, opp, discs, seat = state
        number, tail = divmod(move, TAILS)
        if not 0 <= number < len(PLACEMENTS):
            raise IllegalMoveError("move number %(move)s names no placement", move=move)
        placement = PLACEMENTS[number]
        if placement.squares == own:
            raise IllegalMoveError("%(placement)s is where the L lies already", placement=placement.text)
        if placement.squares & (opp | discs):
            raise IllegalMoveError("%(placement)s is not free", placement=placement.text)
        if tail:
            discs ^= _shifted(discs, FULL & ~(placement.squares | opp | discs), tail)
        return State(opp, placement.squares, discs, 1 if seat == 0 else 0)

    def outcome(self, state: State) -> Outcome | None:
        """The side to move has lost when its L fits nowhere but where it lies."""
        _, opp, discs, seat = state
        if len(fitting(opp | discs)) > 1:
            return None
        return Outcome(1 if seat == 0 else 0, "cannot_place", self.forfeit_score(seat))

    def forfeit_score(self, loser: Seat) -> Score:
        """1 for the other side, 0 for the loser."""
        return (0, 1) if loser == 0 else (1, 0)

    def canonical(self, state: State) -> State:
        """The least bitboards among the eight that turns and reflections make."""
        *boards, seat = state
        own, opp, discs = min(tuple(moved(board, each) for board in boards) for each in of_board(SIZE))
        return State(own, opp, discs, seat)

    def every_move(self) -> tuple[Move, ...]:
        """Every placement, without a disc's move and with that of one between any two squares beside it."""
        return tuple(
            number * TAILS + tail
            for number, placement in enumerate(PLACEMENTS)
            for tail in range(TAILS)
            if not tail or _beside(placement.squares, tail)
        )

    def move_to_text(self, move: Move) -> str:
        """The placement's name, and where a disc went, if one did."""
        number, tail = divmod(move, TAILS)
        text = PLACEMENTS[number].text
        if not tail:
            return text
        start, end = divmod(tail - 1, SQUARES)
        return f"{text}/{SQUARE_TEXTS[start]}-{SQUARE_TEXTS[end]}"

    def move_from_text(self, text: str) -> Move:
        """The placement, and the disc's move after a slash."""
        name, slash, disc = text.partition("/")
        number = _PLACEMENT_OF_TEXT.get(name)
        tail = _tail(disc) if slash else 0
        if number is None or tail is None:
            raise UnreadableMoveError(
                "%(text)r is not a move such as c2u or c2u/a1-d3 (the L's foot, the side of its bar:"
                " u, d, l or r; a disc from and to), squares a1 to d4",
                text=text[:20],
            )
        return number * TAILS + tail

    def state_to_json(self, state: State) -> dict[str, Any]:
        """``{"board": ["*XX.", ...], "to_move": "X"}``: a string a row; `X` and `O` Ls, `*` a disc."""
        cross, nought = (state.own, state.opp) if state.seat == 0 else (state.opp, state.own)
        boards = ((cross, "X"), (nought, "O"), (state.discs, DISC), (FULL, "."))
        cells = "".join(next(symbol for board, symbol in boards if board >> at & 1) for at in range(SQUARES))
        rows = [cells[at : at + SIZE] for at in range(0, SQUARES, SIZE)]
        return {"board": rows, "to_move": SYMBOLS[state.seat]}

    def state_from_json(self, value: Mapping[str, Any]) -> State:
        """The state that `state_to_json` wrote: one L a side and two discs."""
        board, symbol = value.get("board"), value.get("to_move")
        if symbol not in ("X", "O"):
            raise UnreadableStateError("to_move must be 'X' or 'O', not %(symbol)r", symbol=symbol)
        if (
            not isinstance(board, list)
            or len(board) != SIZE
            or not all(isinstance(row, str) and len(row) == SIZE and set(row) <= set("XO*.") for row in board)
        ):
            raise UnreadableStateError("board must be 4 strings of 4 squares, each X, O, * or .")
        cells = "".join(board)
        cross, nought, discs = (
            sum(1 << at for at in range(SQUARES) if cells[at] == each) for each in (*SYMBOLS, DISC)
        )
        if not {cross, nought} <= _LS or discs.bit_count() != 2:
            raise UnreadableStateError("board must hold one L of X, one L of O and two discs")
        return State(cross, nought, discs, 0) if symbol == "X" else State(nought, cross, discs, 1)

    def state_schema(self) -> dict[str, Any]:
        """The rows of the board, and the side to move."""
        return {
            "type": "object",
            "properties": {
                "board": {
                    "type": "array",
                    "items": {"type": "string", "pattern": "^[XO*.]{4}$"},
                    "minItems": SIZE,
                    "maxItems": SIZE,
                    "description": "A string a row from the top: X and O are the Ls, * is a disc, . is free.",
                },
                "to_move": {"enum": ["X", "O"], "description": "The side whose turn it is; X is seat 0."},
            },
            "required": ["board", "to_move"],
        }

    def draw(self, state: State) -> str:
        """The board with its letters and numbers."""
        rows = self.state_to_json(state)["board"]
        drawn = [f"{number} " + " ".join(row) for number, row in enumerate(rows, start=1)]
        return "\n".join(["  a b c d", *drawn])


def _beside(squares: int, tail: int) -> bool:
    """Whether a disc moves there from one square to another, and both are free of the L on `squares`."""
    start, end = divmod(tail - 1, SQUARES)
    return start != end and not squares & (1 << start | 1 << end)


def _shifted(discs: int, empty: int, tail: int) -> int:
    """The two squares that moving a disc changes.

    Raises:
        IllegalMoveError: no disc is there, or the square that it shall go to is not free.
    """
    start, end = divmod(tail - 1, SQUARES)
    if not discs >> start & 1:
        raise IllegalMoveError("no disc lies on %(square)s", square=SQUARE_TEXTS[start])
    if not empty >> end & 1:
        raise IllegalMoveError("%(square)s is not free for the disc", square=SQUARE_TEXTS[end])
    return 1 << start | 1 << end


def _tail(text: str) -> int | None:
    """The tail that `a1-d3` names; None when it is not two squares."""
    start, _, end = text.partition("-")
    if start not in SQUARE_NUMBERS or end not in SQUARE_NUMBERS:
        return None
    return 1 + SQUARE_NUMBERS[start] * SQUARES + SQUARE_NUMBERS[end]
