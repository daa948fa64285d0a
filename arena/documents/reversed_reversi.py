"""The opening, the rules and the results of the Reversed Reversi document.

Source: 第 8 組 (group 8), Reversed Reversi 專題書面報告 (project report), artificial intelligence course
112-2, Department of Computer Science and Information Engineering, Chang Gung University.
"""

from __future__ import annotations

from typing import NamedTuple

TITLE = "Reversed Reversi 專題書面報告"
TITLE_IN_ENGLISH = "Reversed Reversi: project report"

EMPTY, CROSS, CIRCLE, PLAYABLE = 0, 1, 2, 3

OPENING = (
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 3, 0, 0, 0),
    (0, 0, 0, 1, 2, 3, 0, 0),
    (0, 0, 3, 2, 1, 0, 0, 0),
    (0, 0, 0, 3, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0),
)
"""Its figure 2-1-1: 1 is X, who moves first, 2 is O, 3 a square where X may play."""

EXAMPLE_MOVES = ((3, 2), (2, 1))
"""The caption of its figure 1-2: X at (3,2), then O at (2,1)."""

ANSWER_SECONDS = 60
EXTENSIONS = 3
EXTENDED_SECONDS = 120
DEPTH = 5


class Entrant(NamedTuple):
    """A column of a results table: discs, time used and place as printed."""

    group: int
    discs: int
    time: str
    place: int


class Result(NamedTuple):
    """One results table of section 參, and what follows from the match, as printed."""

    round: str
    date: str
    entrants: tuple[Entrant, Entrant]
    consequence: str


RESULTS = (
    Result(
        "預賽",
        "2024/05/16",
        (Entrant(8, 24, "114.3s", 2), Entrant(22, 40, "3099998ns", 1)),
        "以組內第二名晉級八強賽",
    ),
    Result(
        "複賽",
        "2024/05/28",
        (Entrant(8, 15, "139.1s", 2), Entrant(4, 49, "76.7s", 1)),
        "止步十六強賽",
    ),
)

FIRST_WEIGHTS = (
    (-3, 9, -1, -1, -1, -1, 9, -3),
    (9, 9, -2, -2, -2, -2, 9, 9),
    (-1, -2, -2, -2, -2, -2, -2, -1),
    (-1, -2, -2, -3, -3, -2, -2, -1),
    (-1, -2, -2, -3, -3, -2, -2, -1),
    (-1, -2, -2, -2, -2, -2, -2, -1),
    (9, 9, -2, -2, -2, -2, 9, 9),
    (-3, 9, -1, -1, -1, -1, 9, -3),
)
"""The table `weight` of its figure 2-1-1, which its search never reads."""

SEARCH_WEIGHTS = (
    (20, -10, 5, 5, 5, 5, -10, 20),
    (-10, -20, -1, -1, -1, -1, -20, -10),
    (5, -1, -2, -2, -2, -2, -1, 5),
    (5, -1, -2, 0, 0, -2, -1, 5),
    (5, -1, -2, 0, 0, -2, -1, 5),
    (5, -1, -2, -2, -2, -2, -1, 5),
    (-10, -20, -1, -1, -1, -1, -20, -10),
    (20, -10, 5, 5, 5, 5, -10, 20),
)
"""The table of its figure 2-6-4, which its search does read."""

CONTRIBUTIONS = (22, 26, 26, 26)
"""The shares of its four members, in percent."""
