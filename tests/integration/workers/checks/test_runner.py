"""The submission check: who passes it, and what is said of those who do not."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from typing import Any

import pytest

from engines.games import GAMES, find_game
from tests.integration.workers.bot_sources import PYTHON, SOURCES
from tests.integration.workers.workshops import Bench, bench, require
from tests.unit.workers.conftest import AMPLE, PRELUDE
from workers.checks import runner
from workers.checks.contract import CheckReport, CheckSpec, Step, StepReport
from workers.checks.runner import check_bot, positions
from workers.core.contract import BotRef, FaultCode, Forfeit, MatchResult, MatchSpec, TimeControl
from workers.core.errors import UnwantedError, WorkerError
from workers.core.halt import Halt
from workers.play.match import play_match
from workers.sandbox.confinement import Program

__all__ = ["bench"]

QUICK = TimeControl(move_ms=200, extensions=0, startup_ms=600_000)
SMALL = ("heap_nim",)


def checked(
    bench: Bench, filename: str, code: str, games: tuple[str, ...] = SMALL, time: TimeControl = AMPLE
) -> CheckReport:
    """The report of a bot of one file."""
    bot = BotRef(name="comet", version=1, archive=bench.put(filename, code))
    spec = CheckSpec(check="7", bot=bot, games=games, time=time, game_seconds=3600)
    return check_bot(spec, bench.workshop)


@pytest.mark.parametrize(
    "language",
    ["python", "c", *(pytest.param(each, marks=pytest.mark.long) for each in ("java", "javascript"))],
)
def test_an_honest_bot_passes_in_any_language(bench: Bench, language: str) -> None:
    """All parts are done, and the report says in which language, with which tools, and under what name."""
    require(language)
    bot = BotRef(name="comet", archive=bench.put(*SOURCES[language]))
    spec = CheckSpec(check="7", bot=bot, games=SMALL, time=AMPLE)
    told: list[StepReport] = []
    report = check_bot(spec, bench.workshop, told=told.append)
    assert report.passed, report
    assert (report.check, report.language, report.bot_name, report.code) == ("7", language, "first", None)
    assert [step.step for step in report.steps] == list(Step)
    assert tuple(told) == report.steps
    assert report.toolchain


def test_every_game_is_checked(bench: Bench) -> None:
    """A bot that claims several games is tried in each of them."""
    report = checked(bench, "bot.py", PYTHON, ("heap_nim", "rhombic_chess"))
    assert report.passed, report
    assert [step.game for step in report.steps] == [None, *["heap_nim"] * 4, *["rhombic_chess"] * 4]


def test_a_bot_meets_random_from_both_seats_and_itself(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the single positions come three whole matches, played by the programs that the report names."""
    played: list[tuple[MatchSpec, list[bool]]] = []

    def noted(spec: MatchSpec, programs: tuple[Program, Program], **options: Any) -> MatchResult:
        played.append((spec, [program.trusted for program in programs]))
        return play_match(spec, programs, **options)

    monkeypatch.setattr(runner, "play_match", noted)
    assert checked(bench, "bot.py", PYTHON).passed
    whole = [ours for spec, ours in played if spec.policy.max_plies is None]
    assert whole == [[False, True], [True, False], [False, False]]
    single = [spec.policy.max_plies == len(spec.opening) + 1 for spec, _ in played[:-3]]
    assert single == [True] * (1 + len(positions(find_game("heap_nim"))))


FIRST = "m = get(); send(type='move', id=m['id'], move=m['legal'][0])"


@pytest.mark.usefixtures("nothing_lost")
@pytest.mark.parametrize(
    ("code", "fault", "step"),
    [
        ("print('no module', file=sys.stderr); sys.exit(1)", "startup", Step.HANDSHAKE),
        ("ready(); m = get(); send(type='move', id=m['id'], move='z9')", "illegal_move", Step.POSITIONS),
        ("ready(); m = get(); print('thinking', flush=True); get()", "malformed", Step.POSITIONS),
        ("ready(); m = get(); send(type='move', id=0, move=m['legal'][0]); get()", "protocol_error", None),
        ("ready(); get(); time.sleep(600)", "timeout", Step.POSITIONS),
        (f"ready(); {FIRST}; m = get(); sys.exit(3) if m['type'] == 'move' else 0", "crash", Step.RANDOM),
    ],
)
def test_a_fault_comes_with_all_its_evidence(bench: Bench, code: str, fault: str, step: Step | None) -> None:
    """The code, the part, the request, what came, what was expected, stderr, and how to see it again."""
    text = PRELUDE + "print('my words', file=sys.stderr, flush=True)\n" + code
    report = checked(bench, "bot.py", text, time=QUICK if fault == "timeout" else AMPLE)
    assert (report.passed, report.code) == (False, fault)
    assert report.steps[-1].step == (step or Step.POSITIONS)
    assert not report.steps[-1].passed
    assert report.forfeit is not None
    assert report.forfeit.expected
    assert f'"type": "{"hello" if fault == "startup" else "move"}"' in report.forfeit.request
    assert "my words" in report.stderr.head
    assert report.reproduce == "arena bot check PATH --game heap_nim"


@pytest.mark.long
def test_a_slow_bot_is_asked_everywhere_and_its_matches_are_cut_short(bench: Bench) -> None:
    """It passes, though only as much of its whole matches is played as there is time for."""
    bot = BotRef(name="comet", version=1, archive=bench.put("bot.py", PRELUDE + "ready(); serve(pause=0.9)"))
    spec = CheckSpec(check="7", bot=bot, games=("heap_nim", "rhombic_chess"), time=AMPLE, game_seconds=6)
    began = time.monotonic()
    report = check_bot(spec, bench.workshop)
    took = time.monotonic() - began
    assert report.passed, report
    assert {(step.step, step.cut) for step in report.steps if step.game == "rhombic_chess"} == {
        (Step.HANDSHAKE, False),
        (Step.POSITIONS, False),
        (Step.RANDOM, True),
        (Step.SELF_PLAY, True),
    }
    assert took < spec.most_seconds


def test_a_fault_is_one_however_little_time_is_left(bench: Bench) -> None:
    """What a bot does where it is asked in any case counts when the time is over, too."""
    code = "ready(); get(); time.sleep(0.5); print('{}', flush=True); get()"
    bot = BotRef(name="comet", version=1, archive=bench.put("bot.py", PRELUDE + code))
    spec = CheckSpec(check="7", bot=bot, games=SMALL, time=AMPLE, game_seconds=1)
    report = check_bot(spec, bench.workshop)
    assert (report.passed, report.code) == (False, "protocol_error")


def test_a_check_is_broken_off(bench: Bench) -> None:
    """Whoever has no use for it does not wait for a sleeping bot."""
    bot = BotRef(name="comet", version=1, archive=bench.put("bot.py", PRELUDE + "ready(); serve(pause=590)"))
    with closing(Halt()) as halt:
        timer = threading.Timer(1, halt.call, [UnwantedError("nobody waits")])
        timer.start()
        began = time.monotonic()
        with pytest.raises(UnwantedError):
            check_bot(CheckSpec(check="7", bot=bot, games=SMALL, time=AMPLE), bench.workshop, halt=halt)
        assert time.monotonic() - began < 500
        timer.join()


def test_a_bot_that_does_not_build_fails_by_it(bench: Bench) -> None:
    """The compiler's words are in the report, and no match is played."""
    require("c")
    report = checked(bench, "bot.c", "int main(void) { return surprise; }")
    assert (report.passed, report.code, report.language) == (False, "build", "c")
    assert "surprise" in report.build.head
    assert [step.step for step in report.steps] == [Step.BUILD]


@pytest.mark.parametrize(("seat", "excused"), [(0, True), (1, False)])
def test_trouble_of_ours_is_no_verdict(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, seat: int, excused: bool
) -> None:
    """A busy host, or a fault of our own bot, is raised, and the check will be done again."""
    code = FaultCode.TIMEOUT
    lost = Forfeit.model_validate(
        {"seat": seat, "code": code, "ply": 0, "detail": "late", "expected": "a move", "excused": excused}
    )

    def play_match(*_: object, **__: object) -> MatchResult:
        return MatchResult(match="check 7", winner=None, reason=code, score=(0, 0), forfeits=(lost,))

    monkeypatch.setattr(runner, "play_match", play_match)
    with pytest.raises(WorkerError, match="not through the bot's fault"):
        checked(bench, "bot.py", PYTHON)


@pytest.mark.parametrize("name", GAMES)
def test_the_positions_of_a_game_are_always_the_same(name: str) -> None:
    """They begin with the first one, lead somewhere, and leave a choice to whoever is to move."""
    game = find_game(name)
    found = positions(game)
    assert found == positions(find_game(name))
    assert found[0] == (game.to_move(game.initial()), ())
    assert 1 < len(found) <= runner.POSITIONS
    plies = [len(opening) for _, opening in found]
    assert plies[-1] > len(plies) or name == "heap_nim", "they are spread over a game that is long enough"
    for seat, opening in found:
        state = game.initial()
        for move in opening:
            state = game.play(state, game.move_from_text(move))
        assert game.to_move(state) == seat
        assert game.outcome(state) is None
        assert len(game.legal_moves(state)) > 1
