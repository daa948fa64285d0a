"""Circle Nim: take 1, 2 or 3 neighbours on a line from a triangle of circles; whoever takes the last loses.

Circles are numbered row by row from 1 at the top; row ``r`` (from 1) has ``r`` of them. Each lies on lines
in three directions: its row, and down to the left and to the right. Bit ``i`` of a state is circle
``i + 1`` still there. In text a move is its circles in ascending order, `4`, `4-5` or `4-5-6`; inside it is
the number of its line in `lines(rows)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any, ClassVar, NamedTuple

from engines.game import (
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    ParameterError,
    Score,
    Seat,
    UnreadableMoveError,
    UnreadableStateError,
)
from engines.symmetry import Permutation, moved

MIN_ROWS = 2
MAX_ROWS = 7
LONGEST = 3


class State(NamedTuple):
    """The circles still there as a bitboard, and whose turn it is."""

    left: int
    seat: Seat


class Lines(NamedTuple):
    """What can be taken from a full triangle: each line as a bitboard and as text, and its number by text."""

    masks: tuple[int, ...]
    texts: tuple[str, ...]
    numbers: dict[str, Move]


def circle(row: int, place: int) -> int:
    """The number from 0 of the circle in `row` at `place`, both counted from 0."""
    return row * (row + 1) // 2 + place


@cache
def lines(rows: int) -> Lines:
    """Every line of 1, 2 or 3 circles: all single ones, then pairs, then threes, each in numerical order."""
    unordered = {
        tuple(circle(row + step * down, place + step * right) for step in range(length))
        for row in range(rows)
        for place in range(row + 1)
        for down, right in ((0, 1), (1, 0), (1, 1))
        for length in range(1, LONGEST + 1)
        if row + (length - 1) * down < rows and place + (length - 1) * right <= row + (length - 1) * down
    }
    ordered = sorted(unordered, key=lambda line: (len(line), line))
    texts = tuple("-".join(str(number + 1) for number in line) for line in ordered)
    masks = tuple(sum(1 << number for number in line) for line in ordered)
    return Lines(masks, texts, {text: move for move, text in enumerate(texts)})


@cache
def symmetries(rows: int) -> tuple[Permutation, ...]:
    """The six symmetries of the triangle, the identity first.

    A circle's distances from the three sides always have the same sum; a symmetry exchanges the sides.
    """
    sides = [(place, row - place, rows - 1 - row) for row in range(rows) for place in range(row + 1)]
    return tuple(
        tuple(circle(side[a] + side[b], side[a]) for side in sides) for a, b, _ in permutations(range(3))
    )


@dataclass(frozen=True)
class CircleNim(Game[State]):
    """Nim on a triangle of circles with `rows` rows; whoever takes the last circle loses."""

    name: ClassVar[str] = "circle_nim"
    version: ClassVar[int] = 1
    rules: ClassVar[str] = (
        "Circles stand in a triangle: one in the first row, two in the second, and so on. The players take"
        " turns. A move takes 1, 2 or 3 circles that are neighbours on one straight line, along a row or"
        " down either slope; none of them may have been taken before. Whoever takes the last circle loses."
    )
    notation: ClassVar[str] = (
        "The circles taken, in ascending order with hyphens: 4, 4-5 or 4-5-6. They are numbered row by row"
        " from 1 at the top."
    )
    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {"rows": (MIN_ROWS, MAX_ROWS)}

    rows: int = 5

    def __post_init__(self) -> None:
        """Refuse triangles that are too small or too large."""
        if type(self.rows) is not int or not MIN_ROWS <= self.rows <= MAX_ROWS:
            raise ParameterError(
                "rows must be a whole number from %(least)s to %(most)s, not %(rows)r",
                parameter="rows",
                least=MIN_ROWS,
                most=MAX_ROWS,
                rows=self.rows,
            )

    @property
    def circles(self) -> int:
        """How many circles the full triangle has."""
        return circle(self.rows, 0)

    def initial(self) -> State:
        """Every circle there, the first seat to move."""
        return State((1 << self.circles) - 1, 0)

    def to_move(self, state: State) -> Seat:
        """The seat whose turn it is."""
        return state.seat

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """The lines that are wholly there."""
        left = state.left
        return tuple(move for move, mask in enumerate(lines(self.rows).masks) if mask & left == mask)

    def play(self, state: State, move: Move) -> State:
        """Take the circles of a line."""
        masks = lines(self.rows).masks
        if not 0 <= move < len(masks):
            raise IllegalMoveError("move number %(move)s names no line", move=move)
        mask = masks[move]
        if mask & state.left != mask:
            text = self.move_to_text(move)
            raise IllegalMoveError("%(move)s takes a circle that is there no more", move=text)
        return State(state.left ^ mask, 1 if state.seat == 0 else 0)

    def most_turns(self, state: State) -> int:
        """Every move takes one circle or more."""
        return state.left.bit_count()

    def outcome(self, state: State) -> Outcome | None:
        """With nothing left, the seat that would be next has left the last circle to the other."""
        if state.left:
            return None
        return Outcome(state.seat, "left_the_last", (1, 0) if state.seat == 0 else (0, 1))

    def forfeit_score(self, loser: Seat) -> Score:
        """1 for the other side, 0 for the loser."""
        return (0, 1) if loser == 0 else (1, 0)

    def canonical(self, state: State) -> State:
        """The least bitboard among the six that turns and reflections make."""
        return State(min(moved(state.left, each) for each in symmetries(self.rows)), state.seat)

    def every_move(self) -> tuple[Move, ...]:
        """Every line of the full triangle."""
        return tuple(range(len(lines(self.rows).masks)))

    def move_to_text(self, move: Move) -> str:
        """The circles with hyphens between."""
        return lines(self.rows).texts[move]

    def move_from_text(self, text: str) -> Move:
        """The line of these circles, in ascending order; no leading zeros, no spaces."""
        move = lines(self.rows).numbers.get(text)
        if move is None:
            raise UnreadableMoveError(
                "%(text)r is not a move such as 4, 4-5 or 4-5-6:"
                " 1 to 3 neighbours on one line, ascending, of the circles 1 to %(circles)s",
                text=text[:20],
                circles=self.circles,
            )
        return move

    def state_to_json(self, state: State) -> dict[str, Any]:
        """``{"left": [1, 2, 3], "to_move": 0}``: the circles still there, and the seat to move."""
        left = [number + 1 for number in range(self.circles) if state.left >> number & 1]
        return {"left": left, "to_move": state.seat}

    def state_from_json(self, value: Mapping[str, Any]) -> State:
        """The state that `state_to_json` wrote; each circle at most once, in ascending order."""
        left, seat = value.get("left"), value.get("to_move")
        if type(seat) is not int or seat not in (0, 1):
            raise UnreadableStateError("to_move must be 0 or 1, not %(seat)r", seat=seat)
        if (
            not isinstance(left, list)
            or not all(type(number) is int and 1 <= number <= self.circles for number in left)
            or left != sorted(set(left))
        ):
            raise UnreadableStateError(
                "left must be a list of circles from 1 to %(most)s, each once, ascending", most=self.circles
            )
        return State(sum(1 << (number - 1) for number in left), 0 if seat == 0 else 1)

    def state_schema(self) -> dict[str, Any]:
        """The circles still there, and the seat to move."""
        return {
            "type": "object",
            "properties": {
                "left": {
                    "type": "array",
                    "items": {"type": "integer", "minimum": 1, "maximum": self.circles},
                    "uniqueItems": True,
                    "description": "The circles that are still there, in ascending order.",
                },
                "to_move": {"enum": [0, 1], "description": "The seat whose turn it is."},
            },
            "required": ["left", "to_move"],
        }

    def draw(self, state: State) -> str:
        """The triangle: the number of each circle still there, a point for each that was taken."""
        drawn = []
        for row in range(self.rows):
            numbers = range(circle(row, 0), circle(row + 1, 0))
            cells = [str(number + 1) if state.left >> number & 1 else "." for number in numbers]
            drawn.append("  " * (self.rows - 1 - row) + "  ".join(f"{cell:>2}" for cell in cells))
        return "\n".join(drawn)
