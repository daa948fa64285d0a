"""A Reversi that is cut up, solved in this process by so many workers that answer as chance has it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from engines.solvers.reversi_board import Board, Position
from engines.solvers.reversi_cut import Cut, Job

Answer = tuple[int, int]
Solver = Callable[[Job], Answer]


def by_the_rules(board: Board) -> Solver:
    """Finds values by trying everything."""

    @cache
    def value(position: Position) -> int:
        moves = board.moves(position)
        if not moves:
            return board.final(position)
        return max(-value(board.play(position, move)) for move in moves)

    def solve(job: Job) -> Answer:
        """No more than was asked for, so that every question is worked for."""
        reached = value(Position(job.own, job.opp)) >= job.at_least
        return (job.at_least, board.squares) if reached else (-board.squares, job.at_least - 1)

    return solve


def solved(cut: Cut, solve: Solver, *, workers: int = 1, seed: int = 0, losses: float = 0.0) -> int:
    """Answer jobs until all is known, some of them lost; how many were answered."""
    chance, running, answers = Random(seed), list[Job](), 0
    while True:
        running += cut.jobs(workers - len(running))
        if cut.done:
            return answers
        job = running.pop(chance.randrange(len(running)))
        if chance.random() < losses:
            cut.lost(job)
            continue
        cut.answer(job, solve(job))
        answers += 1
