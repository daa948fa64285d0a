"""A Reversi that is cut up: the same result for any workers, orders, losses and frontiers."""

from __future__ import annotations

from random import Random

import pytest

from engines.solvers.reversi_board import Board, Position
from engines.solvers.reversi_cut import Cut, Job, Result
from engines.solvers.reversi_tree import ContradictionError
from tests.unit.engines.solvers.cutting import by_the_rules, solved

MOST, FEWEST = Board(4, 4, reversed=False), Board(4, 4, reversed=True)
SYMMETRIC_MOVES = (2, 7, 8, 13)
RESULTS = {MOST: Result(-8, SYMMETRIC_MOVES), FEWEST: Result(3, SYMMETRIC_MOVES)}
"""By the ordinary rule O wins 11 to 3, as is well known; by the other X wins 6 to 9 (docs/solving.md)."""
SOLVERS = {board: by_the_rules(board) for board in RESULTS}


def late(board: Board, empty: int, seed: int) -> Position:
    """A position of a game at random."""
    chance = Random(seed)
    while True:
        position = board.start()
        while (moves := board.moves(position)) and board.empty(position) > empty:
            position = board.play(position, chance.choice(moves))
        if moves:
            return position


@pytest.mark.parametrize("board", RESULTS)
@pytest.mark.parametrize(
    ("workers", "losses"), [(1, 0.0), (4, 0.0), (4, 0.5), (40, 0.2)], ids=["one", "four", "lossy", "many"]
)
def test_the_result_is_the_same_for_any_workers_and_losses(board: Board, workers: int, losses: float) -> None:
    """Value and best moves on the smallest board, in three orders of answers each."""
    for seed in range(3):
        cut = Cut(board, board.start(), 5)
        solved(cut, SOLVERS[board], workers=workers, seed=seed, losses=losses)
        assert cut.result() == RESULTS[board]


@pytest.mark.parametrize("board", RESULTS)
@pytest.mark.parametrize("frontier", [0, 3, 8, 11, 20])
def test_the_result_is_the_same_for_any_frontier(board: Board, frontier: int) -> None:
    """Also where hardly anything is cut, and where all is."""
    cut = Cut(board, board.start(), frontier)
    solved(cut, SOLVERS[board], workers=3)
    assert cut.result() == RESULTS[board]


@pytest.mark.parametrize("fewest", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_any_position_of_any_board_has_the_value_that_trying_everything_finds(
    fewest: bool, seed: int
) -> None:
    """Value and all best moves of positions on 4 by 5 squares, passes among them."""
    board = Board(4, 5, fewest)
    solve, root = by_the_rules(board), late(board, 9, seed)

    def value(position: Position) -> int:
        return next(v for v in range(-20, 21) if solve(Job(*position, v + 1))[1] <= v)

    cut = Cut(board, root, 4)
    solved(cut, solve, workers=2, seed=seed)
    after = {move: -value(board.play(root, move)) for move in board.moves(root)}
    best = max(after.values())
    assert cut.result() == (best, tuple(move for move in after if after[move] == best))


def test_a_finished_game_needs_no_work() -> None:
    """The value is the final margin, and there is no move."""
    root = Position(0xFFFE, 1)
    assert Cut(MOST, root, 4).result() == (14, ())


def test_what_is_known_is_not_solved_again() -> None:
    """From any part of the bounds the rest is found, and from all of them all, without a job."""
    first = Cut(MOST, MOST.start(), 5)
    answers = solved(first, SOLVERS[MOST])
    known = list(first.tree.known.items())
    for kept in (len(known) // 3, len(known)):
        again = Cut(MOST, MOST.start(), 5, dict(known[:kept]))
        assert solved(again, SOLVERS[MOST]) <= answers - kept
        assert again.result() == first.result()
    assert again.jobs(1) == []


def test_nobody_is_given_a_job_twice_unless_it_is_lost() -> None:
    """Any number of workers get different jobs until there are no more; a lost one is given out again."""
    cut = Cut(MOST, MOST.start(), 6)
    jobs = cut.jobs(10_000)
    assert len(jobs) == len(set(jobs)) > 10
    assert cut.jobs(1) == []
    cut.lost(jobs[3])
    assert cut.jobs(10) == [jobs[3]]


def test_a_useless_job_stays_so_until_the_next_question() -> None:
    """What is told to be useless and dropped is not given out for that question, and never missed."""
    cut = Cut(FEWEST, FEWEST.start(), 5)
    running, dropped, question, seen = list[Job](), set[Job](), -1, 0
    while True:
        fresh = cut.jobs(8 - len(running))
        if cut.done:
            break
        if cut.questions != question:
            dropped, question = set(), cut.questions
        assert not dropped & set(fresh)
        running += fresh
        job = running.pop()
        cut.answer(job, SOLVERS[FEWEST](job))
        if cut.questions != question:
            continue
        for useless in cut.useless():
            running.remove(useless)
            cut.lost(useless)
            dropped.add(useless)
            seen += 1
    assert seen
    assert cut.result() == RESULTS[FEWEST]


def test_progress_grows_within_a_question_and_bounds_hold_the_value() -> None:
    """The share never falls, the bounds only close in, the forecast lies within what it has been."""
    cut = Cut(MOST, MOST.start(), 4)
    question, share, low, high = -1, 0.0, -16, 16
    while True:
        jobs = cut.jobs(1)
        if cut.done:
            break
        now = cut.standing()
        if cut.questions != question:
            question, share = cut.questions, 0.0
        assert share <= now.share < 1
        assert low <= now.low <= -8 <= now.high <= high
        assert now.forecast.least <= now.forecast.most
        share, low, high = now.share, now.low, now.high
        cut.answer(jobs[0], SOLVERS[MOST](jobs[0]))
    assert cut.standing().share == 1


def test_an_answer_that_contradicts_another_is_refused() -> None:
    """One of two workers is wrong: nothing is concluded from either."""
    cut = Cut(MOST, MOST.start(), 6)
    job = cut.jobs(1)[0]
    cut.tree.learn(Position(job.own, job.opp), (2, 4))
    with pytest.raises(ContradictionError):
        cut.answer(job, (5, 16))


def test_there_is_no_result_before_the_end() -> None:
    """Bounds are all that is told until then."""
    with pytest.raises(ValueError, match="not all"):
        Cut(MOST, MOST.start(), 6).result()
