"""Connect Four: seven columns of six squares; the first four of one side in a line win.

A column is seven bits of an integer, the lowest square the lowest bit; the seventh is always empty, so that
no line runs from one column into the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1
SYMBOLS = "XO"
EMPTY = "."


class State(NamedTuple):
    """The discs of both seats as bits; whose turn it is follows from how many there are."""

    discs: tuple[int, int]


def lined_up(discs: int) -> bool:
    """Whether four of these discs stand in a line: upright, level, or on either diagonal."""
    for step in (1, STRIDE, STRIDE - 1, STRIDE + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@dataclass(frozen=True)
class ConnectFour(Game[State]):
    """Connect Four: four discs in a line win."""

    name: ClassVar[str] = "connect_four"
    version: ClassVar[int] = 1
    rules: ClassVar[str] = (
        "The board has seven columns of six squares. The players take turns; a move drops a disc into a"
        " column that is not full, where it comes to lie on what is there. Whoever first has four discs in a"
        " line, upright, level or diagonal, wins. If the board is full before, the game is drawn."
    )
    notation: ClassVar[str] = (
        "4 drops a disc into the fourth column from the left; columns are counted from 1."
    )

    def initial(self) -> State:
        """The empty board."""
        return State((0, 0))

    def to_move(self, state: State) -> Seat:
        """Seat 0 after an even number of moves."""
        return 1 if (state.discs[0] | state.discs[1]).bit_count() % 2 else 0

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """The columns that are not full, from the left."""
        if self.outcome(state) is not None:
            return ()
        full = state.discs[0] | state.discs[1]
        return tuple(column for column in range(COLUMNS) if not full >> (column * STRIDE + ROWS - 1) & 1)

    def play(self, state: State, move: Move) -> State:
        """Drop a disc."""
        if move not in self.legal_moves(state):
            raise IllegalMoveError(
                f"column {str(move + 1)[:20]} is full, or there is none, or the game is over"
            )
        first, second = state.discs
        full = first | second
        disc = (full + (1 << move * STRIDE)) & ~full & ((1 << ROWS) - 1) << move * STRIDE
        return State((first | disc, second)) if self.to_move(state) == 0 else State((first, second | disc))

    def most_turns(self, state: State) -> int:
        """Every move fills a square."""
        return COLUMNS * ROWS - (state.discs[0] | state.discs[1]).bit_count()

    def outcome(self, state: State) -> Outcome | None:
        """Four in a line, or a full board."""
        mover = self.to_move(state)
        before: Seat = 1 if mover == 0 else 0
        if lined_up(state.discs[before]):
            return Outcome(before, "four_in_line", self.forfeit_score(mover))
        return None if self.most_turns(state) else Outcome(None, "board_full", self.draw_score())

    def forfeit_score(self, loser: Seat) -> Score:
        """1 for the other side, 0 for the loser."""
        return (0, 1) if loser == 0 else (1, 0)

    def canonical(self, state: State) -> State:
        """The board or its mirror image, whichever is less."""
        first, second = map(_mirrored, state.discs)
        return min(state, State((first, second)))

    def every_move(self) -> tuple[Move, ...]:
        """The columns."""
        return tuple(range(COLUMNS))

    def move_to_text(self, move: Move) -> str:
        """The number of the column."""
        return str(move + 1)

    def move_from_text(self, text: str) -> Move:
        """The column of that number."""
        if len(text) != 1 or text not in "1234567":
            raise UnreadableMoveError(
                f"{text[:20]!r} is not a move: write a column from 1 to {COLUMNS}, such as 4"
            )
        return int(text) - 1

    def state_to_json(self, state: State) -> dict[str, Any]:
        """``{"board": ["......."], "to_move": 0}``: six rows from the top, and the seat to move."""
        return {"board": _rows(state), "to_move": self.to_move(state)}

    def state_from_json(self, value: Mapping[str, Any]) -> State:
        """The state that `state_to_json` wrote: discs lie on each other, and no side is ahead by two."""
        rows, seat = value.get("board"), value.get("to_move")
        if (
            not isinstance(rows, list)
            or len(rows) != ROWS
            or not all(
                isinstance(row, str) and len(row) == COLUMNS and set(row) <= {*SYMBOLS, EMPTY} for row in rows
            )
        ):
            raise UnreadableStateError(
                f"board must be {ROWS} rows of {COLUMNS} squares, each one of X, O and ."
            )
        discs = [0, 0]
        for column in range(COLUMNS):
            upright = "".join(rows[ROWS - 1 - height][column] for height in range(ROWS))
            if EMPTY in upright.rstrip(EMPTY):
                raise UnreadableStateError(f"board has a disc in column {column + 1} that lies on nothing")
            for height, cell in enumerate(upright.rstrip(EMPTY)):
                discs[SYMBOLS.index(cell)] |= 1 << column * STRIDE + height
        if discs[0].bit_count() - discs[1].bit_count() not in (0, 1):
            raise UnreadableStateError("board must have as many discs of X as of O, or one more")
        state = State((discs[0], discs[1]))
        if type(seat) is not int or seat != self.to_move(state):
            raise UnreadableStateError(
                f"to_move must be {self.to_move(state)} with these discs, not {seat!r}"[:200]
            )
        return state

    def state_schema(self) -> dict[str, Any]:
        """The rows, and the seat to move."""
        return {
            "type": "object",
            "properties": {
                "board": {
                    "type": "array",
                    "items": {"type": "string", "pattern": f"^[XO.]{{{COLUMNS}}}$"},
                    "minItems": ROWS,
                    "maxItems": ROWS,
                    "description": "The rows from the top; X is seat 0, O is seat 1.",
                },
                "to_move": {"enum": [0, 1], "description": "The seat whose turn it is."},
            },
            "required": ["board", "to_move"],
        }

    def draw(self, state: State) -> str:
        """The rows from the top, and the columns' numbers."""
        return "\n".join([*(" ".join(row) for row in _rows(state)), " ".join("1234567")])


def _rows(state: State) -> list[str]:
    """The rows from the top."""
    return [
        "".join(_cell(state, column * STRIDE + height) for column in range(COLUMNS))
        for height in reversed(range(ROWS))
    ]


def _cell(state: State, at: int) -> str:
    return next((SYMBOLS[seat] for seat in (0, 1) if state.discs[seat] >> at & 1), EMPTY)


def _mirrored(discs: int) -> int:
    column = (1 << STRIDE) - 1
    return sum((discs >> at * STRIDE & column) << (COLUMNS - 1 - at) * STRIDE for at in range(COLUMNS))
