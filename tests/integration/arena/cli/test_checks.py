"""`arena bot check`, `verdict` and `recheck`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.schemas.bots import BotOut, CheckOut, Submitted, VersionOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, problem, sample
from tests.unit.workers.conftest import PRELUDE
from workers.checks.contract import CheckReport, Output, Step, StepReport
from workers.core.contract import FaultCode, Forfeit

__all__ = ["api"]

VERDICT = "/bots/comet/versions/2/check"


def write(folder: Path, name: str, code: str, manifest: str = "") -> Path:
    """A folder with a bot in Python, and a manifest if there is something in it."""
    bot = folder / name
    bot.mkdir()
    (bot / "main.py").write_text(PRELUDE + code)
    if manifest:
        (bot / "bot.toml").write_text(manifest)
    return bot


@pytest.mark.usefixtures("time_to_start")
def test_a_bot_is_checked_without_a_server(run: Run, tmp_path: Path) -> None:
    """The games of its manifest are played, the verdict is data, and the parts are told on the way."""
    bot = write(tmp_path, "comet", "ready(); serve()", 'games = ["heap_nim"]')
    ran = run("bot", "check", str(bot), "--json")
    report = ran.json()
    assert (ran.code, report["passed"], report["language"]) == (0, True, "python")
    assert [step["game"] for step in report["steps"]] == [None, *["heap_nim"] * 4]
    assert "self play in heap_nim: well" in ran.err


@pytest.mark.usefixtures("time_to_start")
def test_a_bot_that_fails_is_told_why_and_how_to_see_it_again(run: Run, tmp_path: Path) -> None:
    """A failed check names the fault and the command that shows it again, and exits with 1."""
    bot = write(tmp_path, "my comet", "ready(); m = get(); send(type='move', id=m['id'], move='z9'); get()")
    ran = run("bot", "check", str(bot), "--game", "heap_nim", "--unsafe")
    assert ran.code == 1
    assert "failed: illegal_move in heap_nim" in ran.out
    assert f"again: arena bot check '{bot}' --game heap_nim" in ran.out
    for word in ("request", "received", "expected"):
        assert f"  {word}: " in ran.out


@pytest.mark.parametrize(
    ("words", "says"), [(["--game", "chess"], "no game 'chess'"), ([], "is no bot: there is no file")]
)
def test_what_cannot_be_checked_is_a_wrong_command(
    run: Run, tmp_path: Path, words: list[str], says: str
) -> None:
    """A game that there is not, and a folder without a bot."""
    bot = write(tmp_path, "comet", "")
    if not words:
        (bot / "main.py").unlink()
    ran = run("bot", "check", str(bot), *words)
    assert (ran.code, says in ran.err) == (2, True)


def found(state: str, **changes: Any) -> dict[str, Any]:
    """A check as the API tells it."""
    return sample(CheckOut, bot="comet", version=2, state=state, **changes)


def failed() -> dict[str, Any]:
    """A report of a bot that crashed."""
    fault = Forfeit(seat=0, code=FaultCode.CRASH, ply=3, detail="gone", expected="a move", request="{}")
    report = CheckReport(
        check="1",
        passed=False,
        code="crash",
        detail="gone",
        language="c",
        steps=(StepReport(step=Step.RANDOM, game="l_game", passed=False, took_ms=1),),
        build=Output(head="warning: unused"),
        forfeit=fault,
        stderr=Output(head="last words"),
        reproduce="arena bot check PATH",
    )
    return report.model_dump(mode="json")


def test_a_verdict_is_waited_for_and_shown_with_its_evidence(run: Run, api: FakeApi) -> None:
    """The owner sees everything, and a failure is one for scripts too."""
    api.answers["GET", "/bots/comet"] = sample(
        BotOut, newest=sample(VersionOut, version=2, archive="ab" * 32)
    )
    api.answers["GET", VERDICT] = [found("checking"), found("failed", code="crash", report=failed())]
    ran = run("bot", "verdict", "comet", "--wait")
    assert ran.code == 1
    for words in ("comet version 2: failed", "crash in l_game: gone", "last words", "warning", "at ply 4"):
        assert words in ran.out


def test_a_verdict_that_is_not_there_yet(run: Run, api: FakeApi) -> None:
    """What a check waits for is said; whoever may not see the evidence sees the code."""
    api.answers["GET", VERDICT] = [
        found("checking", waiting="waiting for a worker host"),
        found("failed", code="crash"),
    ]
    ran = run("bot", "verdict", "comet", "--version", "2")
    assert (ran.code, ran.out) == (0, "comet version 2: checking\nwaiting for a worker host\n")
    assert "the fault: crash" in run("bot", "verdict", "comet", "--version", "2").out


def test_a_check_can_be_asked_for_again(run: Run, api: FakeApi) -> None:
    """`bot recheck` sends the games that it names with its request for a check."""
    api.answers["POST", VERDICT] = found("checking")
    ran = run("bot", "recheck", "comet", "--version", "2", "--game", "l_game")
    assert (ran.code, api.sent()) == (0, {"games": ["l_game"]})


def test_a_check_can_be_called_off(run: Run, api: FakeApi) -> None:
    """That of the newest version, or of another one; a check that is over cannot be."""
    api.answers["GET", "/bots/comet"] = sample(
        BotOut, newest=sample(VersionOut, version=2, archive="ab" * 32)
    )
    api.answers["POST", f"{VERDICT}/cancel"] = found("unchecked", trouble="called off by ann")
    ran = run("bot", "cancel", "comet")
    assert (ran.code, ran.out) == (0, "the check of comet version 2 is called off\n")
    assert run("bot", "cancel", "comet", "--version", "2", "--json").json()["state"] == "unchecked"
    api.answers["POST", "/bots/comet/versions/1/check/cancel"] = problem(409, "it is not being checked")
    ran = run("bot", "cancel", "comet", "--version", "1")
    assert (ran.code, "not being checked" in ran.err) == (2, True)


def test_a_verdict_says_what_was_cut_short(run: Run, api: FakeApi) -> None:
    """A bot that needs long passes, and is told what was not seen of it."""
    steps = tuple(
        StepReport(step=step, game="l_game", passed=True, took_ms=1, cut=True) for step in (Step.RANDOM,)
    )
    report = CheckReport(check="1", passed=True, language="c", steps=steps, reproduce="again")
    api.answers["GET", VERDICT] = found("passed", report=report.model_dump(mode="json"))
    assert "its matches in l_game were cut short" in run("bot", "verdict", "comet", "--version", "2").out


def test_the_verdict_of_a_submission_names_its_files_as_they_are_here(
    run: Run, api: FakeApi, tmp_path: Path
) -> None:
    """What the arena calls PATH is what was handed in, so that the command can be copied."""
    bot = write(tmp_path, "my comet", "")
    made = sample(Submitted, bot="comet", version=2, archive="ab" * 32, created=True)
    api.answers["POST", "/bots/my comet/versions"] = made
    api.answers["GET", VERDICT] = found("failed", code="crash", report=failed())
    ran = run("bot", "submit", str(bot), "--wait")
    assert (ran.code, ran.out.splitlines()[-1]) == (1, f"again: arena bot check '{bot}'")


def test_a_manifest_names_a_bot_that_is_submitted(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """The name in `bot.toml` goes before that of the folder."""
    bot = write(tmp_path, "folder", "", 'name = "comet"')
    made = sample(Submitted, bot="comet", version=1, archive="ab" * 32, created=True)
    api.answers["POST", "/bots/comet/versions"] = made
    assert "checking" in run("bot", "submit", str(bot), "--game", "l_game").out
    assert b"l_game" in api.asked[-1].content
