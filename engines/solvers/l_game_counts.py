"""What Tsai and Lin counted of the L-Game, and what the exact values add.

Their paper follows single nodes of the tree: a LoseNode has no move, a WinNode has a move to a LoseNode of
the other side. Then come rounds of "special" nodes, all of whose moves lead to WinNodes; each round makes
them LoseNodes and looks for new WinNodes. In plies: the special nodes of round ``r`` are lost at distance
``2 * r``, the WinNodes that they make are won at ``2 * r + 1``, and round 0 is the plain nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engines.games.l_game import SIZE, SQUARES, LGame, State
from engines.kernels import l_game_graph
from engines.solvers.l_game_hints import CORNERS, angle_square, measured
from engines.solvers.l_game_positions import boards_of_placements, graph_of, number_of
from engines.solvers.oracle import Progress, Solution, decoded
from engines.solvers.retrograde import Graph, solve
from engines.symmetry import of_board

Words = npt.NDArray[np.uint16]
Flags = npt.NDArray[np.bool_]

MANY_MOVES = (169, 195)
"""From these numbers of moves on a position is "almost always" and "always" won, the paper says."""
SIDES = 2


class Solved(NamedTuple):
    """Every position a side to move can see: bitboards, graph, value codes, and the least of its eight."""

    boards: Words
    graph: Graph
    codes: npt.NDArray[np.uint8]
    classes: npt.NDArray[np.uint64]

    def kinds(self, chosen: Flags) -> int:
        """How many positions are `chosen`, up to symmetry."""
        return len(np.unique(self.classes[chosen]))


def counts(game: LGame, progress: Progress) -> Solution:
    """The whole analysis, fit for JSON; numbers are of one side to move unless they say otherwise."""
    progress(0, 3)
    graph = graph_of()
    boards = l_game_graph.positions(boards_of_placements())
    progress(1, 3)
    solved = Solved(boards, graph, solve(graph), classes_of(boards))
    progress(2, 3)
    lost = _lost_positions(game, solved)
    everywhere = np.ones(len(boards), np.bool_)
    solution = {
        "game": game.name,
        "positions": {
            "a_side": len(boards),
            "both_sides": SIDES * len(boards),
            "up_to_symmetry": solved.kinds(everywhere),
        },
        "values": _values(solved),
        "moves": _moves(solved),
        "many_moves": [_many(solved, least) for least in MANY_MOVES],
        "rounds": _rounds(solved),
        "distances": _distances(solved),
        "lost_positions": lost,
        "corners": [
            _corners("no move", [each for each in lost if each["round"] == 0]),
            _corners("special", [each for each in lost if each["round"] > 0]),
        ],
        "start": _start(game, solved),
        "hints": measured(solved.boards, solved.codes),
    }
    progress(3, 3)
    return solution


def classes_of(boards: Words) -> npt.NDArray[np.uint64]:
    """For each position the least number that its bitboards spell among the board's eight symmetries."""
    least = np.full(len(boards), np.iinfo(np.uint64).max, np.uint64)
    for permutation in of_board(SIZE):
        image = np.zeros_like(boards)
        for start, end in enumerate(permutation):
            image |= (boards >> start & 1) << end
        spelt = np.zeros(len(boards), np.uint64)
        for board in image.T:
            spelt = spelt << np.uint64(SQUARES) | board
        least = np.minimum(least, spelt)
    return least


def _values(solved: Solved) -> dict[str, dict[str, int]]:
    """How many positions are won, lost and drawn, at once (the paper's WinNodes and LoseNodes) or at all."""
    codes = solved.codes
    chosen = {
        "won_at_once": codes == 3,
        "lost_at_once": codes == 2,
        "won": codes % 2 == 1,
        "lost": (codes % 2 == 0) & (codes > 0),
        "drawn": codes == 0,
    }
    return {name: _numbers(solved, flags) for name, flags in chosen.items()}


def _numbers(solved: Solved, chosen: Flags) -> dict[str, int]:
    number = int(chosen.sum())
    kinds = solved.kinds(chosen)
    return {"a_side": number, "both_sides": SIDES * number, "up_to_symmetry": kinds}


def _moves(solved: Solved) -> Solution:
    """The histogram of numbers of moves, both sides together, with the won positions among them."""
    moves = np.diff(solved.graph.starts)
    at_once, won = solved.codes == 3, solved.codes % 2 == 1
    rows = [
        {
            "moves": number,
            "positions": SIDES * int((moves == number).sum()),
            "won_at_once": SIDES * int((at_once & (moves == number)).sum()),
            "won": SIDES * int((won & (moves == number)).sum()),
        }
        for number in range(0, int(moves.max()) + 1, l_game_graph.TAILS)
    ]
    able = moves[moves > 0]
    return {
        "fewest": int(able.min()),
        "most": int(moves.max()),
        "mean": float(moves.mean()),
        "mean_where_there_are_any": float(able.mean()),
        "histogram": rows,
    }


def _many(solved: Solved, least: int) -> dict[str, int]:
    """How many positions have at least so many moves, and how many of them are won; both sides together."""
    many = np.diff(solved.graph.starts) >= least
    return {
        "at_least": least,
        "positions": SIDES * int(many.sum()),
        "won_at_once": SIDES * int((many & (solved.codes == 3)).sum()),
        "won": SIDES * int((many & (solved.codes % 2 == 1)).sum()),
    }


def _rounds(solved: Solved) -> list[dict[str, int]]:
    """The rounds of special nodes, one by one; round 0 are those that have no move."""
    codes, rows = solved.codes, []
    rounds = (int(codes[codes % 2 == 0].max()) - 2) // 4
    for number in range(rounds + 1):
        lost, won = codes == 4 * number + 2, codes == 4 * number + 3
        rows.append(
            {
                "round": number,
                "lost": int(lost.sum()),
                "lost_both_sides": SIDES * int(lost.sum()),
                "lost_up_to_symmetry": solved.kinds(lost),
                "won": int(won.sum()),
                "won_so_far": int(((codes % 2 == 1) & (codes <= 4 * number + 3)).sum()),
            }
        )
    return rows


def _distances(solved: Solved) -> list[dict[str, int | str]]:
    """How many positions are won or lost in each number of plies."""
    rows: list[dict[str, int | str]] = []
    for code in np.unique(solved.codes[solved.codes > 0]):
        result, distance = decoded(int(code))
        number = int((solved.codes == code).sum())
        rows.append({"plies": distance or 0, "result": "won" if result > 0 else "lost", "positions": number})
    return rows


def _lost_positions(game: LGame, solved: Solved) -> list[Solution]:
    """The lost positions up to symmetry, drawn with X to move, those without a move first."""
    lost = np.flatnonzero((solved.codes % 2 == 0) & (solved.codes > 0))
    _, firsts = np.unique(solved.classes[lost], return_index=True)
    chosen = sorted(lost[firsts], key=lambda number: (solved.codes[number], solved.classes[number]))
    return [_lost_position(game, solved, int(number)) for number in chosen]


def _lost_position(game: LGame, solved: Solved, number: int) -> Solution:
    spelt = int(solved.classes[number])
    own, opp, discs = (spelt >> SQUARES * place & 0xFFFF for place in (2, 1, 0))
    state = State(own, opp, discs, 0)
    return {
        "round": (int(solved.codes[number]) - 2) // 4,
        "angle_in_corner": bool(angle_square(own) & CORNERS),
        "covers_corner": bool(own & CORNERS),
        "moves": len(game.legal_moves(state)),
        "state": game.state_to_json(state),
        "drawing": game.draw(state).split("\n"),
    }


def _corners(which: str, lost: Sequence[Solution]) -> Solution:
    """How many of these lost positions have the L's right angle in a corner, and how many cover one."""
    return {
        "which": which,
        "positions": len(lost),
        "angle_in_corner": sum(each["angle_in_corner"] for each in lost),
        "covers_corner": sum(each["covers_corner"] for each in lost),
    }


def _start(game: LGame, solved: Solved) -> Solution:
    """The value of the first position, and how many of its moves lose."""
    state = game.initial()
    after = [game.play(state, move) for move in game.legal_moves(state)]
    here, *codes = (int(solved.codes[number_of(each)]) for each in (state, *after))
    result = decoded(here).result
    return {
        "result": {1: "won", 0: "drawn", -1: "lost"}[result],
        "forced_win": result != 0,
        "moves": len(codes),
        "moves_that_lose": sum(code % 2 for code in codes),
    }
