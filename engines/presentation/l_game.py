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

RESULTS = {"won": Words("won", "必贏"), "lost": Words("lost", "必輸"), "drawn": Words("drawn", "不分勝負")}
"""What a position is worth, in the paper's words."""
POSITIONS = Words("positions", "盤面數")
SYMMETRY = Words("up to symmetry", "扣除對稱")
HINTS = {
    "off the corner": ("不在角落", "自己 L 形棋子的直角不在棋盤的角落"),
    "not symmetric": ("不對稱", "棋盤無論怎麼旋轉或翻面，自己的 L 形棋子都不會與對方的重合"),
    "disc touches": ("圓棋接觸", "有圓形棋子與自己的 L 形棋子有共同的邊"),
    "inside the other": ("放在對方內側", "自己的 L 形棋子佔住對方直角部分內側的那一格"),
    "all four": ("四項全部", "同時符合以上四項"),
    "covers no corner": ("不佔角落", "自己的 L 形棋子完全不佔棋盤的角落"),
}
"""The names and the definitions of `engines.solvers.l_game_hints.HINTS` in Chinese."""


class LGamePresentation(Presentation):
    """How the L-Game is shown."""

    reasons: ClassVar = {
        "cannot_place": Words("the other side cannot put its L down", "對方的 L 形棋子無處可放")
    }
    how_to_point: ClassVar = Words(
        "Click or tap the four squares on which your L is to lie, in any order. Then click or tap a disc "
        "and the square that it goes to; or, to leave both discs where they are, the last square of your L "
        "again, or the button below the board. A click on an earlier one, or Esc, lets go.",
        "先點選自己的 L 要放的四格，順序不拘；接著點一個圓棋，再點它要去的格子。兩個圓棋都不動時，把 L "
        "最後點的那一格再點一次，或按棋盤下方的按鈕。再點先前選的格子或按 Esc 可以取消。",
    )
    chance: ClassVar = Words("{share} of the answers lose", "對方的應手有 {share} 會輸")
    chinese_summary: ClassVar = "4×4 的棋盤上有兩個 L 形棋子與兩個中立的圓棋；L 形棋子無處可放的一方輸。"
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

    def solution(self, result: Mapping[str, Any]) -> Iterator[str | Words]:
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


def _positions(result: Mapping[str, Any]) -> Iterator[Words]:
    words = {
        "won_at_once": Words("won in one move (WinNode)", "一手必贏（WinNode）"),
        "lost_at_once": Words("without a move (LoseNode)", "無處可放而必輸（LoseNode）"),
    } | RESULTS
    columns = (
        Words("for the side to move", "對輪到的一方"),
        Words("a side", "單方"),
        Words("both sides", "雙方"),
        SYMMETRY,
    )
    rows = [(POSITIONS, *result["positions"].values())]
    rows += [(words[name], *numbers.values()) for name, numbers in result["values"].items()]
    yield from table_lines(columns, rows)


def _moves(moves: Mapping[str, Any], many: Sequence[Mapping[str, Any]]) -> Iterator[str | Words]:
    fewest, most, mean = moves["fewest"], moves["most"], moves["mean"]
    yield ""
    yield Words(
        f"Numbers of moves, both sides together: from {fewest} to {most}, {mean:.2f} on average",
        f"走法（Child Node）的數目，雙方合計：{fewest} 到 {most}，平均 {mean:.2f}",
    )
    columns = (
        Words("moves", "走法數"),
        POSITIONS,
        Words("won in one move", "一手必贏"),
        RESULTS["won"],
    )
    yield from table_lines(columns, [tuple(row.values()) for row in moves["histogram"]])
    for row in many:
        least, positions = row["at_least"], row["positions"]
        at_once, won = (share(row[name], positions) for name in ("won_at_once", "won"))
        yield Words(
            f"with {least} moves or more: {positions} positions, {at_once} won in one move, {won} won",
            f"走法在 {least} 種以上：{positions} 個盤面，其中 {at_once} 一手必贏，{won} 必贏",
        )


def _rounds(rounds: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> Iterator[str | Words]:
    columns = {
        "round": Words("round", "輪次"),
        "lost_both_sides": Words("lost, both sides", "必輸，雙方"),
        "lost": Words("lost, a side", "必輸，單方"),
        "lost_up_to_symmetry": SYMMETRY,
        "won": Words("newly won, a side", "新的必贏，單方"),
        "won_so_far": Words("won so far", "累計必贏"),
    }
    yield ""
    yield Words(
        "Rounds: all moves of a special node lead to positions won so far (round 0: it has no move)",
        "各輪：特殊節點的走法全部走到對方已知必贏的盤面（第 0 輪：沒有走法）",
    )
    yield from table_lines(tuple(columns.values()), [tuple(row[key] for key in columns) for row in rounds])
    special, drawn = sum(row["lost_both_sides"] for row in rounds[1:]), values["drawn"]["a_side"]
    yield Words(
        f"{special} special nodes; {drawn} positions a side are left, and drawn",
        f"特殊節點 {special} 個；單方剩下 {drawn} 個盤面，不分勝負",
    )


def _lost(lost: Sequence[Mapping[str, Any]], corners: Sequence[Mapping[str, Any]]) -> Iterator[str | Words]:
    for number in sorted({each["round"] for each in lost}):
        chosen = [each for each in lost if each["round"] == number]
        yield ""
        yield Words(
            f"Lost in {2 * number} plies, X to move: {len(chosen)} up to symmetry (^ the right angle is in"
            " a corner)",
            f"{2 * number} 手必輸，輪到 X：扣除對稱後 {len(chosen)} 個（^ 表示直角在角落）",
        )
        for first in range(0, len(chosen), ACROSS):
            yield from _drawn(chosen[first : first + ACROSS])
    yield ""
    kinds = {"no move": Words("no move", "無處可放"), "special": Words("special", "特殊節點")}
    columns = (
        Words("lost positions", "必輸盤面"),
        Words("number", "個數"),
        Words("right angle in a corner", "直角在角落"),
        Words("share", "比例"),
        Words("covering a corner", "佔住角落"),
    )
    rows = [
        (
            kinds[each["which"]],
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


def _distances(distances: Sequence[Mapping[str, Any]]) -> Iterator[str | Words]:
    yield ""
    yield Words(
        "Distance to the end, a side (the winner hurries, the loser delays)",
        "距離終局的手數，單方（贏方求快，輸方拖延）",
    )
    rows = [(row["plies"], RESULTS[row["result"]], row["positions"]) for row in distances]
    yield from table_lines((Words("plies", "手數"), Words("result", "結果"), POSITIONS), rows)


def _start(start: Mapping[str, Any]) -> Iterator[str | Words]:
    result, moves, losing = RESULTS[start["result"]], start["moves"], start["moves_that_lose"]
    forced = (
        Words("a win can be forced", "有必勝的策略")
        if start["forced_win"]
        else Words("neither side can force a win", "雙方都沒有必勝的策略")
    )
    yield ""
    yield Words(
        f"The first position is {result.english}: {forced.english}. {losing} of its {moves} moves lose.",
        f"開始盤面{result.chinese}：{forced.chinese}。{moves} 種走法中有 {losing} 種會輸。",
    )


def _hints(hints: Sequence[Mapping[str, Any]]) -> Iterator[str | Words]:
    yield ""
    yield Words(
        "The paper's hints against the exact values: shares for the side whose own L it is",
        "文件的下棋策略與精確值的對照：比例是對「自己」這一方而言",
    )
    for hint in hints:
        name, definition = HINTS[hint["hint"]]
        yield Words(f"  {hint['hint']}: {hint['definition']}", f"  {name}：{definition}")
    yield ""
    sides = {"to_move": Words("to move", "輪到"), "having_moved": Words("having moved", "剛下完")}
    kinds = {"followed": Words("followed", "是"), "not_followed": Words("not followed", "否")}
    rows = [
        (
            Words(hint["hint"], HINTS[hint["hint"]][0]),
            sides[whose],
            kinds[kept],
            numbers["positions"],
            *(share(numbers[result], numbers["positions"]) for result in ("won", "drawn", "lost")),
        )
        for hint in hints
        for whose in sides
        for kept, numbers in hint[whose].items()
    ]
    columns = (
        Words("hint", "策略"),
        Words("side", "自己"),
        Words("the hint is", "是否遵守"),
        POSITIONS,
        *(RESULTS[result] for result in ("won", "drawn", "lost")),
    )
    yield from table_lines(columns, rows)
