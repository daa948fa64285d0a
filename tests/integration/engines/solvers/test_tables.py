"""Packed tables on disk: built once, read by all, and never trusted without their checksum."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engines.games import find_game
from engines.solvers import tables
from engines.solvers.oracle import Progress
from engines.solvers.tables import open_table

GAME = find_game("heap_nim", {"heaps": [1, 2, 3]})
PAYLOAD = bytes(range(256)) * 5


class Builder:
    """Builds the payload and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, progress: Progress) -> memoryview:
        self.times += 1
        progress(1, 2)
        return memoryview(PAYLOAD)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tables' folder, which is not there yet."""
    made = tmp_path / "deep" / "tables"
    monkeypatch.setenv("ARENA_TABLES_DIR", str(made))
    return made


def the_file(folder: Path) -> Path:
    """The one table of the folder."""
    (found,) = folder.glob("*.table")
    return found


def test_a_table_is_built_once_and_then_read(folder: Path) -> None:
    """The second time the same bytes come from the file, read-only, and nothing but file and lock is left."""
    build, told = Builder(), []
    first = open_table(GAME, "x-1", build, lambda done, total: told.append((done, total)))
    second = open_table(GAME, "x-1", build)
    assert (bytes(first), bytes(second), build.times, told) == (PAYLOAD, PAYLOAD, 1, [(1, 2)])
    assert first.readonly
    assert second.readonly
    assert sorted(path.suffix for path in folder.iterdir()) == [".lock", ".table"]
    assert the_file(folder).name.startswith("heap_nim-x-1-")


def test_other_parameters_and_contents_are_other_tables(folder: Path) -> None:
    """Each has its own file, and its own bytes."""
    build = Builder()
    for game in (GAME, find_game("heap_nim"), find_game("l_game")):
        for content in ("x-1", "x-2"):
            open_table(game, content, build)
    assert build.times == len(list(folder.glob("*.table"))) == 6


def test_a_new_version_of_the_game_is_another_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was solved under old rules is not read under new ones."""
    build = Builder()
    open_table(GAME, "x-1", build)
    monkeypatch.setattr(type(GAME), "version", GAME.version + 1)
    open_table(GAME, "x-1", build)
    assert build.times == len(list(folder.glob("*.table"))) == 2


def flipped(data: bytes, at: int) -> bytes:
    """The same bytes with one bit changed."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda data: flipped(data, -1 + len(data)), "checksum"),
        (lambda data: flipped(data, 3), "no table of this format"),
        (lambda data: data[:-100], "not whole"),
        (lambda data: data + b"\0", "not whole"),
        (lambda data: data[:5], "no table of this format"),
        (lambda _: b"", "no table of this format"),
        (lambda data: data.replace(b'"heap_nim"', b'"heap-nim"'), "another table"),
        (lambda data: data.replace(b"{", b"[", 1), "header cannot be read"),
        (lambda data: data.replace(b'"length"', b'"lenght"'), "header is incomplete"),
        (lambda data: data.replace(b'"sha256"', b'"sha265"'), "header is incomplete"),
        (lambda data: data[:8] + b"\xff\xff\xff\xff" + data[12:], "header cannot be read"),
    ],
)  # fmt: skip
def test_a_damaged_table_is_built_anew(
    folder: Path, damage: Callable[[bytes], bytes], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever is wrong with the file is noticed, said, and mended."""
    build = Builder()
    open_table(GAME, "x-1", build)
    the_file(folder).write_bytes(damage(the_file(folder).read_bytes()))
    with caplog.at_level(logging.WARNING):
        assert bytes(open_table(GAME, "x-1", build)) == PAYLOAD
    assert build.times == 2
    assert caplog.text.count(why) == 1
    assert bytes(open_table(GAME, "x-1", build)) == PAYLOAD
    assert build.times == 2


BUILDING = """
import os, signal, sys
from engines.games import find_game
from engines.solvers.tables import open_table

payload, log, fate = bytes(range(256)) * 5, sys.argv[1], sys.argv[2]

def build(progress):
    if fate == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    with open(log, "a") as file:
        file.write("built\\n")
    return memoryview(payload)

print("ready", flush=True)
sys.stdin.readline()
assert bytes(open_table(find_game("heap_nim", {"heaps": [1, 2, 3]}), "x-1", build)) == payload
"""
"""A process that wants the table as soon as it is told to go on, and says in a log when it builds."""


def another_process(log: Path, fate: str) -> subprocess.Popen[str]:
    """Such a process, ready to go on."""
    command = [sys.executable, "-c", BUILDING, str(log), fate]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(tables.__file__).parents[2],
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def test_processes_that_build_at_once_build_once(folder: Path, tmp_path: Path) -> None:
    """One builds, the others wait for it and read the same bytes."""
    started = [another_process(tmp_path / "log", "live") for _ in range(4)]
    for process in started:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        process.communicate()
    assert [process.returncode for process in started] == [0] * 4
    assert (tmp_path / "log").read_text() == "built\n"
    assert the_file(folder).exists()


def test_a_builder_that_is_killed_leaves_no_table_and_no_lock(folder: Path, tmp_path: Path) -> None:
    """Who comes next builds as if nothing had been."""
    process = another_process(tmp_path / "log", "die")
    process.communicate("go\n")
    assert process.returncode == -signal.SIGKILL
    assert not list(folder.glob("*.table"))
    build = Builder()
    assert bytes(open_table(GAME, "x-1", build)) == PAYLOAD
    assert build.times == 1


def test_a_build_that_fails_leaves_nothing(folder: Path) -> None:
    """The error comes through, and neither a table nor a part of one is there."""

    def fail(_: Progress) -> memoryview:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        open_table(GAME, "x-1", fail)
    assert [path.suffix for path in folder.iterdir()] == [".lock"]


def test_without_a_folder_tables_are_built_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A folder that cannot be made is said once and costs no more than building each time."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tmp_path / "file" / "tables"))
    build = Builder()
    for _ in range(2):
        found = open_table(GAME, "x-1", build)
        assert bytes(found) == PAYLOAD
        assert found.readonly
    assert build.times == 2
    assert "tables cannot be kept" in caplog.text


def test_a_table_that_cannot_be_written_is_used_from_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk costs the file, not the work."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tables, "_write", full)
    build = Builder()
    assert bytes(open_table(GAME, "x-1", build)) == PAYLOAD
    assert build.times == 1
    assert "No space left on device" in caplog.text
    assert not list(folder.glob("*.table"))


def test_the_folder_is_found_as_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own variable comes first, then the cache's, then the home's cache."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tmp_path / "own"))
    assert tables.tables_dir() == tmp_path / "own"
    monkeypatch.delenv("ARENA_TABLES_DIR")
    assert tables.tables_dir() == tmp_path / "cache" / "bot-arena" / "tables"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tables.tables_dir() == tmp_path / "home" / ".cache" / "bot-arena" / "tables"
