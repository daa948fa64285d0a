"""The judge from outside plays by the rules, solves endings rightly, and its verdict is counted rightly."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.local.players import find_player
from benchmarks.judge import PROGRAM, verdict
from benchmarks.peers.programs import built
from bots.reference import command
from bots.reference.endgame import Endgame
from engines.games.reversed_reversi import ReversedReversi
from tests.unit.bots.reference.questions import endings, hello, question
from workers.core.contract import BotRef, GameSpec, MatchSpec, TimeControl
from workers.play.match import play_match

pytestmark = pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("cc")), reason="no C compiler")

PATIENT = 10**7
EMPTY = 9
QUICK = TimeControl(move_ms=10, extensions=60, extension_ms=20000)
"""The judge aims at its 10 ms; a busy machine only costs extensions."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The judge, compiled."""
    return built(PROGRAM, tmp_path_factory.mktemp("judge"))


@pytest.mark.parametrize("fewest", [True, False])
@pytest.mark.parametrize("size", [6, 8])
def test_endings_are_solved_exactly(program: Path, fewest: bool, size: int) -> None:
    """What it says of an ending is the solver's margin, and the position after its move is worth as much."""
    game = ReversedReversi(size, reversed=fewest)
    solver = Endgame(size, fewest=fewest)
    states = list(endings(game, 6, empty=EMPTY))
    lines = [hello(game), *(question(game, state, PATIENT) for state in states)]
    told = "".join(json.dumps(line) + "\n" for line in lines)
    run = subprocess.run([program], input=told, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()][1:]
    for state, answer in zip(states, answers, strict=True):
        _, margin = solver.best(state.own, state.opp, float("inf"))
        assert answer["debug"] == f"solved {margin:+.2f}, {EMPTY} plies"
        after = game.play(state, game.move_from_text(answer["move"]))
        if game.outcome(after) is None:
            _, left = solver.best(after.own, after.opp, float("inf"))
            assert margin == (left if after.seat == state.seat else -left)


@pytest.mark.parametrize("fewest", [True, False])
@pytest.mark.parametrize("size", [4, 6, 8])
def test_whole_games_are_played_by_the_rules(program: Path, fewest: bool, size: int) -> None:
    """From either seat on each board it makes no error against `random`, and on 8 by 8 squares it wins."""
    judge, other = find_player(str(program)).command, command("random")
    for seat in (0, 1):
        spec = MatchSpec(
            match="judge",
            game=GameSpec(name="reversed_reversi", params={"size": size, "reversed": fewest}),
            bots=(BotRef(name="one"), BotRef(name="two")),
            seeds=(1, 2),
            time=QUICK,
        )
        result = play_match(spec, (judge, other) if seat == 0 else (other, judge))
        assert not result.forfeits
        assert size < 8 or result.winner == seat


def test_a_verdict_counts_pairs() -> None:
    """The share of the points is the first bot's, and its interval is that of pairs of games."""
    pair = {"games": 8, "wins": 5, "draws": 2, "losses": 1, "pairs": [0, 0, 1, 2, 1], "sprt": None}
    told = "5 won, 2 drawn, 1 lost, 75.0% of the points"
    assert verdict(pair) == f"{told} (95 %: 55.1% to 88.0%)"
    assert verdict(pair | {"sprt": {"verdict": "elo1"}}) == f"{told} (elo1 after 8 games)"
