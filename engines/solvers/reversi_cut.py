"""Reversi solved from any position by work that is cut up: which positions to solve, and what follows.

Whoever solves them, in whatever order, and whatever gets lost: `Cut` asks until the value and every best
first move are known, and these are the same each time. It reads no clock and starts nothing.

The value is found by questions whether it is at least some number, each next one from what is known by then,
as in MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, *Best-first fixed-depth minimax algorithms*, Artificial
Intelligence 87, 1996). A first guess is a search of some plies with estimates at its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engines.game import Move
from engines.games.reversed_reversi import SIDES, ReversedReversi, State
from engines.solvers.endgame_limits import MAX_CUT_EMPTY
from engines.solvers.reversi_board import Board, Position
from engines.solvers.reversi_tree import Bounds, Node, Tree

LARGEST_FRONTIER = 26
GUESSED_PLIES = 4


def is_cut_up(game: ReversedReversi, state: State) -> bool:
    """Whether a position of a game is solved by work that is cut up."""
    return all(side in SIDES for side in game.sides) and game.most_turns(state) <= MAX_CUT_EMPTY


def usual_frontier(board: Board, root: Position) -> int:
    """With how many empty squares one below `root` is solved as it stands: six fewer than its, up to 26."""
    return min(LARGEST_FRONTIER, max(1, board.empty(root) - 6))


class Job(NamedTuple):
    """To find out whether a position's value is at least that for the side to move."""

    own: int
    opp: int
    at_least: int


class Forecast(NamedTuple):
    """How many more frontier positions the question in hand will take, by the prices of the tree.

    `least` and `most` are what forecasts since half of those solved until now would have had it be: as far as
    they are apart, the forecast has moved. They are no bounds.
    """

    left: float
    least: float
    most: float


class Standing(NamedTuple):
    """How far it is: what is proven of the root's value, the question in hand, and the work done.

    `share` is how much of the question is decided: each move has an equal part of its position's, and a
    position that is decided counts whole. It is never too high, but leaps where one answer decides much.
    `answers` are those that came to the question in hand, `known` all positions of which answers have told
    something, and `positions` those of the tree.
    """

    low: int
    high: int
    at_least: int
    share: float
    answers: int
    known: int
    positions: int
    forecast: Forecast


class Result(NamedTuple):
    """The root's value for its mover, and all moves that keep it, ascending."""

    value: int
    moves: tuple[Move, ...]


class Cut:
    """A position that is being solved by its frontier positions; `known` are bounds found before.

    What is known of positions above the frontier is left alone: a proof rests on those of the frontier.
    `running` are the jobs that are given out, `questions` is how many were asked, the one in hand with them.
    """

    def __init__(
        self, board: Board, root: Position, frontier: int, known: Mapping[Position, Bounds] | None = None
    ) -> None:
        self.board = board
        self.start = root
        frontier = min(frontier, board.empty(root) - 1)
        below = {each: bounds for each, bounds in (known or {}).items() if board.empty(each) <= frontier}
        self.tree = Tree(board, root, frontier, below)
        self.running: dict[Job, list[Node]] = {}
        self.done = False
        self.questions = 0
        self._goals: list[Node] = []
        self._begun = False
        self._answers = 0
        self._totals: list[float] = []
        self._advance()

    def jobs(self, most: int) -> list[Job]:
        """Up to so many jobs that nobody has yet, the most useful first; fewer where there are no more."""
        found: list[Job] = []
        tree = self.tree
        while len(found) < most and not self.done:
            leaf = tree.promising(self._goals) or tree.spare(self._goals)
            if leaf is None:
                if not self._advance():
                    break
                continue
            job = Job(*leaf.position, tree.needed(leaf))
            if job in self.running:  # it is asked already, for the other side to move
                self.running[job].append(leaf)
            else:
                self.running[job] = [leaf]
                found.append(job)
            tree.mark(leaf, running=True)
        return found

    def answer(self, job: Job, bounds: Bounds) -> None:
        """Take in what a job found, whether or not it is still wanted, or ever was given out here.

        Raises:
            ContradictionError: it cannot be true beside earlier answers.
        """
        self.lost(job)
        self.tree.learn(Position(job.own, job.opp), bounds)
        self._answers += 1
        self._totals.append(self._answers + self._left())
        self._advance()

    def lost(self, job: Job) -> None:
        """Whoever had the job will not answer; it is given out again if it is still wanted."""
        for leaf in self.running.pop(job, []):
            self.tree.mark(leaf, running=False)

    def useless(self) -> list[Job]:
        """The jobs that are given out and whose answers decide nothing any more."""
        wanted = self.tree.wanted(self._goals)
        return [job for job, leaves in self.running.items() if not any(map(wanted, leaves))]

    def standing(self) -> Standing:
        """How far it is."""
        tree, root, done, left = self.tree, self.tree.root, self._answers, self._left()
        totals = self._totals[len(self._totals) // 2 :] or [done + left]
        forecast = Forecast(left, max(0.0, min(totals) - done), max(0.0, max(totals) - done))
        share = sum(goal.share for goal in self._goals) / len(self._goals) if self._goals else 1.0
        return Standing(root.low, root.high, tree.at_least, share, done, len(tree.known), len(tree), forecast)

    def result(self) -> Result:
        """The value and the best moves.

        Raises:
            ValueError: something is still to be found out.
        """
        if not self.done:
            raise ValueError("not all has been found out yet")
        value = self.tree.root.low
        moves = self.board.moves(self.start)
        return Result(value, tuple(move for move in moves if self._after(move).high <= -value))

    def _after(self, move: Move) -> Node:
        """What a first move leads to."""
        return self.tree.at(self.board.canonical(self.board.play(self.start, move)), 1)

    def _left(self) -> float:
        """The price of the question in hand: that of the cheaper answer, and what is being solved."""
        return len(self.running) + sum(min(goal.yes, goal.no) for goal in self._goals)

    def _advance(self) -> bool:
        """Ask the next question as long as the one in hand is decided; whether there was another."""
        tree, asked = self.tree, False
        while not self.done:
            self._goals = [goal for goal in self._goals if not tree.decided(goal)]
            if self._goals:
                break
            self._goals, at_least = self._next()
            self.done = not self._goals
            tree.ask(at_least, self._goals)
            self.questions += 1
            self._answers, self._totals, asked = 0, [], True
        return asked

    def _next(self) -> tuple[list[Node], int]:
        """Whose value is asked for next, and the number; nobody's when all is known.

        Once the root's value is known it is asked of every first move whether it is worth less.
        """
        tree, root = self.tree, self.tree.root
        if root.exact:
            tree.expand(root)
            value = -root.low
            return [child for child in root.children if child.low <= value < child.high], root.low
        if not self._begun:
            self._begun = True
            return [root], min(max(self._guess(), root.low + 1), root.high)
        return [root], root.low + 1 if root.low >= tree.at_least else root.high

    def _guess(self) -> int:
        """What the root may be worth."""
        return round(_estimate(self.board, self.start, GUESSED_PLIES))


def _estimate(board: Board, position: Position, plies: int) -> float:
    """The value of a position by a search of so many plies, with estimates where it ends."""
    moves = board.moves(position)
    if not moves:
        return board.final(position)
    if plies == 0:
        return board.estimate(position)
    return max(-_estimate(board, board.play(position, move), plies - 1) for move in moves)
