"""Reversi cut up where many squares are empty: what searches in one piece find, too."""

from __future__ import annotations

from random import Random

import pytest

from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.endgame import EndingJudge
from engines.solvers.reversi_board import Board, Position
from engines.solvers.reversi_cut import Cut, Job
from engines.solvers.reversi_leaf import solve_leaf
from engines.solvers.reversi_tree import Bounds
from tests.unit.engines.solvers.cutting import solved

MEMORY = 1 << 22


def late(game: ReversedReversi, empty: int, seed: int) -> State:
    """A position of a game at random in which X is to move."""
    chance = Random(seed)
    while True:
        state = game.initial()
        while game.outcome(state) is None and game.most_turns(state) > empty:
            state = game.play(state, chance.choice(game.legal_moves(state)))
        if game.outcome(state) is None and state.seat == 0:
            return state


@pytest.mark.parametrize("fewest", [False, True])
@pytest.mark.parametrize(
    ("seed", "workers", "losses", "frontier"),
    [(1, 1, 0.0, 9), (2, 4, 0.0, 10), (3, 4, 0.3, 8), (4, 25, 0.3, 11)],
)
def test_late_positions_have_the_value_that_the_endgame_solver_finds(
    fewest: bool, seed: int, workers: int, losses: float, frontier: int
) -> None:
    """On 6 by 6 squares with 14 of them empty: value and all best moves, for any workers, losses and cut."""
    game, board = ReversedReversi(6, fewest), Board(6, 6, fewest)
    state = late(game, 14, seed)
    worth = EndingJudge(game).worth(state)
    assert worth is not None

    def solve(job: Job) -> Bounds:
        answer = solve_leaf(board, MEMORY, job)
        assert answer.done
        return answer.bounds

    cut = Cut(board, Position(state.own, state.opp), frontier)
    solved(cut, solve, workers=workers, seed=seed, losses=losses)
    assert worth.margin is not None
    assert cut.result() == (-worth.margin if fewest else worth.margin, worth.best)


@pytest.mark.parametrize(("rows", "columns"), [(4, 6), (6, 4)])
@pytest.mark.parametrize("fewest", [False, True])
def test_a_board_that_is_no_square_is_solved(rows: int, columns: int, fewest: bool) -> None:
    """Either way round it has the same value, which a search in one piece finds too."""
    board = Board(rows, columns, fewest)
    whole = solve_leaf(board, MEMORY, Job(*board.start(), 1))
    cut = Cut(board, board.start(), 12)
    solved(cut, lambda job: solve_leaf(board, MEMORY, job).bounds, workers=3)
    assert cut.result().value == {False: 16, True: 0}[fewest]
    assert whole.bounds[0] <= cut.result().value <= whole.bounds[1]
