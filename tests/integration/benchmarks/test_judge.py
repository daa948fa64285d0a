"""The judge from outside plays by the rules, solves endings rightly, and its verdict is counted rightly."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.local.players import find_player
from benchmarks.judge import (
    PLIES,
    PROGRAM,
    RULES,
    Tools,
    compiled,
    level_openings,
    one_game,
    verdict,
)
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


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    """All that a series needs, compiled."""
    return compiled(tmp_path_factory.mktemp("tools"), RULES, fit_games=300)


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
    """The share of the points is the first bot's, its interval that of pairs, and the pairs are told."""
    told = "5 won, 2 drawn, 1 lost, 75.0% of the points (95 %: 55.1% to 88.0%)"
    assert verdict((5, 2, 1), [0, 0, 1, 2, 1]) == f"{told}; pairs: 1 of 1, 2 of 1.5, 1 of 2"


@pytest.mark.parametrize("rule", ["fewest", pytest.param("most", marks=pytest.mark.long)])
def test_openings_are_the_seed_s_and_can_be_played(tools: Tools, rule: str) -> None:
    """They are the same for the same seed, others for another, all different, and by the rules."""
    openings = level_openings(tools.openings, rule, 3, 1)
    again, other = (level_openings(tools.openings, rule, 1, seed) for seed in (1, 2))
    assert again == openings[:1] != other
    game, ends = ReversedReversi(8, reversed=rule == "fewest"), set()
    for opening in openings:
        state = game.initial()
        for text in opening:
            state = game.play(state, game.move_from_text(text))
        ends.add(state)
        assert len(opening) == PLIES
    assert len(ends) == 3


def test_every_clock_of_a_player_is_its_processor_time(tools: Tools) -> None:
    """What the monotonic clock says lies between two readings of the processor time."""
    code = "import time; p = time.process_time; a, b, c = p(), time.monotonic(), p(); print(a <= b <= c)"
    words, environment = [sys.executable, "-c", code], {"LD_PRELOAD": str(tools.clock)}
    run = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"


@pytest.mark.parametrize("bot", ["judge", "engine"])
def test_a_game_is_played_to_its_end_and_its_margin_is_the_rule_s(tools: Tools, bot: str) -> None:
    """Against `greedy` it wins from either seat by either rule, and both sides' time is counted."""
    for rule in RULES:
        game = ReversedReversi(8, reversed=rule == "fewest")
        options = argparse.Namespace(bot=bot, against="@greedy", ms=10)
        opening = level_openings(tools.openings, rule, 1, 3)[0]
        for seat in (0, 1):
            played = one_game(options, tools, game, opening, seat)
            assert played.moves[:PLIES] == opening
            assert (played.margin > 0) == (seat == 0)
            assert all(sum(turn.seconds for turn in turns) > 0 for turns in played.turns)
