"""One frontier position solved, wherever that is: what a job of `engines.solvers.reversi_cut` asks for."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engines.solvers.reversi_board import Board
from engines.solvers.reversi_cut import Job
from engines.solvers.reversi_search import Search
from engines.solvers.reversi_tree import Bounds


class Answer(NamedTuple):
    """What was found, and how many positions were searched for it."""

    bounds: Bounds
    nodes: int


def solve_leaf(board: Board, memory: int, job: Job) -> Answer:
    """Answer a job with a table of `memory` bytes, which this process keeps for the next one."""
    found = _search(board, memory).solve(job.own, job.opp, job.at_least - 1, job.at_least)
    return Answer((found.low, found.high), found.nodes)


@lru_cache(maxsize=1)
def _search(board: Board, memory: int) -> Search:
    return Search(board.rows, board.columns, reversed=board.reversed, memory=memory)
