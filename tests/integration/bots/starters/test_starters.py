"""A starter in each language, from nothing to a recorded match, as its author goes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from arena.local.records import parse_name, read_one
from arena.local.submission import read_submission
from arena.local.trying import TEST_SECONDS, own_test
from bots.starters import STARTERS
from tests.integration.workers.workshops import require
from tests.waiting import eventually
from workers.programs.archives import files_of

GAME = "heap_nim"


def _arena(folder: Path, *words: str) -> str:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("language", STARTERS)
def test_three_commands_lead_to_a_recorded_match(tmp_path: Path, language: str) -> None:
    """Begin a bot, try it out and play: its own test, its check and its games go well, none is forfeited.

    What is built for that is no part of what is handed in; cargo's lock is, as a project's own file.
    """
    require(language)
    _arena(tmp_path, "bot", "new", "comet", "--lang", language, "--game", GAME)
    begun = files_of(read_submission(tmp_path / "comet").archive)
    tried = _arena(tmp_path, "bot", "test", "comet")
    _arena(tmp_path, "match", "run", "comet", "@random", "--game", GAME, "--record", "games.jsonl")
    assert "nothing has to be fixed" in tried
    assert "its own test: well" in tried
    if (tmp_path / "comet" / "Makefile").is_file():
        subprocess.run([str(shutil.which("make"))], cwd=tmp_path / "comet", check=True)
    handed_in = files_of(read_submission(tmp_path / "comet").archive)
    assert {name: handed_in[name] for name in handed_in if name != "Cargo.lock"} == begun
    record = read_one(parse_name(f"{tmp_path / 'games.jsonl'}#1"))
    assert [bot.name for bot in record.spec.bots] == ["comet", "@random"]
    assert (record.result.forfeits, bool(record.result.moves)) == ((), True)


def test_a_test_that_never_ends_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That it did not end is said, and what `make` has started does not go on."""
    started = tmp_path / "started"
    (tmp_path / "Makefile").write_text("test:\n\t@sleep 1000 & echo $$! >part; mv part started; wait\n")
    communicate = subprocess.Popen.communicate

    def late(test: subprocess.Popen[bytes], **_: object) -> object:
        eventually(started.exists)
        return communicate(test, timeout=0.1)

    monkeypatch.setattr(subprocess.Popen, "communicate", late)
    done = own_test(tmp_path, "c")
    assert not isinstance(done, str)
    assert (done.passed, done.said.splitlines()[-1]) == (False, f"not over after {TEST_SECONDS} s")
    eventually(lambda: _has_ended(int(started.read_text())))


def _has_ended(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.mark.parametrize(("language", "file"), [("python", "main.py"), ("javascript", "main.js")])
def test_its_own_test_sees_what_is_not_legal(tmp_path: Path, language: str, file: str) -> None:
    """A bot that answers something else fails the test that it came with."""
    require(language)
    _arena(tmp_path, "bot", "new", "comet", "--lang", language, "--game", GAME)
    main = tmp_path / "comet" / file
    main.write_text(main.read_text().replace("return best", 'return "9:9"'))
    done = own_test(tmp_path / "comet", language)
    assert not isinstance(done, str)
    assert not done.passed
    assert "9:9" in done.said
