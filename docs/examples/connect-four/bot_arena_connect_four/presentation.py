"""How Connect Four is shown on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engines.presentation import Presentation, Words


class ConnectFourPresentation(Presentation):
    """Its name, its board, and how a game ends, in both languages."""

    board = "bot_arena_connect_four:board.html"
    reasons: ClassVar = {
        "four_in_line": Words("four in a line", "四子連成一線"),
        "board_full": Words("the board is full", "棋盤已滿"),
    }

    def title(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - it has none
        """Its name."""
        return Words("Connect Four", "四子棋")
