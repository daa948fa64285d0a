"""Reference bots in C: compiled once, by whoever comes first, and started as processes."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bots.reference import REFERENCE, UnknownBotError, command
from bots.reference.compiling import FLAGS, LIBRARIES, NotCompiledError, compile_bot, program_of
from bots.reference.pack import archive
from bots.reference.ready import make_ready
from engines.games import find_game
from tests.integration.bots.reference.compiled_here import CC, NIM, match_of, named, tables
from tests.integration.workers.workshops import Bench, bench, require
from tests.unit.workers.conftest import AMPLE
from workers.checks.contract import CheckSpec
from workers.checks.runner import check_bot
from workers.core.contract import BotRef
from workers.core.errors import SpecError
from workers.core.halt import Halt
from workers.host import tasks
from workers.play.match import play_match
from workers.programs.archives import MAX_UPLOAD_BYTES, source_of
from workers.programs.runtimes.languages import C
from workers.sandbox.confinement import as_program

__all__ = ["bench", "tables"]

BOARDS: tuple[dict[str, Any], ...] = tuple(
    {"size": size, "reversed": fewest} for size in (4, 6, 8) for fewest in (False, True)
)
COUNTING = """#!/bin/sh
case "$*" in *--version*) echo "counting 1"; exit 0;; esac
echo "$*" >>"$COUNTED"
sleep 0.3
exec {cc} "$@"
"""
pytestmark = [
    pytest.mark.skipif(CC is None, reason="no C compiler"),
    pytest.mark.usefixtures("tables"),
]


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiler that writes a line for each program that it makes; where these lines are."""
    script = tmp_path / "counting"
    script.write_text(COUNTING.format(cc=CC))
    script.chmod(0o755)
    lines = tmp_path / "counted"
    lines.touch()
    monkeypatch.setenv("CC", str(script))
    monkeypatch.setenv("COUNTED", str(lines))
    return lines


def test_it_is_compiled_once_and_plays_at_every_level(tables: Path, counted: Path) -> None:
    """One program serves all levels and all later uses; nothing of its making stays beside it."""
    for text in ("tiny", "tiny:1", "tiny:3"):
        make_ready(text, NIM)
    (folder,) = (path for path in tables.iterdir() if path.is_dir())
    assert sorted(path.name for path in folder.iterdir()) == ["few.weights", "tiny"]
    assert folder == program_of(REFERENCE["tiny"]).parent
    assert len(counted.read_text().splitlines()) == 1
    assert [named(text) for text in ("tiny", "tiny:1")] == [
        "tiny 3 with forty-two",
        "tiny 1 with forty-two",
    ]


def test_it_is_trusted_as_other_reference_bots_are() -> None:
    """So a host that cannot confine bots plays it, too."""
    assert as_program(command("tiny:2")).trusted
    assert command("tiny:2")[-1] == "2"


def test_whatever_goes_into_it_makes_another(
    tmp_path: Path, counted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other weights, another source, another compiler: each has a program of its own."""
    bot = REFERENCE["tiny"]
    folder = tmp_path / "packages" / bot.module
    programs = [program_of(bot)]
    for name in ("few.weights", "main.c", "more.h"):
        with (folder / name).open("a") as file:
            file.write("\n")
        programs.append(program_of(bot))
    monkeypatch.setenv("CC", str(CC))
    programs.append(program_of(bot))
    assert len(set(programs)) == 5
    assert counted.read_text() == ""


def test_those_who_come_at_once_wait_for_the_first(counted: Path) -> None:
    """Four processes want it at the same time: one compiles, and all can start it afterwards."""
    package = REFERENCE["tiny"].module
    script = (
        "import sys; from bots.reference import ReferenceBot; from bots.reference.compiling import *;"
        f" bot = ReferenceBot('tiny', '', ('heap_nim',), {package!r}, levels=3); compile_bot(bot);"
        " import os; sys.exit(not os.access(program_of(bot), os.X_OK))"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with ThreadPoolExecutor(4) as pool:
        words = [sys.executable, "-c", script]
        ran = list(pool.map(lambda _: subprocess.run(words, env=environ, check=False), range(4)))
    assert [each.returncode for each in ran] == [0] * 4
    assert len(counted.read_text().splitlines()) == 1


def test_a_worker_makes_it_for_a_person_s_game(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There it is named, not handed in; a host without a compiler gives the turn back with words."""
    with closing(Halt()) as halt:
        spec = match_of("@tiny:2")
        program = tasks._player(spec, 0, halt)
        result = play_match(spec, (program, command("random")))
        assert (result.forfeits, result.seats[0].bot_name) == ((), "tiny 2 with forty-two")
        monkeypatch.setenv("PATH", str(tables))
        with pytest.raises(SpecError, match="there is no compiler here"):
            tasks._player(spec, 0, halt)


def test_without_a_compiler_another_bot_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The error says what is lacking, and which bots of the game need none."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnknownBotError, match=r"there is no compiler here \(cc, gcc, clang\); .*@xor"):
        command("tiny")
    champion = find_game("reversed_reversi")
    with pytest.raises(NotCompiledError, match="@group8 and @strong need no compiler"):
        make_ready("champion", champion)
    for words in ("no-such-compiler -O0", 'cc "'):
        monkeypatch.setenv("CC", words)
        with pytest.raises(NotCompiledError, match=f"'{words}' does not start"):
            make_ready("tiny", NIM)
    assert capfd.readouterr() == ("", "")


def test_a_source_that_does_not_compile_says_so(tmp_path: Path, tables: Path) -> None:
    """What the compiler said is told, and nothing is kept."""
    with (tmp_path / "packages" / REFERENCE["tiny"].module / "main.c").open("a") as file:
        file.write("#error not today\n")
    with pytest.raises(NotCompiledError, match=r"(?s)ended with status 1.*not today"):
        make_ready("tiny", NIM)
    assert not [path for path in tables.iterdir() if path.is_dir()]


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of tables is a file, or there is a file where the program is to be."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tmp_path / "file"))
    with pytest.raises(NotCompiledError, match="needs a folder that can be written to"):
        make_ready("tiny", NIM)
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tmp_path / "tables"))
    program_of(REFERENCE["tiny"]).parent.touch()
    with pytest.raises(NotCompiledError, match="cannot be kept in"):
        compile_bot(REFERENCE["tiny"])


def test_a_program_that_was_never_made_says_so() -> None:
    """Whoever starts it without having seen to it reads why it does not play."""
    done = subprocess.run(command("tiny"), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "tiny cannot be started: No such file or directory" in done.stderr


def test_it_is_compiled_as_an_arena_does() -> None:
    """The same options as for what is handed in, so that it is as strong at home."""
    for option in (*FLAGS, *LIBRARIES):
        assert option in C.build.split()


def test_its_archive_passes_the_check_and_plays_at_its_level(bench: Bench) -> None:
    """It is handed in as its sources, without tables of anybody, and its level is in them."""
    require("c")
    data = archive("tiny:2")
    assert data == archive("tiny:2") != archive("tiny")
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert names == ["bot.toml", "few.weights", "greeting.h", "main.c", "more.h", "rules.h"]
    assert source_of(data).language is C
    bot = BotRef(name="tiny", archive=bench.put("tiny.zip", data))
    report = check_bot(CheckSpec(check="7", bot=bot, games=("heap_nim",), time=AMPLE), bench.workshop)
    assert report.passed, report
    assert report.bot_name == "tiny 2 with forty-two"


def test_the_champion_s_archive_passes_the_check_and_plays_a_game(bench: Bench) -> None:
    """Always the same bytes, not too many; built and confined as any bot it has its weights."""
    require("c")
    data = archive("champion:1")
    assert data == archive("champion:1") != archive("champion")
    assert len(data) < MAX_UPLOAD_BYTES
    bot = BotRef(name="champion", archive=bench.put("champion.zip", data))
    spec = CheckSpec(check="7", bot=bot, games=("reversed_reversi",), time=AMPLE)
    report = check_bot(spec, bench.workshop)
    assert report.passed, report
    assert not any(step.cut for step in report.steps)
    assert (report.language, report.bot_name) == ("c", "champion:1")
    for params in BOARDS:
        played = match_of("@champion:1", find_game("reversed_reversi", params))
        result = play_match(played, (bench.workshop.program(str(bot.archive)), command("random")))
        seat = result.seats[0]
        assert (result.forfeits, seat.bot_name, seat.stderr_head) == ((), "champion:1", "")


@pytest.mark.parametrize(
    "params",
    [pytest.param(each, marks=[pytest.mark.long] * (each != BOARDS[0])) for each in BOARDS],
    ids=str,
)
def test_the_champion_plays_at_home_as_an_arena_would(params: dict[str, Any]) -> None:
    """A whole game on each of its boards, by both rules, without a fault, with the weights for it."""
    game = find_game("reversed_reversi", params)
    make_ready("champion:2", game)
    assert named("champion:2", game) == "champion:2"
