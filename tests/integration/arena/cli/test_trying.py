"""`arena bot new` and `test` in an author's hands: what is said first where something is wrong."""

from __future__ import annotations

import errno
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from arena.local.players import Player
from arena.local.trying import Tried
from engines.game import Game
from engines.games import GAMES, find_row
from tests.unit.arena.cli.conftest import Run

GAME = ("--game", "heap_nim")
LATE = """from arena_bot import run


class Bot:
    def choose(self, request):
        return request.legal[0] if len(request.legal) != 2 else "9:9"


run(Bot())
"""
"""What no check need find: it errs in few positions."""


def test_a_folder_that_is_in_use_is_left_alone(run: Run, tmp_path: Path) -> None:
    """Nothing is written over, and neither is anything where there is no such language or game."""
    assert run("bot", "new", "comet", "--lang", "c", *GAME).code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "comet").iterdir()}
    again = run("bot", "new", "comet", "--lang", "python")
    assert (again.code, "not empty" in again.err) == (2, True)
    assert {path: path.read_bytes() for path in (tmp_path / "comet").iterdir()} == before
    for words, says in (
        (("--lang", "cobol"), "there are python, cpp"),
        (("--lang", "c", "--game", "x"), "'x'"),
    ):
        refused = run("bot", "new", "other", *words)
        assert (refused.code, says in refused.err) == (2, True)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_is_written_whole_or_not_at_all(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """Where the disk is full before the last file, nothing stays that the next try would be refused for."""
    if there:
        (tmp_path / "comet").mkdir()
    write = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.name == "README.md":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        refused = run("bot", "new", "comet", "--lang", "java", *GAME)
    assert (refused.code, refused.err) == (2, "arena: comet cannot be written: No space left on device\n")
    assert [*tmp_path.glob("comet*"), *tmp_path.glob("comet/*")] == [tmp_path / "comet"] * there
    assert run("bot", "new", "comet", "--lang", "java", *GAME).code == 0


@pytest.mark.parametrize("name", ["my bot", "-bot"])
def test_what_is_told_to_be_typed_can_be(run: Run, name: str) -> None:
    """A folder with a space or a dash is one word of a command, and no option."""
    made = run("bot", "new", "--lang", "python", *GAME, "--", name)
    words = shlex.split(made.out.splitlines()[1].partition("  its test")[0])
    assert words[:3] == ["arena", "bot", "test"]
    assert Path(words[3]).samefile(name)
    assert run(*words[1:3], "--watch", words[3], "--json").err.startswith("arena: --watch is for a folder")


def test_the_files_are_told_to_a_program(run: Run, tmp_path: Path) -> None:
    """`--json` names the folder and every file in it."""
    told = run("bot", "new", "comet", "--lang", "rust", *GAME, "--json").json()
    written = [str(path.relative_to(tmp_path)) for path in (tmp_path / "comet").rglob("*") if path.is_file()]
    assert sorted(told["files"]) == sorted(written)
    assert (told["language"], told["game"]) == ("rust", "heap_nim")


def test_its_own_test_is_the_first_to_be_fixed(run: Run, tmp_path: Path) -> None:
    """Where that fails nothing else is tried, and its last words are repeated."""
    run("bot", "new", "comet", "--lang", "python", *GAME)
    main = tmp_path / "comet" / "main.py"
    main.write_text(main.read_text().replace("return best", 'return "9:9"'))
    tried = run("bot", "test", "comet")
    assert tried.code == 1
    assert tried.out.splitlines()[-1].startswith(
        "fix first: its own test fails, `python test_bot.py`: FAILED"
    )
    assert "check" not in tried.err


def test_then_its_check(run: Run, tmp_path: Path) -> None:
    """A bot without a test of its own is told of what the check finds."""
    (tmp_path / "mine.py").write_text("print('hello')\n")
    tried = run("bot", "test", "mine.py", *GAME)
    assert tried.code == 1
    assert tried.out.splitlines()[-1].startswith("fix first: its check fails by startup: ")


def test_then_what_it_loses_by_itself(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten games that are played and recorded, the first that it lost by a fault is named."""
    (tmp_path / "mine.py").write_text(LATE)
    monkeypatch.setattr("arena.cli.bot.trying._Trial._check", lambda *_, **__: None)
    tried = run("bot", "test", "mine.py", *GAME, "--record", "games.jsonl", "--json")
    told = tried.json()
    assert tried.code == 1
    assert len(told["games"]) == len((tmp_path / "games.jsonl").read_text().splitlines()) == 10
    first = next(game for game in told["games"] if game["forfeit"])
    assert told["fix"].startswith(
        f"fix first: it lost to {first['against']} by illegal_move ({first['record']}"
    )


def test_the_error_that_ended_it_is_named(run: Run, tmp_path: Path) -> None:
    """An exit status alone would have its author read all of the report."""
    (tmp_path / "mine.py").write_text("raise RuntimeError('no table of moves')\n")
    tried = run("bot", "test", "mine.py", *GAME)
    assert tried.code == 1
    assert tried.out.splitlines()[-2] == "again: arena bot check mine.py --game heap_nim"
    assert tried.out.splitlines()[-1] == (
        "fix first: its check fails by startup: ended by itself with exit status 1: "
        "RuntimeError: no table of moves (main.py:1)"
    )


@pytest.mark.parametrize("game", sorted(GAMES))
def test_it_meets_every_level(run: Run, bots: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Also those that play from tables, which are made before the first game."""
    met = list[str]()

    def note(_bot: Player, _game: Game[Any], against: Sequence[str], seed: int) -> Iterator[Tried]:
        del seed
        met.extend(against)
        return iter(())

    monkeypatch.setattr("arena.cli.bot.trying._Trial._check", lambda *_, **__: None)
    monkeypatch.setattr("arena.local.trying.play_levels", note)
    assert run("bot", "test", str(bots / "first.py"), "--game", game).code == 0
    assert tuple(level.removeprefix("@") for level in dict.fromkeys(met)) == find_row(game).levels


def test_levels_that_cannot_be_made_here_are_left_out(
    run: Run, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it is said what is lacking; the others are played."""
    monkeypatch.setattr("arena.cli.bot.trying._Trial._check", lambda *_, **__: None)
    lack = ModuleNotFoundError("No module named 'numba'", name="numba")
    monkeypatch.setattr("engines.strategies.person.find", Mock(side_effect=lack))
    tried = run("bot", "test", str(bots / "first.py"), *GAME, "--json")
    assert tried.code == 0, tried.err
    assert "@person:70 is left out: this needs numba" in tried.err
    assert {each["against"] for each in tried.json()["games"]} == {
        f"@{level}" for level in find_row("heap_nim").levels if not level.startswith("person")
    }


def test_a_lost_game_is_no_fault(run: Run, bots: Path) -> None:
    """A bot that plays legally has nothing to fix, and is told whom to beat next; the check finds its kit."""
    tried = run("bot", "test", str(bots / "first.py"), *GAME)
    assert tried.code == 0, tried.err
    assert "nothing has to be fixed: it won" in tried.out
    assert "self play in heap_nim: well" in tried.err


def test_what_cannot_be_watched(run: Run, bots: Path) -> None:
    """A single file, and a document of JSON, are refused before anything is played."""
    for words in ((str(bots / "first.py"),), (str(bots), "--json")):
        assert run("bot", "test", *words, "--watch").code == 2


def test_records_are_not_handed_in(run: Run, tmp_path: Path) -> None:
    """A file for them in the bot's own folder is refused before anything is played, however it is named."""
    run("bot", "new", "comet", "--lang", "python", *GAME)
    (tmp_path / "link").symlink_to("comet")
    for folder, file in (("comet", "comet/games.jsonl"), ("link", "comet/later/games.jsonl")):
        refused = run("bot", "test", folder, "--record", file)
        assert (refused.code, "would be handed in with the bot" in refused.err) == (2, True)
    assert not list((tmp_path / "comet").rglob("games.jsonl"))


def test_every_save_plays_a_game(run: Run, tmp_path: Path) -> None:
    """The first is played at once, one more for a save, what does not work is said, and Ctrl-C ends it."""
    run("bot", "new", "comet", "--lang", "python", *GAME)
    script = "from arena.cli import main; main()"
    command = [
        sys.executable,
        "-u",
        "-c",
        script,
        "bot",
        "test",
        "comet",
        "--watch",
        "--record",
        "games.jsonl",
    ]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=os.environ
    ) as watching:
        assert watching.stdout is not None
        assert watching.stdout.readline().startswith("against @random: ")
        (tmp_path / "comet" / "main.py").write_text("import nothing_of_that_name\n")
        assert "by startup (games.jsonl#2" in (told := watching.stdout.readline()), told
        assert "nothing_of_that_name is not there" in told
        watching.send_signal(signal.SIGINT)
        assert watching.wait() == 0
