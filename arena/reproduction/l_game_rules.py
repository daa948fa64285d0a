"""The four rules of the L-Game document taken together, and what its GeneralNodes can move into, counted.

A move follows the rules if all four hold of the mover's L in the position that it leads to, as
`engines.solvers.l_game_hints` asks them. Numbers are of one side; the other's are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engines.games.l_game import LGame
from engines.kernels import l_game_graph
from engines.solvers.l_game_hints import all_four
from engines.solvers.l_game_positions import boards_of_placements, number_of
from engines.solvers.retrograde import Graph, moves_into

DRAWN, LOST, WON_AT_ONCE = 0, 2, 3
"""The codes of drawn positions, of LoseNodes and of WinNodes."""


class Kept(NamedTuple):
    """Moves of a side, those that follow all four rules, and how many of these lose, and lose at once."""

    moves: int
    kept: int
    lost: int
    at_once: int


class Rules(NamedTuple):
    """The moves from the first position, and from all drawn ones.

    `example` is a first move that follows the rules and loses at once. Of `positions` drawn ones some have no
    move that follows the rules (`without`), and some have such a move that loses (`losing`).
    """

    start: Kept
    example: str
    drawn: Kept
    positions: int
    without: int
    losing: int


class Mixed(NamedTuple):
    """The GeneralNodes of a side, and those without a move into a WinNode, and without any other move."""

    nodes: int
    into_none: int
    into_all: int


def share(hint: Mapping[str, Any], which: str, result: str) -> float:
    """In what share of positions an analysed hint, followed or not, has that result for who has just moved.

    `which` is ``followed`` or ``not_followed``, and `result` a key of the analysis.
    """
    counts = hint["having_moved"][which]
    return float(counts[result] / counts["positions"])


def rules(graph: Graph, codes: npt.NDArray[np.uint8]) -> Rules:
    """What following the rules comes to in every drawn position, and in the first."""
    own, other, discs = l_game_graph.positions(boards_of_placements()).T
    kept = all_four(other, own, discs)[graph.successors]
    after = codes[graph.successors]
    where = np.repeat(np.arange(len(codes)), np.diff(graph.starts))
    lost = kept & (after % 2 == 1)
    drawn, start = codes == DRAWN, number_of(LGame().initial())
    follows, loses = (np.bincount(where[moves], minlength=len(codes)) > 0 for moves in (kept, lost))
    return Rules(
        _counted(where == start, kept, after),
        _example(kept & (where == start) & (after == WON_AT_ONCE), graph),
        _counted(drawn[where], kept, after),
        int(drawn.sum()),
        int((drawn & ~follows).sum()),
        int((drawn & loses).sum()),
    )


def _counted(moves: npt.NDArray[np.bool_], kept: npt.NDArray[np.bool_], after: npt.NDArray[np.uint8]) -> Kept:
    chosen = moves & kept
    lost, at_once = chosen & (after % 2 == 1), chosen & (after == WON_AT_ONCE)
    return Kept(*(int(each.sum()) for each in (moves, chosen, lost, at_once)))


def _example(chosen: npt.NDArray[np.bool_], graph: Graph) -> str:
    """The first of the chosen moves from the first position, as it is written; nothing where none is."""
    game, into = LGame(), set(graph.successors[chosen].tolist())
    start = game.initial()
    moves = (move for move in game.legal_moves(start) if number_of(game.play(start, move)) in into)
    return next(map(game.move_to_text, moves), "")


def mixed(graph: Graph, codes: npt.NDArray[np.uint8]) -> Mixed:
    """Whether a GeneralNode, which is neither a WinNode nor a LoseNode, has moves of both kinds."""
    general = (codes != WON_AT_ONCE) & (codes != LOST)
    wrong, moves = moves_into(graph, codes == WON_AT_ONCE), np.diff(graph.starts)
    return Mixed(*(int(each.sum()) for each in (general, general & (wrong == 0), general & (wrong == moves))))
