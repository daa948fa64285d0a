"""Group 8's player against its report's algorithm, written out square by square without any shortcut."""

from __future__ import annotations

import pytest

from bots.reference.group8 import WEIGHTS, best_move, looked_at
from bots.sdk.arena_bot import Match, Request
from engines.games.reversed_reversi import ReversedReversi, State
from tests.unit.bots.reference.questions import ask, endings, hello, question, started, walks

EMPTY, X, O, MARK = 0, 1, 2, 3  # noqa: E741  (the report's letters)
Board = list[list[int]]
DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
GAME = ReversedReversi()


def bracketed(board: Board, row: int, column: int, who: int) -> list[tuple[int, int]]:
    """The discs that a disc of `who` there turns over; marks count as empty."""
    found = []
    for down, right in DIRECTIONS:
        line: list[tuple[int, int]] = []
        r, c = row + down, column + right
        while 0 <= r < 8 and 0 <= c < 8 and board[r][c] in (X, O):
            if board[r][c] == who:
                found += line
                break
            line.append((r, c))
            r, c = r + down, c + right
    return found


def mark(board: Board, who: int) -> bool:
    """Mark where `who` can turn something over, and nothing else; whether there is such a square."""
    for row in range(8):
        for column in range(8):
            if board[row][column] in (EMPTY, MARK):
                board[row][column] = MARK if bracketed(board, row, column, who) else EMPTY
    return any(MARK in row for row in board)


def placed(board: Board, row: int, column: int, who: int) -> Board:
    """The report's `reversi`: place, turn over, mark for the other side, or for `who` if that must pass."""
    after = [list(line) for line in board]
    for r, c in [(row, column), *bracketed(board, row, column, who)]:
        after[r][c] = who
    if not mark(after, O if who == X else X):
        mark(after, who)
    return after


def judged(board: Board) -> int:
    """The report's `heuristic`."""
    sign = {EMPTY: 0, MARK: 0, X: -1, O: 1}
    return sum(WEIGHTS[8 * r + c] * sign[board[r][c]] for r in range(8) for c in range(8))


def alpha_beta(who: int, board: Board, depth: int, window: tuple[float, float], *, maximising: bool) -> float:
    """The report's search: `who` never changes, and a cutoff leaves the loop over columns only."""
    if depth == 0 or not any(MARK in row for row in board):
        return judged(board)
    alpha, beta = window
    value = float("-inf") if maximising else float("inf")
    for row in range(8):
        for column in range(8):
            if board[row][column] != MARK:
                continue
            after = placed(board, row, column, who)
            score = alpha_beta(who, after, depth - 1, (alpha, beta), maximising=not maximising)
            if maximising:
                value = max(value, score)
                alpha = max(alpha, value)
            else:
                value = min(value, score)
                beta = min(beta, value)
            if alpha >= beta:
                break
    return value


def report(state: State, depth: int) -> tuple[int, float]:
    """The report's `myAI`: square and score."""
    best, best_score = -1, float("-inf")
    for square, score in printed(state, depth).items():
        if score > best_score:
            best, best_score = square, score
    return best, best_score


def printed(state: State, depth: int) -> dict[int, float]:
    """What the report's `myAI` prints: the score of each square, in its order."""
    who = X if state.seat == 0 else O
    other = O if who == X else X
    board = [
        [
            who if state.own >> i & 1 else other if state.opp >> i & 1 else EMPTY
            for i in range(8 * r, 8 * r + 8)
        ]
        for r in range(8)
    ]
    mark(board, who)
    window = (float("-inf"), float("inf"))
    return {
        8 * row + column: alpha_beta(who, placed(board, row, column, who), depth, window, maximising=True)
        for row in range(8)
        for column in range(8)
        if board[row][column] == MARK
    }


@pytest.mark.parametrize(("depth", "every"), [(1, 11), (2, 47), (3, 197)])
def test_shallow_searches_agree(depth: int, every: int) -> None:
    """In many random positions of both seats the square and the score are the report's."""
    for state in list(walks(GAME, 12))[::every]:
        assert best_move(state.own, state.opp, is_x=state.seat == 0, depth=depth) == report(state, depth)


@pytest.mark.parametrize("empty", [4, 6, 7, 8])
def test_full_searches_agree(empty: int) -> None:
    """At the report's own depth, near the end, where its search has passes and finished boards in it."""
    for state in endings(GAME, 4, empty):
        assert best_move(state.own, state.opp, is_x=state.seat == 0) == report(state, 5)


def test_a_full_search_agrees_from_the_start() -> None:
    """At the report's own depth from the opening position."""
    state = GAME.initial()
    assert best_move(state.own, state.opp, is_x=True) == report(state, 5)


@pytest.mark.parametrize(("depth", "every"), [(2, 61), (3, 401)])
def test_the_scores_are_those_that_the_report_prints_or_bounds_of_them(depth: int, every: int) -> None:
    """All squares in its order; a score is the printed one, or above it where it is said to be a bound."""
    bounds = 0
    for state in list(walks(GAME, 12))[::every]:
        moves = looked_at(state.own, state.opp, is_x=state.seat == 0, depth=depth)
        expected = printed(state, depth)
        assert [each.square for each in moves] == list(expected)
        for each in moves:
            assert each.score == expected[each.square] if each.exact else each.score >= expected[each.square]
        assert max(each.score for each in moves) == max(expected.values())
        bounds += sum(not each.exact for each in moves)
    assert bounds


def test_it_notes_what_the_report_prints() -> None:
    """Beside its first move: the best score, and every move with its own or with "at most"."""
    state = GAME.initial()
    match = Match(hello(GAME))
    move, note = started("group8", GAME).choose(Request(question(GAME, state), match))
    square, score = report(state, 5)
    best, _, scores = note.partition(": ")
    assert (move, best) == (GAME.move_to_text(square), f"score {score}")
    told = dict(each.split(" ", 1) for each in scores.split(", "))
    assert list(told) == ["e3", "f4", "c5", "d6"]
    assert told[move] == f"{score}"
    assert len(note.encode()) < 4096


def test_it_plays_on_eight_by_eight_only() -> None:
    """Other sizes are refused with a reason."""
    with pytest.raises(SystemExit, match="only with size=8 and without rows"):
        started("group8", ReversedReversi(size=6))
    with pytest.raises(SystemExit, match="only with size=8 and without rows"):
        started("group8", ReversedReversi(rows=7))
    assert ask(started("group8", GAME), GAME, GAME.initial()) in {"c5", "d6", "e3", "f4"}
