"""What whoever has Reversi solved by work that is cut up needs of it: see `engines.plugin.Solver`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engines.games.reversed_reversi import SYMBOLS, ReversedReversi, State
from engines.solvers import reversi_bounds
from engines.solvers.endgame_limits import MAX_CUT_EMPTY, MAX_EMPTY
from engines.solvers.oracle import Solution, SolverError
from engines.solvers.reversed_reversi import is_solved
from engines.solvers.reversi_board import Board, Position
from engines.solvers.reversi_bounds import BoundsError, ReadBounds
from engines.solvers.reversi_cut import Cut, Job, Result, Standing, is_cut_up, usual_frontier
from engines.solvers.reversi_leaf import Answer, solve_leaf
from engines.solvers.reversi_proof import proof
from engines.solvers.reversi_tree import Bounds

__all__ = ["Answer", "BoundsError", "Cut", "Job", "ReadBounds", "Work"]


class Work:
    """One position of a game as work that is cut up: `position`, or the start, of which it is None.

    What is told of it are values for X, whoever is to move.

    Raises:
        SolverError: the board is too large, or has too many empty squares.
    """

    def __init__(self, game: ReversedReversi, position: State | None = None) -> None:
        state = game.initial() if position is None else position
        if not is_cut_up(game, state):
            columns, rows = game.sides
            raise SolverError(
                "%(game)s is cut up on boards of up to 8 by 8 with at most %(most)s empty squares;"
                " here are %(empty)s on %(columns)s by %(rows)s",
                game=game.name,
                most=MAX_CUT_EMPTY,
                empty=game.most_turns(state),
                columns=columns,
                rows=rows,
            )
        self.game = game
        self.position = None if state == game.initial() else state
        self.board = Board.of(game)
        self.root = Position(state.own, state.opp)
        self.frontier = usual_frontier(self.board, self.root)
        self._seat = state.seat

    @staticmethod
    def is_only_way(game: ReversedReversi, position: State | None = None) -> bool:
        """Whether a position, or the start, can be solved, and not in another way."""
        if position is None:
            return is_cut_up(game, game.initial()) and not is_solved(game)
        return is_cut_up(game, position) and game.most_turns(position) > MAX_EMPTY

    def begin(self, frontier: int, known: Mapping[Position, Bounds]) -> Cut:
        """The work with that frontier, of which so much is known."""
        return Cut(self.board, self.root, frontier, known)

    def answer(self, memory: int, job: Job, stop: memoryview) -> Answer:
        """Do a job: `engines.solvers.reversi_leaf.solve_leaf`."""
        return solve_leaf(self.board, memory, job, stop)

    def first_line(self, frontier: int) -> tuple[bytes, int]:
        """The first line of a checkpoint, and its checksum."""
        return reversi_bounds.first_line(self.game, frontier, self.position)

    def line(self, job: Job, bounds: Bounds, checksum: int) -> tuple[bytes, int]:
        """The line of an answer after one with that checksum, and its own."""
        return reversi_bounds.line(Position(job.own, job.opp), bounds, checksum)

    def read(self, lines: Iterable[bytes]) -> ReadBounds:
        """What a checkpoint says.

        Raises:
            BoundsError: it cannot be gone on from.
        """
        return reversi_bounds.read(lines, self.game, self.position)

    def proof(self, cut: Cut) -> Iterator[bytes]:
        """The lines of the proof of what was found out."""
        return proof(self.game, cut, self.position)

    def standing(self, cut: Cut) -> Standing:
        """How far it is, with the bounds and the question of X."""
        told = cut.standing()
        if self._seat == 0:
            return told
        return told._replace(low=-told.high, high=-told.low, at_least=1 - told.at_least)

    def result(self, cut: Cut) -> Result:
        """The value for X, and the best moves of whoever is to move.

        Raises:
            ValueError: something is still to be found out.
        """
        told = cut.result()
        return told if self._seat == 0 else told._replace(value=-told.value)

    def position_to_json(self) -> dict[str, Any] | None:
        """The position as a state of the game; None of the start."""
        return None if self.position is None else self.game.state_to_json(self.position)

    def solution(self, cut: Cut) -> Solution:
        """What is known, for JSON; value, winner and best moves in the end."""
        standing = self.standing(cut)
        told: Solution = {
            "game": self.game.name,
            "params": self.game.params,
            "position": self.position_to_json(),
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
            value, moves = self.result(cut)
            told |= {"value": value, "winner": SYMBOLS[value < 0] if value else None}
            told["moves"] = [self.game.move_to_text(move) for move in moves]
        return told
