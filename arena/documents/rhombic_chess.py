"""The table of the rhombic-chess document.

Source: 劉哲志、林順喜, 益智遊戲「斜方棋」之電腦解法及分析
(Rhombic chess: its solution by computer, and an analysis), Department of Information and Computer Education,
National Taiwan Normal University.
"""

from __future__ import annotations

from typing import NamedTuple

TITLE = "益智遊戲「斜方棋」之電腦解法及分析"
TITLE_IN_ENGLISH = "Rhombic chess: its solution by computer, and an analysis"


class Row(NamedTuple):
    """Positions with so many stones on the board, and what they are for the side to move."""

    stones: int
    positions: int
    wins: int
    losses: int
    draws: int


ROWS = (
    Row(10, 72072, 38608, 32436, 1028),
    Row(9, 90090, 86620, 3138, 332),
    Row(8, 90090, 10922, 79038, 130),
    Row(7, 60060, 59334, 694, 32),
    Row(6, 34320, 1704, 32616, 0),
    Row(5, 12870, 12870, 0, 0),
    Row(4, 4290, 0, 4290, 0),
    Row(3, 858, 858, 0, 0),
    Row(2, 156, 0, 156, 0),
    Row(1, 13, 13, 0, 0),
    Row(0, 13, 0, 13, 0),
)
"""The last row is printed as "0 13 0 13 0", although there is one board without stones."""

SECOND_PLAYER_WINS = True
"""The document's theorem: with the right play from its third stone on, the second player wins."""

GAMES_COUNTED = 10
GAMES_NAMED = (
    *("直棋", "梅花棋", "蛇梯棋", "斜方棋", "四子棋"),
    *("孔明棋", "江山變色棋", "洋棋", "西洋雙陸棋", "雙井棋"),
)
"""The games of the newspaper, as its introduction lists them."""

CODES = ("0001111122222", "2222211111000")
"""The first and the last position with ten stones: 0 an empty point, 1 the mover's stone, 2 the other's."""

BYTES = (72_072, 45_045)
"""What it reckons for the next moves with ten stones and with nine."""
