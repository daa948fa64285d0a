"""Reversi played perfectly from positions with few empty squares, on boards of up to 8 by 8."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engines.game import Move, Score
from engines.games.reversed_reversi import ReversedReversi, State
from engines.kernels import reversi_endgame as kernel
from engines.solvers.endgame_limits import LONGEST_SIDE, MAX_EMPTY
from engines.solvers.judging import Worth
from engines.solvers.oracle import Progress, SolverError, Value, no_progress

KNOWN = 1 << 20
"""Positions that a search keeps, of 24 bytes."""
NO_LIMIT = 2**64 - 1
MOST_NODES = 100_000_000
"""Positions that are searched for one game that is judged: less than a minute on a server's core of 2023."""


class Ending(NamedTuple):
    """How a position ends when both sides play for the best score.

    `margin` is the mover's discs less the other side's at the end, `line` one way of perfect play to it, and
    `score` what it comes to by seat. `nodes` counts the positions searched, the last few plies left out.
    """

    margin: int
    score: Score
    line: tuple[Move, ...]
    nodes: int


def empty_squares(game: ReversedReversi, state: State) -> int:
    """How many squares are empty."""
    return game.geometry.squares - (state.own | state.opp).bit_count()


def solve_endgame(game: ReversedReversi, state: State, progress: Progress = no_progress) -> Ending:
    """The score of `state` with perfect play; `progress` is told of the moves tried.

    Raises:
        SolverError: the board is too large, or too many squares are empty.
    """
    empty = empty_squares(game, state)
    if max(game.sides) > LONGEST_SIDE:
        raise SolverError(f"endings are solved on boards of at most 8 by 8 squares, not {game.size}")
    if empty > MAX_EMPTY and game.outcome(state) is None:
        raise SolverError(f"endings are solved with at most {MAX_EMPTY} empty squares; here are {empty}")
    memory = _memory(NO_LIMIT)
    line: list[Move] = []
    end = state
    while (outcome := game.outcome(end)) is None:
        line.append(_best_move(game, end, memory, no_progress if line else progress))
        end = game.play(end, line[-1])
    margin = outcome.score[state.seat] - outcome.score[1 - state.seat]
    return Ending(margin, outcome.score, tuple(line), int(memory.nodes[0]))


class EndingJudge:
    """Knows what the late positions of a game are worth by score, as far as `most` searched positions go.

    What it has found out of one position it uses for the next: ask it for a game's positions from the last.
    """

    def __init__(self, game: ReversedReversi, most: int = MOST_NODES) -> None:
        """Take up a game.

        Raises:
            SolverError: the board is too large.
        """
        if max(game.sides) > LONGEST_SIDE:
            raise SolverError(f"endings are solved on boards of at most 8 by 8 squares, not {game.size}")
        self._game = game
        self._memory = _memory(most)

    def worth(self, state: State) -> Worth | None:
        """What the position is worth; None where too many squares are empty, or the search takes too long."""
        outcome = self._game.outcome(state)
        if outcome is not None:
            return self._worth(outcome.score[state.seat] - outcome.score[1 - state.seat], ())
        if empty_squares(self._game, state) > MAX_EMPTY:
            return None
        margin, best = _best_moves(self._game, state, self._memory)
        return None if self._memory.nodes[0] > self._memory.nodes[1] else self._worth(margin, best)

    def _worth(self, margin: int, best: tuple[Move, ...]) -> Worth:
        wanted = -margin if self._game.reversed else margin
        return Worth(Value((wanted > 0) - (wanted < 0), None), margin, best)


def _memory(most: int) -> kernel.Memory:
    """Room for searches of so many positions in all."""
    return kernel.Memory(
        np.zeros((KNOWN, 3), np.uint64),
        np.zeros((kernel.WIDTH**2 + 1, kernel.MAX_MOVES, 4), np.uint64),
        np.array([0, most], np.uint64),
    )


def _best_moves(game: ReversedReversi, state: State, memory: kernel.Memory) -> tuple[int, tuple[Move, ...]]:
    """The mover's margin with perfect play and all moves that keep it, ascending.

    The first move is searched in full, each other as far as it may be as good.
    """
    after = {move: game.play(state, move) for move in game.legal_moves(state)}
    sign = -1 if game.reversed else 1
    floor, best = -kernel.INFINITE, list[Move]()
    for move in sorted(after, key=lambda move: len(game.legal_moves(after[move]))):
        ceiling = kernel.INFINITE if not best else 1 - floor
        value = -kernel.search(_position(game, after[move]), -kernel.INFINITE, ceiling, sign, memory)
        if value > floor:
            floor, best = value, []
        if value == floor:
            best.append(move)
    return sign * int(floor), tuple(sorted(best))


def _best_move(game: ReversedReversi, state: State, memory: kernel.Memory, progress: Progress) -> Move:
    """A move of the best score: the first is searched in full, each other only as far as it may be better."""
    after = {move: game.play(state, move) for move in game.legal_moves(state)}
    moves = sorted(after, key=lambda move: len(game.legal_moves(after[move])))
    best, best_move = -kernel.INFINITE, moves[0]
    sign = -1 if game.reversed else 1
    for done, move in enumerate(moves, start=1):
        position = _position(game, after[move])
        value = -kernel.search(position, -kernel.INFINITE, -best, sign, memory)
        if value > best:
            best, best_move = value, move
        progress(done, len(moves))
    return best_move


def _position(game: ReversedReversi, state: State) -> kernel.Position:
    """The position on the kernel's board."""
    empty = game.geometry.full & ~(state.own | state.opp)
    return kernel.Position(
        *(np.uint64(_widened(board, *game.sides)) for board in (state.own, state.opp, empty))
    )


def _widened(board: int, columns: int, rows: int) -> int:
    """The same squares, numbered on a board of the kernel's width."""
    row = (1 << columns) - 1
    return sum((board >> columns * number & row) << kernel.WIDTH * number for number in range(rows))
