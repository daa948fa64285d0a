"""Reversi on bitboards, with the winner reversed: fewer discs win (or more, with ``reversed=False``).

Rules: two discs of each side in the centre, X on the diagonal from the top left and first to move. A move
places one disc and turns over every line of the other side's discs that it brackets, in eight directions.
A player who can turn nothing passes; when neither can, the game is over.

Boards are square, or have from 3 to 8 squares a side. Where a side is odd the first four discs stand half a
square nearer the top or the left than the middle is.

Squares are numbered row by row from the top left; bit ``i`` of a board is square ``i``, and the move after
the last of them is the pass. In text a square is column letter and row number (`a1` top left, Othello
notation) and the pass is `pass`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

from engines.bitboards import Geometry, bits, centre, flips, geometry, placements
from engines.game import (
    CompiledRules,
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    ParameterError,
    Score,
    ScoreSense,
    Seat,
    UnreadableMoveError,
    UnreadableStateError,
    require_switch,
)
from engines.symmetry import moved, of_board

SIZES = (4, 6, 8, 10)
"""Those of square boards."""
SIDES = range(3, 9)
"""Those of all others, in squares."""
PASS = "pass"  # noqa: S105 - a move, not a word of admission
SYMBOLS = "XO"

_SIDE_BITS = 4
_CELLS = str.maketrans("012", ".XO")
_CROSSES = str.maketrans("XO.", "100")
_NOUGHTS = str.maketrans("XO.", "010")


class State(NamedTuple):
    """`own` are the discs of the side to move, `opp` the other's; `seat` is the side to move."""

    own: int
    opp: int
    seat: Seat


def shape(columns: int, rows: int) -> int:
    """Both sides of a board in one number, at most 15 each: what `Arithmetic` knows it by."""
    return rows << _SIDE_BITS | columns


class Arithmetic(NamedTuple):
    """What a game does with bitboards at every ply; the last argument of each is the board's `shape`.

    `places` are the squares where the side of the first board may place a disc, ascending, `turned` the
    discs of the second that a disc of the first on a square turns over, and `rows` both boards as text.
    """

    places: Callable[[int, int, int], tuple[Move, ...]]
    turned: Callable[[int, int, Move, int], int]
    rows: Callable[[int, int, int], list[str]]


@lru_cache(maxsize=4096)
def _places(own: int, opp: int, shape: int) -> tuple[Move, ...]:
    """Kept for recent positions, because a referee asks about the same one several times a ply."""
    return tuple(bits(placements(own, opp, geometry(*_sides(shape)))))


def _turned(own: int, opp: int, square: int, shape: int) -> int:
    return flips(own, opp, square, geometry(*_sides(shape)))


def _rows(cross: int, nought: int, shape: int) -> list[str]:
    columns, rows = _sides(shape)
    squares = columns * rows
    # Read as hexadecimal, a bitboard's binary digits leave room to be added digit by digit.
    digits = int(f"{cross:b}", 16) + 2 * int(f"{nought:b}", 16)
    cells = f"{digits:0{squares}x}"[::-1].translate(_CELLS)
    return [cells[i : i + columns] for i in range(0, squares, columns)]


def _sides(shape: int) -> tuple[int, int]:
    """The columns and the rows of a `shape`."""
    return shape & (1 << _SIDE_BITS) - 1, shape >> _SIDE_BITS


PLAIN = Arithmetic(_places, _turned, _rows)
try:
    from engines import _reversi
except ImportError:  # installed where there was no compiler
    COMPILED, RULES = PLAIN, None
else:
    COMPILED, RULES = Arithmetic(_reversi.places, _reversi.turned, _reversi.rows), _reversi.rules


@cache
def _notation(columns: int, rows: int) -> tuple[tuple[str, ...], dict[str, Move]]:
    """The text of every move on such a board, and the move of every text."""
    squares = [f"{chr(ord('a') + column)}{row + 1}" for row in range(rows) for column in range(columns)]
    texts = (*squares, PASS)
    return texts, {text: move for move, text in enumerate(texts)}


@dataclass(frozen=True)
class ReversedReversi(Game[State]):
    """Reversi on `size` columns and as many `rows`, unless these are given; with `reversed`, fewer discs win.

    `rows` as many as columns are None.
    """

    name: ClassVar[str] = "reversed_reversi"
    version: ClassVar[int] = 1
    rules: ClassVar[str] = (
        "X, seat 0, moves first. A move places a disc and turns over every line of the other side's discs"
        " that it brackets, in eight directions; it must turn over at least one. A side that cannot passes."
        " When neither can, the game is over: fewer discs win, or more where reversed is false; as many of"
        " both are a draw."
    )
    notation: ClassVar[str] = (
        "Column letter and row number of the square, a1 being top left; pass for a pass, which the referee"
        " plays by itself where nothing else is allowed."
    )
    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {"size": (SIDES[0], SIZES[-1])}

    size: int = 8
    reversed: bool = True
    rows: int | None = None

    def __post_init__(self) -> None:
        """Refuse boards that are not played."""
        require_switch("reversed", self.reversed)
        whole = type(self.size) is int and type(self.rows) is int
        if whole and self.rows == self.size:
            object.__setattr__(self, "rows", None)
        if self.rows is not None:
            if not (whole and self.size in SIDES and self.rows in SIDES):
                raise ParameterError(
                    "where rows are given, both size and rows must be from %(least)s to %(most)s,"
                    " not %(size)r and %(rows)r",
                    parameter="rows",
                    least=SIDES[0],
                    most=SIDES[-1],
                    size=self.size,
                    rows=self.rows,
                )
        elif type(self.size) is not int or self.size not in SIZES:
            sizes = ", ".join(map(str, SIZES))
            raise ParameterError(
                "size must be one of %(sizes)s, not %(size)r", parameter="size", sizes=sizes, size=self.size
            )

    @property
    def score_sense(self) -> ScoreSense:  # type: ignore[override]
        """Fewest discs win when reversed, most otherwise."""
        return "fewest" if self.reversed else "most"

    @cached_property
    def sides(self) -> tuple[int, int]:
        """The columns and the rows."""
        return self.size, self.size if self.rows is None else self.rows

    @cached_property
    def geometry(self) -> Geometry:
        """The masks of its board."""
        return geometry(*self.sides)

    @cached_property
    def _shape(self) -> int:
        return shape(*self.sides)

    @cached_property
    def _arithmetic(self) -> Arithmetic:
        """The quickest that there is: what is compiled counts in words of 64 bits."""
        return COMPILED if self.geometry.squares <= 64 else PLAIN

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], dict[str, Move]]:
        return _notation(*self.sides)

    @property
    def compiled(self) -> CompiledRules[State] | None:
        """The rules in C, on boards of at most 64 squares."""
        if RULES is None or self.geometry.squares > 64:
            return None
        return CompiledRules(RULES, self._shape, State._make, State._make)

    def initial(self) -> State:
        """X on the centre's falling diagonal, O on the rising one, X to move."""
        return State(*centre(*self.sides), 0)

    def to_move(self, state: State) -> Seat:
        """The seat whose discs are `state.own`."""
        return state.seat

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """The squares that turn something over; else the pass; else, when neither side can move, nothing."""
        own, opp, _ = state
        places, shape = self._arithmetic.places, self._shape
        return places(own, opp, shape) or ((self.geometry.squares,) if places(opp, own, shape) else ())

    def play(self, state: State, move: Move) -> State:
        """Place a disc and turn over what it brackets, or pass."""
        geo = self.geometry
        own, opp, seat = state
        if move == geo.squares:
            if self.forced_pass(state) is None:
                raise IllegalMoveError(
                    "a pass is allowed only where no disc can be placed and the game is not over"
                )
            return State(opp, own, 1 if seat == 0 else 0)
        turned = 0
        if 0 <= move < geo.squares and not (own | opp) >> move & 1:
            turned = self._arithmetic.turned(own, opp, move, self._shape)
        if not turned:
            raise IllegalMoveError("%(move)s turns no disc over", move=self._describe(move))
        return State(opp ^ turned, own | turned | 1 << move, 1 if seat == 0 else 0)

    def most_turns(self, state: State) -> int:
        """Every move but a pass fills a square."""
        return self.geometry.squares - (state.own | state.opp).bit_count()

    def outcome(self, state: State) -> Outcome | None:
        """Fewer discs win (more when not reversed) once neither side can place a disc."""
        if self.legal_moves(state):
            return None
        score = self.running_score(state)
        if score[0] == score[1]:
            return Outcome(None, "equal_discs", score)
        leader: Seat = 0 if score[0] > score[1] else 1
        if not self.reversed:
            return Outcome(leader, "most_discs", score)
        return Outcome(1 if leader == 0 else 0, "fewest_discs", score)

    def running_score(self, state: State) -> Score:
        """The discs of both seats."""
        own, opp, seat = state
        mine, theirs = own.bit_count(), opp.bit_count()
        return (mine, theirs) if seat == 0 else (theirs, mine)

    def forfeit_score(self, loser: Seat) -> Score:
        """A full board for the worse side, an empty one for the better."""
        full = self.geometry.squares
        loser_has, winner_has = (full, 0) if self.reversed else (0, full)
        return (loser_has, winner_has) if loser == 0 else (winner_has, loser_has)

    def draw_score(self) -> Score:
        """Half the board each."""
        half = self.geometry.squares // 2
        return (half, half)

    def canonical(self, state: State) -> State:
        """The least pair of bitboards among those that turns and reflections make: eight, or four."""
        own, opp, seat = state
        return State(*min((moved(own, each), moved(opp, each)) for each in of_board(*self.sides)), seat)

    def forced_pass(self, state: State) -> Move | None:
        """The pass, where the side to move can place nothing and the other side can."""
        moves = self.legal_moves(state)
        return moves[0] if moves and moves[0] == self.geometry.squares else None

    def _describe(self, move: Move) -> str:
        return self.move_to_text(move) if 0 <= move <= self.geometry.squares else f"move number {move}"

    def every_move(self) -> tuple[Move, ...]:
        """Every square, and the pass."""
        return tuple(range(len(self._names[0])))

    def move_to_text(self, move: Move) -> str:
        """Column letter and row number, or `pass`."""
        return self._names[0][move]

    def move_from_text(self, text: str) -> Move:
        """The square named by column letter and row number, or the pass."""
        move = self._names[1].get(text)
        if move is None:
            raise UnreadableMoveError(
                "%(text)r is not a square from a1 to %(last)s (column letter, row number) or pass",
                text=text[:20],
                last=self._names[0][-2],
            )
        return move

    def state_to_json(self, state: State) -> dict[str, Any]:
        """``{"board": ["...", ...], "to_move": "X"}``: a string a row, `X`, `O` or `.` a square."""
        cross, nought = (state.own, state.opp) if state.seat == 0 else (state.opp, state.own)
        return {"board": self._arithmetic.rows(cross, nought, self._shape), "to_move": SYMBOLS[state.seat]}

    def state_from_json(self, value: Mapping[str, Any]) -> State:
        """The state that `state_to_json` wrote; squares may not hold anything but `X`, `O` and `.`."""
        board, symbol = value.get("board"), value.get("to_move")
        if symbol not in ("X", "O"):
            raise UnreadableStateError("to_move must be 'X' or 'O', not %(symbol)r", symbol=symbol)
        columns, rows = self.sides
        if (
            not isinstance(board, list)
            or len(board) != rows
            or not all(
                isinstance(row, str) and len(row) == columns and set(row) <= set("XO.") for row in board
            )
        ):
            raise UnreadableStateError(
                "board must be %(rows)s strings of %(columns)s squares, each X, O or .",
                rows=rows,
                columns=columns,
            )
        cells = "".join(board)[::-1]
        cross, nought = int(cells.translate(_CROSSES), 2), int(cells.translate(_NOUGHTS), 2)
        return State(cross, nought, 0) if symbol == "X" else State(nought, cross, 1)

    def state_schema(self) -> dict[str, Any]:
        """The rows of the board, and the side to move."""
        columns, rows = self.sides
        return {
            "type": "object",
            "properties": {
                "board": {
                    "type": "array",
                    "items": {"type": "string", "pattern": f"^[XO.]{{{columns}}}$"},
                    "minItems": rows,
                    "maxItems": rows,
                    "description": "A string a row from the top; X, O or . a square from the left.",
                },
                "to_move": {"enum": ["X", "O"], "description": "The side whose turn it is; X is seat 0."},
            },
            "required": ["board", "to_move"],
        }

    def draw(self, state: State) -> str:
        """The board with its letters and numbers, and the disc counts."""
        shown = self.state_to_json(state)
        letters = "   " + " ".join(chr(ord("a") + i) for i in range(self.size))
        rows = [f"{number:2} " + " ".join(row) for number, row in enumerate(shown["board"], start=1)]
        cells = "".join(shown["board"])
        return "\n".join([letters, *rows, f"   X {cells.count('X')}  O {cells.count('O')}"])
