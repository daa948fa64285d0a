"""Reversi's analysis in words: the smallest board, or the ending of a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from engines.game import Game, Move
from engines.presentation import Presentation, Words
from engines.presentation.scenes import (
    MARGIN,
    SIDES,
    SQUARE,
    Board,
    Path,
    Picture,
    Piece,
    ground,
    ruled,
    squares,
)

NO_PLACE = "pass"


class ReversiPresentation(Presentation):
    """How Reversi is shown."""

    reasons: ClassVar = {
        "fewest_discs": Words("fewest discs", "棋子較少"),
        "most_discs": Words("most discs", "棋子較多"),
        "equal_discs": Words("equal discs", "棋子數相同"),
    }
    parameters: ClassVar = {
        "size": Words("Squares along a side", "棋盤邊長"),
        "rows": Words("Squares from top to bottom, where they are not as many", "縱向格數（與邊長不同時）"),
        "reversed": Words("Fewer discs win", "子少者勝"),
    }
    how_to_point: ClassVar = Words(
        "Click or tap the square on which your disc is to lie; those that are allowed are marked. Passes "
        "are made by themselves.",
        "點要落子的格子，可以下的格子有標記。必須跳過時會自動跳過。",
    )
    unit: ClassVar = Words("disc", "子")
    chinese_summary: ClassVar = "黑白棋，size 行，列數相同或為 rows；reversed 為 true 時子少的一方贏。"
    chinese_rules: ClassVar = (
        "X（座位 0）先下。每一手放下一子，並把八個方向上被夾住的對方棋子全部翻面；至少要翻一子。"
        "無處可下的一方跳過。雙方都無法下時結束：棋子少的一方贏；reversed 為 false 時則是棋子多的一方贏；"
        "一樣多是和局。"
    )
    chinese_notation: ClassVar = (
        "以英文字母寫行、數字寫列，a1 是左上角；pass 表示跳過，沒有別的下法時由裁判自動執行。"
    )

    def title(self, params: Mapping[str, Any]) -> Words:
        """Its name, which says whether the fewest discs win, and its size."""
        size = "{}×{}".format(*_sides(params))
        if params["reversed"]:
            return Words(f"Reversed Reversi {size}", f"反轉黑白棋 {size}")
        return Words(f"Reversi {size}", f"黑白棋 {size}")

    def aim(self, params: Mapping[str, Any]) -> Words:
        """Whether few discs are good or many."""
        if params["reversed"]:
            return Words("(fewest discs win)", "（子少者勝）")
        return Words("(most discs win)", "（子多者勝）")

    def board(self, game: Game[Any]) -> Board:
        """The squares, with letters and numbers on all sides."""
        columns, rows = _sides(game.params)
        return Board(
            SQUARE * columns + 2 * MARGIN,
            SQUARE * rows + 2 * MARGIN,
            squares(columns, rows),
            dict(zip("XO", SIDES, strict=True)),
            ground(columns, rows),
            ruled(columns, rows),
            shows_legal=True,
        )

    def shown(self, game: Game[Any], state: Any, last: Move | None) -> Picture:
        """The discs, the last one marked."""
        rows = game.state_to_json(state)["board"]
        pieces = {
            f"{chr(ord('a') + column)}{row}": cell
            for row, cells in enumerate(rows, start=1)
            for column, cell in enumerate(cells)
            if cell in "XO"
        }
        counts = [list(pieces.values()).count(side) for side in "XO"]
        text = NO_PLACE if last is None else game.move_to_text(last)
        said = Words(f"{counts[0]} discs of X, {counts[1]} of O", f"X 有 {counts[0]} 子，O 有 {counts[1]} 子")
        return Picture(pieces, () if text == NO_PLACE else (text,), said)

    def path(self, game: Game[Any], state: Any, move: Move) -> Path:  # noqa: ARG002 - its text says it all
        """The square where the disc is placed; a pass has none."""
        text = game.move_to_text(move)
        return Path() if text == NO_PLACE else Path((text,))

    def symbol(self, seat: int) -> Piece:
        """X or O."""
        return SIDES[seat]

    def solution(self, result: Mapping[str, Any]) -> Iterator[str | Words]:
        """What `engines.solvers.reversed_reversi.analyse` found, or cut work (`reversi_work`), or a proof."""
        columns, rows = _sides(result["params"])
        goal = Words("fewer", "少") if result["params"]["reversed"] else Words("more", "多")
        yield Words(
            f"Reversi on {columns} by {rows} squares, {goal.english} discs win",
            f"黑白棋 {columns}×{rows}，子{goal.chinese}者勝",
        )
        if result.get("position"):
            yield from _drawn(result["position"])
        if "low" in result:
            yield _bounds(result)
            return
        (cross, nought), winner = result["score"], _winner(result["winner"])
        yield Words(
            f"With perfect play {winner.english}; for the best score it ends X {cross}, O {nought}",
            f"雙方都以完美下法進行時，{winner.chinese}；都求最好的子數時，終局為 X {cross} 子、O {nought} 子",
        )
        line = " ".join(result["line"])
        yield Words(f"Line: {line or 'none, it is over'}", f"走法：{line or '無，已經終局'}")
        yield from _searched(result) if "position" in result else _counts(result)


def _sides(params: Mapping[str, Any]) -> tuple[int, int]:
    """The columns and the rows of a board."""
    return params["size"], params.get("rows", params["size"])


def _drawn(position: Mapping[str, Any]) -> Iterator[str | Words]:
    """A position, who is to move, and how many squares are empty."""
    yield from (f"  {row}" for row in position["board"])
    empty, mover = "".join(position["board"]).count("."), position["to_move"]
    yield Words(f"{mover} to move, empty squares: {empty}", f"輪到 {mover}，空格：{empty}")


def _winner(winner: str | None) -> Words:
    return Words("nobody wins", "和局") if winner is None else Words(f"{winner} wins", f"{winner} 必勝")


def _bounds(result: Mapping[str, Any]) -> Words:
    value, low, high = result["value"], result["low"], result["high"]
    if value is None:
        return Words(f"X reaches {low} at least and {high} at most", f"X 至少得 {low}，至多得 {high}")
    winner = _winner(None if value == 0 else "X" if value > 0 else "O")
    play = Words(f"With perfect play {winner.english}", f"雙方都以完美下法進行時，{winner.chinese}")
    if value == 0:
        return play
    discs = "disc" if abs(value) == 1 else "discs"
    goal = Words("less", "少") if result["params"]["reversed"] else Words("more", "多")
    return Words(
        f"{play.english}, with {abs(value)} {discs} {goal.english}",
        f"{play.chinese}，{goal.chinese} {abs(value)} 子",
    )


def _searched(result: Mapping[str, Any]) -> Iterator[Words]:
    nodes = result["nodes"]
    yield Words(f"{nodes} positions searched", f"已搜尋 {nodes} 個盤面")


def _counts(result: Mapping[str, Any]) -> Iterator[str | Words]:
    if (distance := result["distance"]) is not None:
        yield Words(
            f"The winner can make it end after {distance} plies, passes counted, and no sooner",
            f"勝方最快能在 {distance} 手終局（包含跳過）",
        )
    positions, plies, games = result["positions"], result["plies"], result["games"]
    every, different, finished = positions["all"], positions["up_to_symmetry"], positions["finished"]
    yield ""
    yield Words(
        f"{every} positions that play can reach, {different} up to symmetry, {finished} of all finished",
        f"從開局能到達 {every} 個盤面，扣除對稱後 {different} 個；全部之中 {finished} 個已經終局",
    )
    yield Words(
        f"{games} different games of {plies['shortest']} to {plies['longest']} plies",
        f"不同的棋局有 {games} 種，長 {plies['shortest']} 到 {plies['longest']} 手",
    )
