"""Building an environment at home, and playing and checking with it there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration.arena.cli.conftest import AMPLE, run, time_to_start
from tests.packages import Shelf, shelf, wheel
from tests.unit.arena.cli.conftest import Run

__all__ = ["run", "shelf", "time_to_start"]

BOT = """
import tiny
from arena_bot import run

class Bot:
    name = tiny.WORD

    def choose(self, request):
        return request.legal[0]

run(Bot())
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot that imports a package."""
    folder = tmp_path / "comet"
    folder.mkdir()
    (folder / "main.py").write_text(BOT)
    (folder / "bot.toml").write_text('environment = "small"\n')
    return folder


@pytest.mark.usefixtures("time_to_start")
def test_an_environment_is_built_used_and_removed(run: Run, shelf: Shelf, bot: Path) -> None:
    """`match run` and `bot check` say how to build it where it is missing, and then use it."""
    words = "match", "run", str(bot), "@random", "--game", "heap_nim", *AMPLE
    missing = run(*words)
    assert (missing.code, "arena env build small PACKAGE==VERSION" in missing.err) == (2, True)
    assert "no environment small on this host" in run("bot", "check", str(bot), "--game", "heap_nim").err
    wheel(shelf.wheels, "tiny", "1.0", {"tiny.py": "WORD = 'small but whole'\n"})
    listed = bot.parent / "list.txt"
    listed.write_text("# one package\ntiny==1.0\n")
    assert "cannot be read" in run("env", "build", "small", "-r", "none.txt").err
    assert "there is no folder none" in run("env", "build", "small", "tiny==1.0", "--wheels", "none").err
    made = run("env", "build", "small", "-r", str(listed), "--wheels", str(shelf.wheels))
    assert (made.code, "arena env build small tiny==1.0" in made.out) == (0, True), made.err
    (here,) = json.loads(run("env", "list", "--json").out)["environments"]
    assert (here["name"], here["packages"], here["current"], here["trouble"]) == (
        *("small", ["tiny==1.0"]),
        *(True, None),
    )
    played = run(*words)
    assert played.code == 0, played.err
    assert "small but whole" not in missing.out
    checked = run("bot", "check", str(bot), "--game", "heap_nim", "--json")
    report = json.loads(checked.out)
    assert (report["passed"], report["language"], report["bot_name"]) == (
        *(True, "python:small"),
        "small but whole",
    )
    assert here["digest"] in report["toolchain"]
    assert run("env", "remove", f"small@{here['digest']}").code == 0
    assert "there are none" in run("env", "list").out
    assert run("env", "remove", "small").code == 2
