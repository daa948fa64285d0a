"""The L-Game's analysis in words, in the order of its paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engines.game import Game, Move
from engines.presentation import Presentation, Words
from engines.presentation.scenes import (
    SIDES,
    Board,
    Path,
    Picture,
    Piece,
    Shape,
    circle,
    ground,
    label,
    rect,
    ruled,
    squares,
)
from engines.presentation.tables import share, table_lines

SIZE, SIDE, MARGIN, INSET = 4, 60, 36, 7

ACROSS = 5
"""So many boards are drawn side by side."""
BOARD_WIDTH = 12


class LGamePresentation(Presentation):
    """How the L-Game is shown."""

    reasons: ClassVar = {
        "cannot_place": Words("the other side cannot put its L down", "對方的 L 形棋子無處可放")
    }
    chinese_rules: ClassVar = (
        "雙方各有一個佔四格的 L 形棋子，另有兩個中立的圓棋。X（座位 0）先下。輪到的一方把自己的 L 拿起來，"
        "可任意旋轉或翻面，放到空格上，但不能放回原來的四格；然後可以把其中一個圓棋移到任一空格，也可以不移。"
        "輪到而 L 無處可放的一方輸。"
    )
    chinese_notation: ClassVar = (
        "c2u 表示 L 的腳放在 c2，三格的長條在上方（u 上、d 下、l 左、r 右：長條在腳的那一側，"
        "其中一端緊鄰著腳，只有一種放法）；c2u/a1-d3 表示再把 a1 的圓棋移到 d3。a1 是左上角，d4 是右下角。"
    )

    def title(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - it has none
        """Its name."""
        return Words("L-Game", "L棋")

    def board(self, game: Game[Any]) -> Board:  # noqa: ARG002 - it has no parameters
        """Four by four squares; an L is drawn over its squares, whose letters are the pieces."""
        pieces = {side: Piece((label(0, 6, side, "label on-piece"),), Words(side, side)) for side in "XO"}
        pieces["*"] = Piece((circle("neutral", 0, 0, 19),), Words("disc", "圓棋"))
        width = SIZE * SIDE + 2 * MARGIN
        places = squares(SIZE, SIZE, SIDE, MARGIN)
        shape = (SIZE, SIZE, SIDE, MARGIN)
        return Board(width, width, places, pieces, ground(*shape), ruled(*shape))

    def shown(self, game: Game[Any], state: Any, last: Move | None) -> Picture:
        """Both Ls and the discs; the L that was put down is marked, and the disc that was moved."""
        rows = game.state_to_json(state)["board"]
        pieces = {
            _name(row, column): cell
            for row, cells in enumerate(rows)
            for column, cell in enumerate(cells)
            if cell != "."
        }
        marked: list[str] = []
        if last is not None:
            moved = "XO"[1 - game.to_move(state)]
            _, _, disc = game.move_to_text(last).partition("/")
            marked = [name for name, cell in pieces.items() if cell == moved]
            marked += [disc.partition("-")[2]] if disc else []
        told = " / ".join(rows)
        return Picture(pieces, marked, Words(f"row by row: {told}", f"逐列：{told}"), _joined(rows))

    def path(self, game: Game[Any], state: Any, move: Move) -> Path:
        """The squares of the L in any order, then the disc and where it goes, if one does."""
        seat, text = game.to_move(state), game.move_to_text(move)
        rows = game.state_to_json(game.play(state, move))["board"]
        cells = [
            _name(row, column)
            for row in range(SIZE)
            for column in range(SIZE)
            if rows[row][column] == "XO"[seat]
        ]
        disc = text.partition("/")[2]
        return Path([*cells, *(disc.split("-") if disc else [])], free=len(cells))

    def symbol(self, seat: int) -> Piece:
        """X or O."""
        return SIDES[seat]

    def solution(self, result: Mapping[str, Any]) -> Iterator[str]:
        """What `engines.solvers.l_game.analyse` found."""
        yield from _positions(result)
        yield from _moves(result["moves"], result["many_moves"])
        yield from _rounds(result["rounds"], result["values"])
        yield from _lost(result["lost_positions"], result["corners"])
        yield from _distances(result["distances"])
        yield from _start(result["start"])
        yield from _hints(result["hints"])


def _name(row: int, column: int) -> str:
    return f"{'abcd'[column]}{row + 1}"


def _joined(rows: Sequence[str]) -> list[Shape]:
    """A rectangle for each square of an L, which reaches to those beside and below it of the same L."""
    shapes = []
    for row in range(SIZE):
        for column in range(SIZE):
            cell = rows[row][column]
            if cell not in "XO":
                continue
            look = "fill-cross" if cell == "X" else "fill-nought"
            x, y = MARGIN + SIDE * column + INSET, MARGIN + SIDE * row + INSET
            least = SIDE - 2 * INSET
            right = column + 1 < SIZE and rows[row][column + 1] == cell
            below = row + 1 < SIZE and rows[row + 1][column] == cell
            shapes.append(rect(look, x, y, SIDE if right else least, least))
            if below:
                shapes.append(rect(look, x, y, least, SIDE))
    return shapes


def _positions(result: Mapping[str, Any]) -> Iterator[str]:
    rows = [("positions", *result["positions"].values())]
    words = {
        "won_at_once": "won in one move (WinNode)",
        "lost_at_once": "without a move (LoseNode)",
        "won": "won",
        "lost": "lost",
        "drawn": "drawn",
    }
    rows += [(words[name], *numbers.values()) for name, numbers in result["values"].items()]
    yield from table_lines(("for the side to move", "a side", "both sides", "up to symmetry"), rows)


def _moves(moves: Mapping[str, Any], many: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield ""
    yield (
        f"Numbers of moves, both sides together: from {moves['fewest']} to {moves['most']},"
        f" {moves['mean']:.2f} on average"
    )
    rows = [tuple(row.values()) for row in moves["histogram"]]
    yield from table_lines(("moves", "positions", "won in one move", "won"), rows)
    for row in many:
        yield (
            f"with {row['at_least']} moves or more: {row['positions']} positions,"
            f" {share(row['won_at_once'], row['positions'])} won in one move,"
            f" {share(row['won'], row['positions'])} won"
        )


def _rounds(rounds: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield "Rounds: all moves of a special node lead to positions won so far (round 0: it has no move)"
    columns = (
        "round",
        "lost, both sides",
        "lost, a side",
        "up to symmetry",
        "newly won, a side",
        "won so far",
    )
    keys = ("round", "lost_both_sides", "lost", "lost_up_to_symmetry", "won", "won_so_far")
    yield from table_lines(columns, [tuple(row[key] for key in keys) for row in rounds])
    special = sum(row["lost_both_sides"] for row in rounds[1:])
    yield f"{special} special nodes; {values['drawn']['a_side']} positions a side are left, and drawn"


def _lost(lost: Sequence[Mapping[str, Any]], corners: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number in sorted({each["round"] for each in lost}):
        chosen = [each for each in lost if each["round"] == number]
        yield ""
        kinds = f"{len(chosen)} up to symmetry (^ the right angle is in a corner)"
        yield f"Lost in {2 * number} plies, X to move: {kinds}"
        for first in range(0, len(chosen), ACROSS):
            yield from _drawn(chosen[first : first + ACROSS])
    yield ""
    columns = ("lost positions", "number", "right angle in a corner", "share", "covering a corner")
    rows = [
        (
            each["which"],
            each["positions"],
            each["angle_in_corner"],
            share(each["angle_in_corner"], each["positions"]),
            each["covers_corner"],
        )
        for each in corners
    ]
    yield from table_lines(columns, rows)


def _drawn(boards: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Boards side by side, each line as wide as it must be, with the mark below."""
    for row in zip(*(board["drawing"] for board in boards), strict=True):
        yield "  " + "".join(line.ljust(BOARD_WIDTH) for line in row).rstrip()
    marks = ("    ^" if board["angle_in_corner"] else "" for board in boards)
    yield ("  " + "".join(mark.ljust(BOARD_WIDTH) for mark in marks)).rstrip()


def _distances(distances: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield ""
    yield "Distance to the end, a side (the winner hurries, the loser delays)"
    rows = [(row["plies"], row["result"], row["positions"]) for row in distances]
    yield from table_lines(("plies", "result", "positions"), rows)


def _start(start: Mapping[str, Any]) -> Iterator[str]:
    forced = "a win can be forced" if start["forced_win"] else "neither side can force a win"
    yield ""
    yield (
        f"The first position is {start['result']}: {forced}."
        f" {start['moves_that_lose']} of its {start['moves']} moves lose."
    )


def _hints(hints: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield ""
    yield "The paper's hints against the exact values: shares for the side whose own L it is"
    for hint in hints:
        yield f"  {hint['hint']}: {hint['definition']}"
    yield ""
    rows = [
        (
            hint["hint"],
            whose.replace("_", " "),
            kept.replace("_", " "),
            numbers["positions"],
            *(share(numbers[result], numbers["positions"]) for result in ("won", "drawn", "lost")),
        )
        for hint in hints
        for whose in ("to_move", "having_moved")
        for kept, numbers in hint[whose].items()
    ]
    columns = ("hint", "side", "the hint is", "positions", "won", "drawn", "lost")
    yield from table_lines(columns, rows)
