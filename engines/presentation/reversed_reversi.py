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

    def solution(self, result: Mapping[str, Any]) -> Iterator[str]:
        """What `engines.solvers.reversed_reversi.analyse` found, or cut work (`reversi_work`), or a proof."""
        (columns, rows), goal = _sides(result["params"]), "fewer" if result["params"]["reversed"] else "more"
        yield f"Reversi on {columns} by {rows} squares, {goal} discs win"
        if result.get("position"):
            yield from _drawn(result["position"])
        if "low" in result:
            yield _bounds(result)
            return
        cross, nought = result["score"]
        winner = _winner(result["winner"])
        yield f"With perfect play {winner}; for the best score it ends X {cross}, O {nought}"
        yield f"Line: {' '.join(result['line']) or 'none, it is over'}"
        yield from _searched(result) if "position" in result else _counts(result)


def _sides(params: Mapping[str, Any]) -> tuple[int, int]:
    """The columns and the rows of a board."""
    return params["size"], params.get("rows", params["size"])


def _drawn(position: Mapping[str, Any]) -> Iterator[str]:
    """A position, who is to move, and how many squares are empty."""
    yield from (f"  {row}" for row in position["board"])
    empty = "".join(position["board"]).count(".")
    yield f"{position['to_move']} to move, empty squares: {empty}"


def _winner(winner: str | None) -> str:
    return "nobody wins" if winner is None else f"{winner} wins"


def _bounds(result: Mapping[str, Any]) -> str:
    value = result["value"]
    if value is None:
        return f"X reaches {result['low']} at least and {result['high']} at most"
    if value == 0:
        return "With perfect play nobody wins"
    discs, goal = "disc" if abs(value) == 1 else "discs", "less" if result["params"]["reversed"] else "more"
    return f"With perfect play {_winner('X' if value > 0 else 'O')}, with {abs(value)} {discs} {goal}"


def _searched(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"{result['nodes']} positions searched"


def _counts(result: Mapping[str, Any]) -> Iterator[str]:
    if result["distance"] is not None:
        yield f"The winner can make it end after {result['distance']} plies, passes counted, and no sooner"
    positions, plies = result["positions"], result["plies"]
    yield ""
    yield (
        f"{positions['all']} positions that play can reach, {positions['up_to_symmetry']} up to symmetry,"
        f" {positions['finished']} of all finished"
    )
    yield f"{result['games']} different games of {plies['shortest']} to {plies['longest']} plies"
