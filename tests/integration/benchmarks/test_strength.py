"""What `strong` is measured against plays by the rules, and is measured fairly."""

from __future__ import annotations

import shutil
from pathlib import Path
from statistics import median

import pytest

from benchmarks.strength import BALANCED, JUDGING, ROOT, Bot, Engine, build, openings, play, told
from bots.reference.endgame import Endgame
from engines.games.reversed_reversi import SIZES, ReversedReversi
from tests.unit.bots.reference.questions import endings

pytestmark = pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("cc")), reason="no C compiler")

PATIENT = 10**8


@pytest.mark.parametrize("fewest", [True, False])
def test_the_engine_solves_endings_exactly(fewest: bool, tmp_path: Path) -> None:
    """Its value of an ending is the solver's, and its move is one that reaches it."""
    game = ReversedReversi(reversed=fewest)
    engine = Engine(build(tmp_path, game, games=20), game, "weights", (PATIENT, 64, 16))
    solver = Endgame(8, fewest=fewest)
    for state in endings(game, 8, empty=7):
        square, value, _ = engine.judge(state)
        assert square in game.legal_moves(state)
        _, margin = solver.best(state.own, state.opp, float("inf"))
        won = (margin > 0) - (margin < 0)
        assert value == 100 * margin + won * (1 << 20)
    engine.end()


def test_a_game_is_played_to_its_end(tmp_path: Path) -> None:
    """From a balanced opening; the seconds are processor time, and within what was allowed."""
    game = ReversedReversi()
    program = build(tmp_path, game, games=20)
    judge = Engine(program, game, "weights", JUDGING)
    (opening,) = openings(game, 1, judge)
    assert abs(judge.judge(opening)[1]) <= BALANCED
    bot = Bot(ROOT, game, 40)
    mobility = Engine(program, game, "-", (PATIENT, 2, 0))
    margin, (ours, theirs) = play(game, opening, (bot, mobility))
    assert -64 <= margin <= 64
    assert 20 <= len(ours) <= 30
    assert 20 <= len(theirs) <= 30
    assert median(ours) < 0.04
    for process in (bot, mobility, judge):
        process.end()


@pytest.mark.parametrize("size", SIZES)
def test_openings_leave_a_game_to_play(size: int) -> None:
    """On every board they differ, each asks for a move, and at least eight squares are left to play for."""
    game = ReversedReversi(size)
    found = openings(game, 40, None)
    assert len(set(found)) == 40
    for state in found:
        assert game.outcome(state) is None
        assert game.forced_pass(state) is None
        assert size * size - (state.own | state.opp).bit_count() >= 8


def test_points_count_draws_for_half() -> None:
    """Two wins, a draw and a loss are five eighths of the points."""
    assert told([4, 2, 0, -2]).startswith("2 won, 1 drawn, 1 lost, 62.5% of the points, +1.0 ")
