"""The compiled search for Reversi against minimax by rules that are written here, and a published ending."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import NoReturn

import pytest

from benchmarks.ffo import PUBLISHED
from benchmarks.kernel import positions
from benchmarks.peers.programs import built
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers import SolverError
from engines.solvers.reversi_search import Found, Search

Square = tuple[int, int]
Squares = frozenset[Square]
START = (1 << 27 | 1 << 36, 1 << 28 | 1 << 35)
SHAPES = list(product(range(2, 9), repeat=2))
WAYS = [(down, right) for down, right in product((-1, 0, 1), repeat=2) if down or right]
SMALL = 1 << 16


def turned(own: Squares, opp: Squares, square: Square) -> Squares:
    """The discs of `opp` that one of `own` turns over."""
    found = set[Square]()
    for down, right in WAYS:
        line, at = [], (square[0] + down, square[1] + right)
        while at in opp:
            line.append(at)
            at = (at[0] + down, at[1] + right)
        if at in own:
            found.update(line)
    return frozenset(found)


def answers(own: Squares, opp: Squares, board: Squares) -> dict[Square, tuple[Squares, Squares]]:
    """The other side's and the own discs after each placement."""
    lines = {square: turned(own, opp, square) for square in board - own - opp}
    return {square: (opp - line, own | line | {square}) for square, line in lines.items() if line}


def minimax(board: Squares, sign: int) -> Callable[[Squares, Squares], int]:
    """The value of a position on a board, by trying everything."""

    @cache
    def value(own: Squares, opp: Squares) -> int:
        if after := answers(own, opp, board):
            return max(-value(*each) for each in after.values())
        return -value(opp, own) if answers(opp, own, board) else sign * (len(own) - len(opp))

    return value


def bits(squares: Squares, columns: int) -> int:
    """A bitboard of the squares, row by row."""
    return sum(1 << columns * row + column for row, column in squares)


@pytest.mark.parametrize("reverse", [True, False])
@pytest.mark.parametrize("memory", [64, SMALL])
def test_bounds_hold_and_moves_reach_them(reverse: bool, memory: int) -> None:
    """On boards of every shape, in any window, halted or not, and with room for three positions only."""
    chance, sign, halted = random.Random(memory), -1 if reverse else 1, 0
    for rows, columns in SHAPES:
        board = frozenset(product(range(rows), range(columns)))
        search, value = Search(rows, columns, reversed=reverse, memory=memory), minimax(board, sign)
        filled = sorted(board)
        chance.shuffle(filled)
        del filled[: chance.randint(1, 7)]
        own = frozenset(chance.sample(filled, len(filled) // chance.choice([2, 3])))
        opp = frozenset(filled) - own
        for _ in range(4):
            alpha = chance.randint(-rows * columns - 1, rows * columns)
            beta = chance.randint(alpha + 1, rows * columns + 1)
            most = chance.choice([None, chance.randint(0, 200)])
            found = search.solve(bits(own, columns), bits(opp, columns), alpha, beta, most=most)
            assert found.low <= value(own, opp) <= found.high
            halted += not found.done
            if found.done:
                assert found.low == found.high or found.low >= beta or found.high <= alpha
            check_move(
                found, answers(own, opp, board), bool(answers(opp, own, board)), (rows, columns), value
            )
    assert halted


def check_move(
    found: Found,
    after: dict[Square, tuple[Squares, Squares]],
    may_pass: bool,
    shape: tuple[int, int],
    value: Callable[[Squares, Squares], int],
) -> None:
    """The move is a legal one, and reaches the lower bound if that says anything."""
    rows, columns = shape
    if not after:
        assert found.move == (rows * columns if may_pass else None)
        return
    assert found.move is not None
    reached = -value(*after[divmod(found.move, columns)])
    assert reached >= found.low or found.low == -rows * columns


@pytest.mark.parametrize(("reverse", "value"), [(False, -8), (True, 3)])
def test_the_board_of_four_by_four_is_solved_from_its_start(reverse: bool, value: int) -> None:
    """By the ordinary rule the second player wins 11 to 3; where fewer discs win the first does, 6 to 9."""
    search = Search(4, 4, reversed=reverse, memory=SMALL)
    found = search.solve(1 << 5 | 1 << 10, 1 << 6 | 1 << 9, -16, 16)
    assert (found.low, found.high, found.done) == (value, value, True)


@pytest.mark.parametrize(
    "number", [40, *(pytest.param(number, marks=pytest.mark.long) for number in range(41, 46))]
)
def test_published_endings_come_out(number: int) -> None:
    """Positions of the FFO suite have their published values, and the moves are among the best published."""
    own, opp, value, best = PUBLISHED[number]
    found = Search(8, 8, reversed=False, memory=1 << 26).solve(own, opp, -64, 64)
    assert (found.low, found.high) == (value, value)
    assert found.move in best


def test_a_little_memory_finds_what_much_finds() -> None:
    """It forgets nearly all, and finds the same values; and neither takes more than was said."""
    for reverse in (True, False):
        little = Search(8, 8, reversed=reverse, memory=200)
        much = Search(8, 8, reversed=reverse, memory=SMALL)
        assert (little.memory, much.memory) == (128, SMALL)
        for state in positions(ReversedReversi(8, reverse), 4, 11):
            assert little.solve(*state[:2], -64, 64)[:2] == much.solve(*state[:2], -64, 64)[:2]


@pytest.mark.skipif(not shutil.which("cc") and not shutil.which("gcc"), reason="no C compiler")
def test_every_processor_searches_the_same_positions(tmp_path: Path) -> None:
    """What is compiled for any processor counts as many positions as what this one runs."""
    states = list(positions(ReversedReversi(8), 6, 12))
    lines = "".join(f"{state.own} {state.opp}\n" for state in states)
    command = [str(built("reversi_search", tmp_path)), "8", "8", "1", str(SMALL), "plain"]
    told = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.split("\n")
    search = Search(8, 8, reversed=True, memory=SMALL)
    for state, line in zip(states, told[:-1], strict=True):
        found = search.solve(state.own, state.opp, -64, 64)
        assert [found.low, found.high, found.nodes] == [int(word) for word in line.split()[:3]]


def test_a_search_is_halted_and_is_for_one_thread() -> None:
    """After the positions that it was allowed, and by a byte that another thread sets, itself refused."""
    search, stop, found = Search(8, 8, reversed=True, memory=SMALL), bytearray(1), list[Found]()
    short = search.solve(*START, -64, 64, most=1000)
    assert (short.low, short.high, short.done) == (-64, 64, False)
    assert 1000 <= short.nodes < 100_000

    def work() -> None:
        while not found:
            try:
                found.append(search.solve(*START, -64, 64, stop=stop))
            except RuntimeError:  # the other thread looked just now
                continue

    thread = threading.Thread(target=work)
    thread.start()
    try:
        with pytest.raises(RuntimeError, match="another thread"):
            _ask_until_refused(search)
    finally:
        stop[0] = 1
        thread.join()
    assert found[0].done is False
    assert search.solve(*START, -64, 64, stop=memoryview(stop)).nodes == 1


def _ask_until_refused(search: Search) -> NoReturn:
    while True:
        search.solve(*START, -64, 64, most=0)


def test_what_cannot_be_is_refused() -> None:
    """Boards, memory, discs and windows that are none, each by what is wrong."""
    for rows, columns in ((1, 8), (8, 9)):
        with pytest.raises(ValueError, match="2 to 8 rows"):
            Search(rows, columns, reversed=True, memory=SMALL)
    with pytest.raises(ValueError, match="64 bytes"):
        Search(4, 4, reversed=True, memory=63)
    search = Search(3, 5, reversed=True, memory=SMALL)
    for own, opp, message in ((1 << 15, 1, "outside the board of 15"), (3, 1, "disc of either side")):
        with pytest.raises(ValueError, match=message):
            search.solve(own, opp, -15, 15)
    with pytest.raises(ValueError, match="from 3 to 3 is empty"):
        search.solve(1, 2, 3, 3)
    with pytest.raises(ValueError, match="has a byte"):
        search.solve(1, 2, -15, 15, stop=bytearray())


def test_without_a_compiler_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the search was not built, whoever needs it hears of the compiler."""
    monkeypatch.setitem(sys.modules, "engines._search", None)
    monkeypatch.delattr("engines._search", raising=False)
    with pytest.raises(SolverError, match="C compiler"):
        Search(8, 8, reversed=True, memory=SMALL)
