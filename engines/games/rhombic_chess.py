r"""Rhombic chess: each side places five stones, then moves one a turn; whoever cannot move loses.

The board is a grid of 3 by 3 points inside a rhombus; each tip of the rhombus is joined to the two grid
corners nearest to it. That is a reconstruction: the drawing in the game's document is missing, and these
lines were chosen because they give its row for ten stones (`engines.solvers.rhombic_boards`). The 13 points
are numbered row by row from 1 at the top tip:

          1
         / \
        2-3-4
       /| | |\
      5 6-7-8 9
       \| | |/
       10-11-12
         \ /
         13

Bit ``i`` of a board is point ``i + 1``. Inside, placing on a point is its bit's number, and moving from one
point to another is ``POINTS + from * POINTS + to``; in text `7` places and `7-3` moves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
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
from engines.symmetry import moved, of_square

ROWS = (1, 3, 5, 3, 1)
POINTS = sum(ROWS)
FULL = (1 << POINTS) - 1
STONES = 5
SYMBOLS = "XO"
NOTATION = re.compile(r"([1-9]|1[0-3])(?:-([1-9]|1[0-3]))?")

PLACES = tuple(
    (x, y)
    for y, width in zip(range(2, -3, -1), ROWS, strict=True)
    for x in range(-(width // 2), width // 2 + 1)
)
"""Each point's place, x to the right and y up from the centre."""


def _joined(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a line of the board joins two places: neighbours in the grid, or a tip and a grid corner."""
    (x, y), (to_x, to_y) = one, other
    distance = (to_x - x) ** 2 + (to_y - y) ** 2
    tips = sum(2 in (abs(a), abs(b)) for a, b in (one, other))
    return distance == (2 if tips else 1)


NEIGHBOURS = tuple(
    sum(1 << number for number, other in enumerate(PLACES) if _joined(place, other)) for place in PLACES
)
"""For each point the bitboard of those that a stone can move to from it."""

SYMMETRIES = of_square(PLACES)


class State(NamedTuple):
    """`own` are the stones of the side to move, `opp` the other's; `seat` is the side to move."""

    own: int
    opp: int
    seat: Seat

    @property
    def placing(self) -> bool:
        """Whether the side to move has stones left to place."""
        return self.own.bit_count() < STONES


@cache
def steps(start: int, empty: int) -> tuple[Move, ...]:
    """The moves of a stone from `start` when those points are empty, ascending."""
    free = NEIGHBOURS[start] & empty
    return tuple(POINTS + start * POINTS + end for end in range(POINTS) if free >> end & 1)


@dataclass(frozen=True)
class RhombicChess(Game[State]):
    """Five stones a side on 13 points; whoever cannot move loses."""

    name: ClassVar[str] = "rhombic_chess"
    version: ClassVar[int] = 1
    can_repeat: ClassVar[bool] = True
    ply_limit: ClassVar[int | None] = 500
    rules: ClassVar[str] = (
        "The board has 13 points: a grid of 3 by 3 inside a rhombus whose tips are each joined to the two"
        " nearest corners of the grid. X, seat 0, begins. First the players place five stones each in turn"
        " on empty points; then each turn moves one own stone along a line to an empty neighbouring point."
        " Whoever is to move and cannot loses."
    )
    notation: ClassVar[str] = (
        "7 places a stone on point 7; 7-3 moves the stone on 7 to 3. Points are numbered from 1 to 13, row"
        " by row from the top tip (rows of 1, 3, 5, 3 and 1)."
    )

    def initial(self) -> State:
        """An empty board, seat 0 to place."""
        return State(0, 0, 0)

    def to_move(self, state: State) -> Seat:
        """The seat whose stones are `state.own`."""
        return state.seat

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Every empty point while stones are placed; then every own stone with every empty neighbour."""
        empty = FULL & ~(state.own | state.opp)
        if state.placing:
            return tuple(point for point in range(POINTS) if empty >> point & 1)
        return tuple(
            move for start in range(POINTS) if state.own >> start & 1 for move in steps(start, empty)
        )

    def play(self, state: State, move: Move) -> State:
        """Place a stone, or move one."""
        own, opp, seat = state
        changed = self._change(state, move)
        return State(opp, own ^ changed, 1 if seat == 0 else 0)

    def _change(self, state: State, move: Move) -> int:
        """The points of the mover's board that `move` fills or empties."""
        if not 0 <= move < POINTS + POINTS * POINTS:
            raise IllegalMoveError("move number %(move)s names no points", move=move)
        empty = FULL & ~(state.own | state.opp)
        if (move < POINTS) != state.placing:
            if state.placing:
                raise IllegalMoveError("%(move)s: a stone must be placed here", move=self.move_to_text(move))
            raise IllegalMoveError("%(move)s: a stone must be moved here", move=self.move_to_text(move))
        if move < POINTS:
            if not empty >> move & 1:
                raise IllegalMoveError("%(move)s: the point is not empty", move=self.move_to_text(move))
            return 1 << move
        start, end = divmod(move - POINTS, POINTS)
        if not state.own >> start & 1:
            raise IllegalMoveError(
                "%(move)s: no own stone stands on %(point)s", move=self.move_to_text(move), point=start + 1
            )
        if not NEIGHBOURS[start] & empty & 1 << end:
            raise IllegalMoveError(
                "%(move)s: %(to)s is not an empty neighbour of %(point)s",
                move=self.move_to_text(move),
                to=end + 1,
                point=start + 1,
            )
        return 1 << start | 1 << end

    def outcome(self, state: State) -> Outcome | None:
        """The side to move has lost when none of its five stones has an empty neighbour."""
        own, opp, seat = state
        empty = FULL & ~(own | opp)
        if state.placing or any(NEIGHBOURS[at] & empty for at in range(POINTS) if own >> at & 1):
            return None
        return Outcome(1 if seat == 0 else 0, "blocked", self.forfeit_score(seat))

    def forfeit_score(self, loser: Seat) -> Score:
        """1 for the other side, 0 for the loser."""
        return (0, 1) if loser == 0 else (1, 0)

    def canonical(self, state: State) -> State:
        """The least pair of bitboards among the eight that turns and reflections make."""
        own, opp, seat = state
        return State(*min((moved(own, each), moved(opp, each)) for each in SYMMETRIES), seat)

    def every_move(self) -> tuple[Move, ...]:
        """Every point to place a stone on, and every step along a line."""
        return (*range(POINTS), *(move for start in range(POINTS) for move in steps(start, FULL)))

    def move_to_text(self, move: Move) -> str:
        """The point, or both points with a hyphen between."""
        if move < POINTS:
            return str(move + 1)
        start, end = divmod(move - POINTS, POINTS)
        return f"{start + 1}-{end + 1}"

    def move_from_text(self, text: str) -> Move:
        """The placing or the moving that `text` names; no leading zeros, no spaces."""
        matched = NOTATION.fullmatch(text)
        if not matched:
            raise UnreadableMoveError(
                "%(text)r is not a move such as 7 (place) or 7-3 (move), points from 1 to %(points)s",
                text=text[:20],
                points=POINTS,
            )
        start, end = matched.groups()
        if end is None:
            return int(start) - 1
        return POINTS + (int(start) - 1) * POINTS + int(end) - 1

    def state_to_json(self, state: State) -> dict[str, Any]:
        """``{"board": [".", "...", ".....", "...", "."], "to_move": "X"}``: a string a row, top first."""
        cross, nought = (state.own, state.opp) if state.seat == 0 else (state.opp, state.own)
        cells = "".join("X" if cross >> at & 1 else "O" if nought >> at & 1 else "." for at in range(POINTS))
        rows = [cells[sum(ROWS[:row]) : sum(ROWS[: row + 1])] for row in range(len(ROWS))]
        return {"board": rows, "to_move": SYMBOLS[state.seat]}

    def state_from_json(self, value: Mapping[str, Any]) -> State:
        """The state that `state_to_json` wrote; at most five stones a side, placed in turn."""
        board, symbol = value.get("board"), value.get("to_move")
        if symbol not in ("X", "O"):
            raise UnreadableStateError("to_move must be 'X' or 'O', not %(symbol)r", symbol=symbol)
        if (
            not isinstance(board, list)
            or not all(isinstance(row, str) and set(row) <= set("XO.") for row in board)
            or tuple(map(len, board)) != ROWS
        ):
            raise UnreadableStateError("board must be 5 strings of 1, 3, 5, 3 and 1 points, each X, O or .")
        cells = "".join(board)
        cross, nought = (sum(1 << at for at in range(POINTS) if cells[at] == side) for side in SYMBOLS)
        more = cross.bit_count() - nought.bit_count()
        if cross.bit_count() > STONES or more not in (0, 1):
            raise UnreadableStateError("board must hold at most 5 stones a side, placed in turn from X on")
        if nought.bit_count() < STONES and symbol != SYMBOLS[more]:
            raise UnreadableStateError(
                "to_move must be %(symbol)r, which has the next stone to place", symbol=SYMBOLS[more]
            )
        return State(cross, nought, 0) if symbol == "X" else State(nought, cross, 1)

    def state_schema(self) -> dict[str, Any]:
        """The rows of the board, and the side to move."""
        row_schemas = [{"type": "string", "pattern": f"^[XO.]{{{width}}}$"} for width in ROWS]
        return {
            "type": "object",
            "properties": {
                "board": {
                    "type": "array",
                    "prefixItems": row_schemas,
                    "minItems": len(ROWS),
                    "maxItems": len(ROWS),
                    "description": "A string a row from the top tip; X, O or . a point from the left.",
                },
                "to_move": {"enum": ["X", "O"], "description": "The side whose turn it is; X is seat 0."},
            },
            "required": ["board", "to_move"],
        }

    def draw(self, state: State) -> str:
        """The board with its lines and the points' numbers beside it."""
        one, two, three, four, five = self.state_to_json(state)["board"]
        return "\n".join(
            [
                f"       {one}              1",
                "     /   \\",
                f"    {'--'.join(two)}        2  3  4",
                "   /|  |  |\\",
                f"  {three[0]} {'--'.join(three[1:4])} {three[4]}    5  6  7  8  9",
                "   \\|  |  |/",
                f"    {'--'.join(four)}       10 11 12",
                "     \\   /",
                f"       {five}             13",
            ]
        )
