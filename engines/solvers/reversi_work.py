"""What whoever has Reversi solved by work that is cut up needs of it: see `engines.plugin.Solver`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engines.games.reversed_reversi import SYMBOLS, ReversedReversi
from engines.solvers import reversi_bounds
from engines.solvers.oracle import Solution, SolverError
from engines.solvers.reversed_reversi import is_solved
from engines.solvers.reversi_board import Board, Position
from engines.solvers.reversi_bounds import BoundsError, Kept
from engines.solvers.reversi_cut import LARGEST, Cut, Job, is_cut_up, usual_frontier
from engines.solvers.reversi_leaf import Answer, solve_leaf
from engines.solvers.reversi_proof import proof
from engines.solvers.reversi_tree import Bounds

__all__ = ["Answer", "BoundsError", "Cut", "Job", "Kept", "Work"]


class Work:
    """The start of one game as work that is cut up.

    Raises:
        SolverError: the board has too many squares.
    """

    def __init__(self, game: ReversedReversi) -> None:
        if not is_cut_up(game):
            columns, rows = game.sides
            message = f"{game.name} is cut up on at most {LARGEST} squares, not on {columns} by {rows}"
            raise SolverError(message)
        self.game = game
        self.board = Board.of(game)
        self.frontier = usual_frontier(self.board)

    @staticmethod
    def is_only_way(game: ReversedReversi) -> bool:
        """Whether the start can be solved, and not in another way."""
        return is_cut_up(game) and not is_solved(game)

    def begin(self, frontier: int, known: Mapping[Position, Bounds]) -> Cut:
        """The work with that frontier, of which so much is known."""
        return Cut(self.board, self.board.start(), frontier, known)

    def answer(self, memory: int, job: Job, stop: memoryview) -> Answer:
        """Do a job: `engines.solvers.reversi_leaf.solve_leaf`."""
        return solve_leaf(self.board, memory, job, stop)

    def first_line(self, frontier: int) -> tuple[bytes, int]:
        """The first line of a checkpoint, and its checksum."""
        return reversi_bounds.first_line(self.game, frontier)

    def line(self, job: Job, bounds: Bounds, checksum: int) -> tuple[bytes, int]:
        """The line of an answer after one with that checksum, and its own."""
        return reversi_bounds.line(Position(job.own, job.opp), bounds, checksum)

    def read(self, lines: Iterable[bytes]) -> Kept:
        """What a checkpoint says.

        Raises:
            BoundsError: it cannot be gone on from.
        """
        return reversi_bounds.read(lines, self.game)

    def proof(self, cut: Cut) -> Iterator[bytes]:
        """The lines of the proof of what was found out."""
        return proof(self.game, cut)

    def solution(self, cut: Cut) -> Solution:
        """What is known, for JSON; value, winner and best moves in the end."""
        standing = cut.standing()
        told: Solution = {
            "game": self.game.name,
            "params": self.game.params,
            "interrupted": not cut.done,
            "value": None,
            "winner": None,
            "moves": [],
            "low": standing.low,
            "high": standing.high,
            "at_least": standing.at_least,
            "share": standing.share,
            "frontier": cut.tree.frontier,
            "known": standing.known,
        }
        if cut.done:
            value, moves = cut.result()
            told |= {"value": value, "winner": SYMBOLS[value < 0] if value else None}
            told["moves"] = [self.game.move_to_text(move) for move in moves]
        return told
