"""The programs in C that solve variants of circle Nim and the L-Game, against solutions by the rules."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from benchmarks.peers.programs import built
from benchmarks.solving import circle_nim, counted
from engines.game import Move
from engines.games.circle_nim import circle, lines
from engines.games.l_game import TAILS, LGame, State
from engines.solvers.l_game_positions import PAIRS, POSITIONS, number_of
from engines.solvers.retrograde import Graph, solve

pytestmark = pytest.mark.skipif(not shutil.which("cc") and not shutil.which("gcc"), reason="no C compiler")


@pytest.fixture(scope="module")
def circles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that solves circle Nim."""
    return built("circle_nim_solve", tmp_path_factory.mktemp("peers"))


@pytest.mark.parametrize("last", ["loses", "wins"])
@pytest.mark.parametrize("rows", [2, 3, 4])
def test_every_set_of_circles_is_worth_what_recursion_finds(circles: Path, rows: int, last: str) -> None:
    """By either convention each set comes out as plain recursion says, and the lost ones are counted."""
    masks, count = lines(rows).masks, 1 << circle(rows, 0)

    @cache
    def won(left: int) -> bool:
        if not left:
            return last == "loses"
        return any(mask & left == mask and not won(left ^ mask) for mask in masks)

    asked = "".join(f"{left}\n" for left in range(count))
    words = [str(circles), str(rows), last]
    said = subprocess.run(words, input=asked, check=True, capture_output=True, text=True).stdout.split()
    assert [word == "1" for word in said[2:]] == [won(left) for left in range(count)]
    assert int(said[1]) == sum(not won(left) for left in range(count))


@pytest.mark.parametrize("last", ["loses", "wins"])
def test_a_larger_triangle_agrees_with_the_arena_and_with_recursion(
    circles: Path, last: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Six rows are solved as the arena's table says, and sets drawn by lot as recursion does."""
    assert circle_nim(6, last, circles)
    assert "DIFFERENT" not in capsys.readouterr().out


@cache
def variant(discs: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The moves of a graph by the L-Game's own rules, where a disc `must` or can `never` be moved."""
    game, starts, successors = LGame(), [0], list[int]()
    for own, opp in PAIRS:
        free = [1 << at for at in range(16) if not (own | opp) >> at & 1]
        for at, one in enumerate(free):
            for other in free[at + 1 :]:
                state = State(own, opp, one | other, 0)
                moves = [move for move in game.legal_moves(state) if allowed(move, discs)]
                successors += [number_of(game.play(state, move)) for move in moves]
                starts.append(len(successors))
    return np.array(starts, np.int64), np.array(successors, np.int32)


def allowed(move: Move, discs: str) -> bool:
    """Whether the variant has the move."""
    return bool(move % TAILS) == (discs == "must")


@pytest.mark.parametrize("last", ["loses", "wins"])
@pytest.mark.parametrize("discs", ["must", "never"])
def test_variants_of_the_l_game_come_out_as_by_its_rules(tmp_path: Path, discs: str, last: str) -> None:
    """Positions won, lost and drawn, the longest win, and the start are those of the rules in Python."""
    starts, successors = variant(discs)
    codes = solve(Graph(starts, successors, np.full(POSITIONS, -1 if last == "loses" else 1, np.int8)))
    words = [str(built("l_game_solve", tmp_path)), "1", discs, last]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    longest = max(int(codes.max()) - 1, 0) // 2
    start = int(codes[number_of(LGame().initial())])
    assert [int(word) for word in said[1:]] == [*counted(codes), longest, start]
