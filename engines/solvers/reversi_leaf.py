"""One frontier position solved, wherever that is: what a job of `engines.solvers.reversi_cut` asks for."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engines.solvers.reversi_board import Board
from engines.solvers.reversi_cut import Job
from engines.solvers.reversi_search import Search, Stop
from engines.solvers.reversi_tree import Bounds


class Answer(NamedTuple):
    """What was found, too little where it is not `done`, and how many positions were searched for it."""

    bounds: Bounds
    nodes: int
    done: bool


def solve_leaf(board: Board, memory: int, job: Job, stop: Stop | None = None) -> Answer:
    """Answer a job with a table of `memory` bytes, which this process keeps for the next one.

    It is given up soon after the byte `stop` was set.

    Raises:
        SolverError: what is compiled was not built.
        MemoryError: there is not so much.
    """
    low, high, _, nodes, done = _search(board.rows, board.columns, board.reversed, memory).solve(
        job.own, job.opp, job.at_least - 1, job.at_least, stop=stop
    )
    return Answer((low, high), nodes, done)


@lru_cache(maxsize=1)
def _search(rows: int, columns: int, fewest: bool, memory: int) -> Search:
    return Search(rows, columns, reversed=fewest, memory=memory)
