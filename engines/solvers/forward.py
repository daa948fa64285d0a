"""Solves games that cannot come back: an index falls with every move, so the end of play is never far.

Positions are settled in ascending order of the index, each after all that it leads to. `explore` finds the
positions of any such game by its rules; sets from which subsets are taken need no list of positions, because
their index says it all, and nor do heaps (`engines.solvers.heaps`). Every table is of codes as
`engines.solvers.oracle` defines them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from engines.game import Game
from engines.kernels import forward as kernel
from engines.kernels.jit import Codes
from engines.solvers.oracle import Progress, no_progress

S = TypeVar("S", bound=Hashable)

RUNS = 64
"""Parts in which a large table is settled, so that progress can be told in between."""

PIECE = 1 << 20
"""Entries of a table that are recoded at a time."""


class Graph(NamedTuple, Generic[S]):
    """The positions that play can reach, every one after its successors, and the moves between them.

    The successors of position ``p`` are ``successors[starts[p]:starts[p + 1]]``, in the order of the legal
    moves. Shapes: `starts` (positions + 1,) int64, `successors` (moves,) int32.
    """

    states: list[S]
    numbers: dict[S, int]
    starts: npt.NDArray[np.int64]
    successors: npt.NDArray[np.int32]


def explore(game: Game[S], index: Callable[[S], int]) -> Graph[S]:
    """Every position that play can reach, in ascending order of `index`.

    Raises:
        ValueError: a move does not make the index smaller.
    """
    after: dict[S, list[S]] = {}
    reached = [game.initial()]
    seen = set(reached)
    for state in reached:  # grows as it is read
        after[state] = [game.play(state, move) for move in game.legal_moves(state)]
        for successor in after[state]:
            if index(successor) >= index(state):
                raise ValueError(f"the index does not fall from {state} to {successor}")
            if successor not in seen:
                seen.add(successor)
                reached.append(successor)
    states = sorted(reached, key=index)
    numbers = {state: number for number, state in enumerate(states)}
    starts = np.cumsum([0, *(len(after[state]) for state in states)], dtype=np.int64)
    successors = [numbers[successor] for state in states for successor in after[state]]
    return Graph(states, numbers, starts, np.array(successors, np.int32))


def solve(game: Game[S], graph: Graph[S]) -> Codes:
    """The code of every position of `graph`: shape (positions,), uint16."""
    top = np.iinfo(np.uint16).max
    values = np.zeros(len(graph.states), np.uint16)
    for number in np.flatnonzero(np.diff(graph.starts) == 0):
        state = graph.states[number]
        outcome = game.outcome(state)
        winner = None if outcome is None else outcome.winner
        values[number] = top // 2 if winner is None else top if winner == game.to_move(state) else 0
    kernel.settle(values, graph.starts, graph.successors, top)
    return recoded(values)


def solve_sets(elements: int, masks: Sequence[int], progress: Progress = no_progress) -> Codes:
    """The code of every set of at most `elements`, by its bit mask: shape (2**elements,), uint8.

    A move takes a subset that is one of `masks`; every element alone is one. Who takes the last one loses.
    """
    values = np.empty(1 << elements, np.uint8)
    values[0] = np.iinfo(np.uint8).max  # nothing is left: the other side has lost
    allowed = np.array(masks, np.int64)
    blocks = max(1, len(values) >> kernel.LOW)
    for first, last in runs(blocks, progress):
        kernel.settle_sets(values, allowed, first, last)
    return recoded(values)


def runs(total: int, progress: Progress) -> Iterator[tuple[int, int]]:
    """The parts of a table, first and last plus one; asking for the next says that one is done."""
    step = -(-total // RUNS)
    for first in range(0, total, step):
        last = min(total, first + step)
        yield first, last
        progress(last, total)


def recoded(values: Codes) -> Codes:
    """The values that the kernels work with, replaced by their codes in place."""
    top = np.iinfo(values.dtype).max
    distance = np.arange(top // 2, dtype=values.dtype)
    codes = np.zeros(top + 1, values.dtype)
    codes[: top // 2] = 2 * distance + 2
    codes[top : top // 2 + 1 : -1] = 2 * distance + 1
    for first in range(0, len(values), PIECE):
        piece = values[first : first + PIECE]
        piece[:] = codes[piece]
    return values
