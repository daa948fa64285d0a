"""Builds: what a host makes of an archive, how often, and what an author is told."""

from __future__ import annotations

import fcntl
import io
import os
import sys
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.integration.workers.bot_sources import PROJECTS, SOURCES, C
from tests.integration.workers.workshops import Bench, bench, python_words, require
from workers.core.contract import Limits
from workers.core.errors import ArchiveMissingError, BuildError, StoppedError, UnsupportedError
from workers.core.halt import Halt
from workers.core.scratch import remove_tree
from workers.programs import builds, tools
from workers.programs.builds import BUILD_LIMITS
from workers.programs.runtimes.languages import LANGUAGES, PYTHON
from workers.programs.runtimes.toolchains import find_toolchains, tool_path, version_of
from workers.programs.tools import run_to_end
from workers.sandbox.confinement import Program
from workers.sandbox.levels import LEVELS, ByTrust, find_confinement, trouble_with

__all__ = ["bench"]

SHELL = tool_path("sh") or "/bin/sh"


def zipped(files: Mapping[str, str]) -> bytes:
    """A zip of files by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _each(languages: Iterable[str]) -> list[Any]:
    """A parameter for each language; TypeScript is a long test, as its compiler takes seconds to begin."""
    return [pytest.param(each, marks=pytest.mark.long if each == "typescript" else ()) for each in languages]


@pytest.mark.parametrize("language", _each(SOURCES))
def test_a_bot_of_every_language_answers(bench: Bench, language: str) -> None:
    """Source goes in, a program comes out that runs in the sandbox and speaks the protocol."""
    require(language)
    built = bench.workshop.build(bench.put(*SOURCES[language]))
    assert built.source.language.name == language
    assert built.version
    ran = run_to_end(ByTrust(), built.program, Limits(), 600)
    assert (ran.status, ran.stopped) == (0, ""), ran.stderr


@pytest.mark.parametrize(
    "level", [pytest.param(each, marks=[pytest.mark.long] * (at > 0)) for at, each in enumerate(LEVELS)]
)
@pytest.mark.parametrize("language", _each(PROJECTS))
def test_a_project_of_several_folders_is_built(bench: Bench, language: str, level: str) -> None:
    """Headers, packages and modules are found, and a language's own tool for projects works in there."""
    if trouble := trouble_with(level):
        pytest.skip(f"{level}: {trouble}")
    require(language, find_confinement(level))
    workshop = bench.another(lambda: find_confinement(level))
    program = workshop.program(bench.put("comet.zip", zipped(PROJECTS[language])))
    assert run_to_end(find_confinement(level), program, Limits(), 600).status == 0


def test_what_a_runtime_finds_at_one_level_only_is_said(bench: Bench) -> None:
    """C# needs what Landlock alone cannot give it, and whoever hands it in there is told so."""
    require("csharp")
    if trouble := trouble_with("landlock"):
        pytest.skip(f"landlock: {trouble}")
    workshop = bench.another(lambda: find_confinement("landlock"))
    with pytest.raises(UnsupportedError, match=r"does not run C#: .* bubblewrap"):
        workshop.program(bench.put(*SOURCES["csharp"]))


def test_a_bot_is_built_once_on_a_host(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process finds what was built; other sources or another compiler make another build."""
    require("c")
    sha = bench.put("bot.c", C)
    program = bench.workshop.program(sha)
    again = bench.another()
    assert again.program(sha) == program
    assert bench.workshop.program(bench.put("bot.c", C + "\n")) != program
    monkeypatch.setattr(builds, "version_of", lambda *_: "gcc 99")
    assert bench.another().program(sha) != program


def test_what_is_built_cannot_be_changed_and_lies_beside_its_files(bench: Bench) -> None:
    """The folder holds the program and the bot's own data, all read-only, and nothing else is left."""
    require("c")
    sha = bench.put("bot.zip", zipped({"main.c": C, "book.txt": "e4"}))
    folder = Path(bench.workshop.program(sha).command[0]).parent
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {
        "bot": 0o555,
        "book.txt": 0o444,
        "main.c": 0o444,
    }
    assert not [path for path in folder.parent.iterdir() if path.name.startswith(".")]


def test_the_author_gets_the_compilers_words(bench: Bench) -> None:
    """A bot that does not build is told apart from trouble of ours, and nothing of it is kept."""
    require("c")
    with pytest.raises(BuildError, match="ended with status 1") as caught:
        bench.workshop.build(bench.put("bot.c", "int main(void) { return surprise; }"))
    assert "surprise" in caught.value.said.head
    assert [path.suffix for path in (bench.folder / "builds").iterdir()] == [".lock"]


def test_a_build_sees_nothing_of_the_host(bench: Bench) -> None:
    """What another user's file says does not come out through a compiler's error."""
    require("c")
    secret = bench.folder / "secret"
    secret.write_text("the_password_of_the_host")
    secret.chmod(0o600)
    with pytest.raises(BuildError) as caught:
        bench.workshop.build(bench.put("bot.c", f'#include "{secret}"\nint main(void) {{ return 0; }}'))
    assert "the_password_of_the_host" not in caught.value.said.head


def test_a_build_that_does_not_end_is_stopped(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is limited, and running out of it is the bot's fault."""
    require("c")
    endless = LANGUAGES["c"].__class__(**{**vars(LANGUAGES["c"]), "build": "while :; do :; done"})
    monkeypatch.setitem(LANGUAGES, "c", endless)
    monkeypatch.setattr(builds, "BUILD_SECONDS", 1.0)
    with pytest.raises(BuildError, match="more than 1 s"):
        bench.workshop.build(bench.put("bot.c", C))


def test_a_build_that_fills_the_disk_is_stopped(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of a build is watched while it runs."""
    require("c")
    line = "seq 3000000 > numbers; while :; do :; done"
    monkeypatch.setitem(LANGUAGES, "c", LANGUAGES["c"].__class__(**{**vars(LANGUAGES["c"]), "build": line}))
    monkeypatch.setattr(builds, "MAX_WORK_BYTES", 10_000_000)
    with pytest.raises(BuildError, match="wrote more than 10000000 bytes"):
        bench.workshop.build(bench.put("bot.c", C))


def test_a_build_in_a_private_folder(bench: Bench) -> None:
    """The cache may lie where the users that bots run as do not get to, as in an arena's data folder."""
    require("c")
    bench.folder.chmod(0o700)
    built = bench.workshop.build(bench.put("bot.c", C))
    assert run_to_end(ByTrust(), built.program, Limits(), 600).status == 0


def test_a_build_that_fills_the_disk_without_names_is_stopped(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found in no folder is seen by the room that is left, where that is little."""
    require("c")
    line = "exec 7> big; rm big; head -c 100000000 /dev/urandom >&7; while :; do sleep 1; done"
    monkeypatch.setitem(LANGUAGES, "c", LANGUAGES["c"].__class__(**{**vars(LANGUAGES["c"]), "build": line}))
    monkeypatch.setattr(builds, "MAX_WORK_BYTES", 10_000_000)
    monkeypatch.setattr(tools, "MIN_FREE", sys.maxsize)
    with pytest.raises(BuildError, match="wrote more than 10000000 bytes"):
        bench.workshop.build(bench.put("bot.c", C))


def test_a_wait_for_another_process_can_be_broken_off(bench: Bench) -> None:
    """Whoever is told to stop while another builds the same waits no longer."""
    require("c")
    archive = bench.put("bot.c", C)
    bench.workshop.build(archive)
    (built,) = (path for path in (bench.folder / "builds").iterdir() if path.suffix != ".lock")
    remove_tree(built)
    halt = Halt()
    with built.with_suffix(".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        halt.call(StoppedError("the worker is to stop"))
        with pytest.raises(StoppedError):
            bench.workshop.build(archive, halt)
    halt.close()


@pytest.mark.parametrize(("depth", "name"), [(101, "d"), (1500, "d"), (40, "d" * 250)])
def test_a_tree_that_a_build_leaves_too_deep_is_the_bots_fault(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, depth: int, name: str
) -> None:
    """It is neither walked to its end nor kept, and nothing of it stays."""
    require("c")
    line = f"{LANGUAGES['c'].build} && i=0; while [ $i -lt {depth} ]; do"
    line += f" mkdir {name} && cd {name} || exit 1; i=$((i+1)); done"
    monkeypatch.setitem(LANGUAGES, "c", LANGUAGES["c"].__class__(**{**vars(LANGUAGES["c"]), "build": line}))
    with pytest.raises(BuildError):
        bench.workshop.build(bench.put("bot.c", C))
    assert [path.suffix for path in (bench.folder / "builds").iterdir()] == [".lock"]


def test_links_that_a_build_leaves_are_removed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the cache leads out of it."""
    require("c")
    line = f"{LANGUAGES['c'].build} && ln -s /etc etc && ln -s /etc/passwd passwd && mkfifo pipe"
    monkeypatch.setitem(LANGUAGES, "c", LANGUAGES["c"].__class__(**{**vars(LANGUAGES["c"]), "build": line}))
    folder = Path(bench.workshop.program(bench.put("bot.c", C)).command[0]).parent
    assert sorted(path.name for path in folder.iterdir()) == ["bot", "main.c"]


def test_a_language_that_the_host_lacks_is_not_tried(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is neither the bot's fault nor a failed build."""
    nowhere = PYTHON.__class__(**{**vars(PYTHON), "probes": (("no-such-tool", "--version"),)})
    monkeypatch.setitem(LANGUAGES, "python", nowhere)
    with pytest.raises(UnsupportedError, match="does not run Python"):
        bench.workshop.build(bench.put("bot.py", "print()"))
    monkeypatch.setitem(LANGUAGES, "python", PYTHON)
    assert bench.workshop.build(bench.put("bot.py", "print(1)")).version  # it is asked anew, and is there now
    with pytest.raises(ArchiveMissingError):
        bench.workshop.build("0" * 64)


def test_only_tools_that_bots_can_reach_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool on our own path but not on that of bots, or one that fails, is not advertised."""
    fake = tmp_path / "rustc"
    fake.write_text("#!/bin/sh\necho rustc 99\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    found = find_toolchains(ByTrust(), python_words())
    assert "99" not in found.get("rust", "")
    assert found["python"].startswith("Python 3")
    failing = PYTHON.__class__(**{**vars(PYTHON), "probes": ((SHELL, "-c", "echo 1; exit 3"),)})
    assert version_of(failing, ByTrust(), python_words()) is None


def test_a_tool_is_run_to_its_end() -> None:
    """Both outputs are kept, and how it ended."""
    program = Program((SHELL, "-c", "echo out; echo err >&2; exit 7"))
    ran = run_to_end(ByTrust(), program, BUILD_LIMITS, 600)
    assert (ran.status, ran.stdout.head, ran.stderr.head) == (7, "out\n", "err\n")
