"""How Connect Four is shown on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from bot_arena_connect_four.rules import COLUMNS, ROWS
from engines.game import Game, Move
from engines.presentation import Presentation, Words
from engines.presentation.scenes import SIDES, Board, Path, Picture, Piece, Place, label, line, rect

SIDE, EDGE = 40, 8


class ConnectFourPresentation(Presentation):
    """Its name, its board, and how a game ends, in both languages."""

    reasons: ClassVar = {
        "four_in_line": Words("four in a line", "四子連成一線"),
        "board_full": Words("the board is full", "棋盤已滿"),
    }
    chinese_summary: ClassVar = "四子棋：先把四子連成一線的一方贏。"
    chinese_rules: ClassVar = (
        "棋盤有七行，每行六格。雙方輪流把一子投入還沒滿的一行，棋子會落在已有的棋子上面。"
        "先把四子連成一線（直、橫或斜）的一方贏。棋盤滿了還沒有人連成，就是和局。"
    )
    chinese_notation: ClassVar = "4 表示把棋子投入左起第四行；各行從 1 開始編號。"

    def title(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - it has none
        """Its name."""
        return Words("Connect Four", "四子棋")

    def board(self, game: Game[Any]) -> Board:  # noqa: ARG002 - it has no parameters
        """Seven columns of six squares; the lowest of the fourth column is called 4.1.

        A disc lies on a square, but it is dropped into a column: each column lies over its squares as a
        place of its own, which is pointed at anywhere.
        """
        width, height = SIDE * COLUMNS, SIDE * ROWS
        squares = [
            Place(
                _name(column, row),
                EDGE + SIDE * (column + 0.5),
                EDGE + SIDE * (row + 0.5),
                SIDE,
                SIDE,
                row,
                column,
                said=Words(f"column {column + 1}, row {ROWS - row}", f"第 {column + 1} 行第 {ROWS - row} 列"),
            )
            for row in range(ROWS)
            for column in range(COLUMNS)
        ]
        columns = [
            Place(
                str(column + 1),
                EDGE + SIDE * (column + 0.5),
                EDGE + height / 2,
                SIDE,
                height,
                ROWS,
                column,
                said=Words(f"column {column + 1}", f"第 {column + 1} 行"),
                holds=False,
            )
            for column in range(COLUMNS)
        ]
        upright = "".join(f"M{EDGE + SIDE * n} {EDGE}v{height}" for n in range(COLUMNS + 1))
        lines = [
            line("grid", f"{upright}M{EDGE} {EDGE + height}h{width}"),
            *(label(EDGE + SIDE * (n + 0.5), EDGE + height + 20, n + 1) for n in range(COLUMNS)),
        ]
        pieces = dict(zip("XO", SIDES, strict=True))
        return Board(
            width + 2 * EDGE,
            height + 32,
            [*squares, *columns],
            pieces,
            [rect("wood", EDGE, EDGE, width, height)],
            lines,
        )

    def shown(self, game: Game[Any], state: Any, last: Move | None) -> Picture:
        """The discs, the last one marked."""
        rows = game.state_to_json(state)["board"]
        pieces = {
            _name(column, row): cell
            for row, cells in enumerate(rows)
            for column, cell in enumerate(cells)
            if cell in "XO"
        }
        top = None if last is None else next(row for row in range(ROWS) if rows[row][last] in "XO")
        fallen = () if last is None or top is None else (_name(last, top),)
        told = " / ".join(rows)
        return Picture(pieces, fallen, Words(f"row by row: {told}", f"逐列：{told}"))

    def path(self, game: Game[Any], state: Any, move: Move) -> Path:  # noqa: ARG002 - wherever it falls
        """Its column."""
        return Path((game.move_to_text(move),))

    def symbol(self, seat: int) -> Piece:
        """X or O."""
        return SIDES[seat]


def _name(column: int, row: int) -> str:
    """A square by its column and row, both counted from 0 from the top left."""
    return f"{column + 1}.{ROWS - row}"
