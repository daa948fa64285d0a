"""The counts of the L-Game document.

Source: 蔡明原、林順喜, 益智遊戲「L棋(L-Game)」之電腦解法及分析
(The L-Game: its solution by computer, and an analysis), Department of Information and Computer Education,
National Taiwan Normal University.
"""

from __future__ import annotations

TITLE = "益智遊戲「L棋(L-Game)」之電腦解法及分析"
TITLE_IN_ENGLISH = "The L-Game: its solution by computer, and an analysis"

POSITIONS = 36_736
POSITIONS_A_SIDE = 18_368
POSITIONS_UP_TO_SYMMETRY = 2_296

WIN_NODES_A_SIDE = 6_144
WIN_NODES_UP_TO_SYMMETRY = 768
LOSE_NODES = 240
LOSE_NODES_A_SIDE = 120
LOSE_NODES_UP_TO_SYMMETRY = 15
LOSE_NODES_WITH_L_IN_CORNER = 12
"""Of the 15; the conclusion calls it 80 % of the lost positions."""

FIRST_MOVES = 65
"""Positions that follow the initial one (its figure 5)."""

MIN_CHILDREN, MAX_CHILDREN = 13, 221
"""The fewest are those of a position that has any."""

CHILDREN = tuple(range(0, 222, 13))
"""The columns of the two histograms: how many positions may follow."""

HISTOGRAM = (
    *(240, 1440, 2400, 2880, 4880, 3456, 3920, 3072, 2016),
    *(3200, 3696, 1536, 1248, 896, 480, 512, 0, 864),
)
"""Positions of both sides by the number of positions that may follow."""

MEAN_CHILDREN = "88.89"

WIN_NODE_HISTOGRAM = (
    *(0, 0, 32, 96, 464, 848, 800, 928, 1040),
    *(1216, 2048, 1312, 784, 880, 464, 512, 0, 864),
)
"""WinNodes of both sides by the number of positions that may follow."""

WIN_NODES = 12_288
"""The sum printed under the second histogram: both sides, 6144 each."""

SURE_WIN_CHILDREN = 195
"""A position with so many children or more is a WinNode for certain, the document says."""

LIKELY_WIN_CHILDREN = 169
"""A position with so many children or more is almost always a WinNode, the document says."""

ROUNDS = (48, 48, 80, 48)
"""New lost positions of both sides in each round of the "special" positions."""

SPECIAL_UP_TO_SYMMETRY = 14
SPECIAL_A_SIDE = 112
LAST_WIN_NODES_A_SIDE = 8_048

FORCED_WIN_FROM_START = False
"""Without a mistake the game goes on for ever."""

Code = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int], int]

START_CODE: Code = ((1, 0, 3), (2, 3, 2), (0, 6), 0)
"""Its first position: column, row and direction of both Ls, empty squares before the discs, who is to"
" move."""

FIGURE_4: Code = ((2, 1, 0), (0, 1, 3), (1, 5), 0)
FIGURE_4_DISCS = ((3, 1), (2, 3))
FIGURE_4_BARS = "u", "r"
"""What its text says of figure 4: column and row of the discs, and on which side of its foot each L lies."""

HINTS = 4
FORESEEN = 3
"""Moves: to look so far ahead, it quotes, is more than a huge computer can do."""

PIECES, SQUARES = 1, 16
CODE_RANGES = (*((0, 3) for _ in range(6)), (0, 6), (0, 6), (0, 1))
"""The least and the greatest x1, y1, dir1, x2, y2, dir2, n1, n2 and who."""

CODE_BITS = 19
DISC_PAIRS = (8 * 15, 4 * 7)
"""Pairs of squares for the discs: on the whole board, and beside two Ls."""

ROUND_NUMBERS = 28
POINTER_KILOBYTES = 1536
PREDECESSORS_OF_A_LOSE_NODE = 24
CHANCES = (50, 66)
"""The chances of winning in its example (figure 8), in percent."""

SPECIAL_BOARDS = (3, 3, 8)
"""The special positions that it draws, of the first round, the second, and the rest."""
