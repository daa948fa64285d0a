"""What the rhombic-chess document says beyond its table: other boards, its trees, and what hints help."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from arena.reproduction.record_sets import Where
from engines.games.rhombic_chess import POINTS, RhombicChess, State
from engines.kernels import rhombic_graph
from engines.solvers.oracle import decoded
from engines.solvers.retrograde import Graph, solve
from engines.solvers.rhombic_boards import Board, boards, judged
from engines.solvers.rhombic_positions import graph_of, layer_size
from engines.stream import derive
from workers.core.contract import GameSpec, Policy
from workers.play.policy import policy_of
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import SimulatedPlayer, SimulationSpec, Tally

HINTS = (0, 10, 25, 50, 100)
TEN = 10
LOST = 2


class Helped(NamedTuple):
    """A person with hints in so many of 100 turns: its games against one without, seats exchanged."""

    hints: int
    tally: Tally


class Facts(NamedTuple):
    """`boards` are all that were judged by the row of ten stones; `blocked` is an example of no move.

    `results` are those of the small trees of figure 3, and `completed` those of a position with a won, a
    drawn and an unknown successor, by what the unknown one turns out to be. `codes` are the first and the
    last position with ten stones, by the document's digits. `table_bytes` is the size of our table, and
    `seconds` is how long finding all values took here.
    """

    boards: tuple[Board, ...]
    blocked: State
    blocked_number: int
    helped: tuple[Helped, ...]
    results: dict[str, int]
    completed: dict[int, int]
    codes: tuple[str, str]
    table_bytes: int
    seconds: float


def facts(games: int, where: Where, advance: Callable[[], None]) -> Facts:
    """All of it; `advance` is called twice."""
    began = time.perf_counter()
    graph = graph_of()
    codes = solve(graph)
    seconds = time.perf_counter() - began
    ten = codes[: layer_size(TEN)]
    own, other = rhombic_graph.positions()[int(np.flatnonzero(ten == LOST)[0])]
    judged_boards = tuple(map(judged, boards()))
    advance()
    helped = tuple(_helped(hints, games, where) for hints in HINTS)
    advance()
    return Facts(
        judged_boards,
        State(int(own), int(other), 0),
        int((ten == LOST).sum()),
        helped,
        explained(),
        completed(),
        ten_stone_codes(),
        len(codes),
        seconds,
    )


LOST_LEAF, WON_LEAF, DRAWN_LEAF = 10, 11, 12
LEAVES = {LOST_LEAF: [], WON_LEAF: [LOST_LEAF], DRAWN_LEAF: [13], 13: [DRAWN_LEAF]}
"""Positions of each result: without a move, with a move to that one, and in a circle for ever."""


def explained() -> dict[str, int]:
    """The result of a position with a lost successor, with drawn ones at best, and with won ones only."""
    trees = {
        "some lost": [LOST_LEAF, DRAWN_LEAF, WON_LEAF],
        "drawn at best": [DRAWN_LEAF, WON_LEAF],
        "all won": [WON_LEAF, WON_LEAF],
    }
    return {name: _result(successors) for name, successors in trees.items()}


def completed() -> dict[int, int]:
    """The result of a position with a won, a drawn and one more successor, by the result of that one."""
    unknown = {-1: LOST_LEAF, 0: DRAWN_LEAF, 1: WON_LEAF}
    return {result: _result([WON_LEAF, DRAWN_LEAF, leaf]) for result, leaf in unknown.items()}


def _result(successors: list[int]) -> int:
    """What the retrograde solver finds for a position with these successors of `LEAVES`."""
    lists = {0: successors, **LEAVES}
    counts = [len(lists.get(number, [])) for number in range(14)]
    starts = np.cumsum([0, *counts], dtype=np.int64)
    listed = np.array([each for number in range(14) for each in lists.get(number, [])], np.int32)
    codes = solve(Graph(starts, listed, np.full(14, -1, np.int8)))
    return decoded(int(codes[0])).result


def ten_stone_codes() -> tuple[str, str]:
    """The least and the greatest position with ten stones, a digit a point."""
    boards = rhombic_graph.positions()[: layer_size(TEN)].astype(np.int64)
    bits = np.arange(POINTS)
    digits = (boards[:, :1] >> bits & 1) + 2 * (boards[:, 1:] >> bits & 1)
    order = np.lexsort(digits.T[::-1])
    first, last = ("".join(map(str, digits[at])) for at in (order[0], order[-1]))
    return first, last


def _helped(hints: int, games: int, where: Where) -> Helped:
    game = RhombicChess()
    names = f"person:{hints}", "person:0"
    first, second = (SimulatedPlayer(name=name, strategy=name) for name in names)
    spec = SimulationSpec(
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        players=(first, second),
        games=games,
        seed=derive("reproduction", where.seed, "hints", hints),
        swap=True,
        policy=policy_of(game, Policy()),
    )
    blocks = play_chunk(spec, 0, games, cut=0)
    return Helped(hints, sum((block.tally for block in blocks), Tally()))
