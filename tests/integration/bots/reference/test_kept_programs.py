"""Compiled reference bots on disk: whose they are, and what becomes of damaged ones and of what is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from bots.reference import COMPILED, REFERENCE, command, compiling
from bots.reference.compiling import NotCompiledError, program_of
from bots.reference.ready import make_ready
from engines.locking import lock
from tests.integration.bots.reference.compiled_here import CC, NIM, named, tables
from workers.sandbox.confinement import as_program

__all__ = ["tables"]

ORPHANED = """#!/bin/sh
case "$*" in *--version*) echo "orphaned 1"; exit 0;; esac
[ -e {pid} ] && exec {cc} "$@"
echo $$ >{pid}
kill -9 $PPID
exec sleep 600
"""
"""A compiler that the first time outlives who started it."""
PLAYS = "tiny 3 with forty-two"
pytestmark = [
    pytest.mark.skipif(CC is None, reason="no C compiler"),
    pytest.mark.usefixtures("tables"),
]


@pytest.fixture
def program() -> Path:
    """The program of `tiny`, which has been made."""
    make_ready("tiny", NIM)
    return program_of(REFERENCE["tiny"])


def parts(folder: Path) -> list[Path]:
    """Folders that programs are being made in."""
    return list(folder.glob("*.part"))


@pytest.mark.parametrize("which", ["tables", "folder", "program"])
@pytest.mark.parametrize("mode", [0o020, 0o002, None], ids=["group", "others", "another user"])
def test_what_others_could_change_is_not_started(program: Path, which: str, mode: int | None) -> None:
    """It is neither taken for the program nor started by its path, and the words say what to do."""
    path = {"tables": program.parent.parent, "folder": program.parent, "program": program}[which]
    words = command("tiny")
    if mode is not None:
        path.chmod(path.stat().st_mode | mode)
        why = f"others than its owner may write {path}.*chmod go-w {path}.*ARENA_TABLES_DIR"
    elif os.geteuid() == 0:
        os.chown(path, 1234, 1234)
        why = f"{path} belongs to the user numbered 1234.*ARENA_TABLES_DIR"
    else:
        pytest.skip("only root can give files away")
    with pytest.raises(NotCompiledError, match=why):
        make_ready("tiny", NIM)
    done = subprocess.run(words, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{program} is not started: " in done.stderr


def test_nobody_else_can_enter_the_folder(tables: Path) -> None:
    """Whatever the umask is: neither write among the tables, nor read beside the program."""
    before = os.umask(0)
    try:
        make_ready("tiny", NIM)
    finally:
        os.umask(before)
    program = program_of(REFERENCE["tiny"])
    assert tables.stat().st_mode & 0o777 == 0o755
    assert program.parent.stat().st_mode & 0o777 == 0o700
    assert named("tiny") == PLAYS


def test_only_a_program_among_the_tables_is_trusted(tables: Path, tmp_path: Path) -> None:
    """Another that the same module would become is confined as any command, however its path is written."""
    assert as_program(command("tiny")).trusted
    tables.mkdir(exist_ok=True)
    (tables / "link").symlink_to(tmp_path)
    for path in (tmp_path / "own", tables / ".." / "own", tables / "link" / "own", Path("own")):
        assert not as_program((sys.executable, "-m", COMPILED, str(path), "3")).trusted
    assert not as_program((sys.executable, "-m", COMPILED)).trusted
    assert not as_program((sys.executable, "-m")).trusted


def flip(program: Path) -> None:
    """Change a byte of the weights."""
    weights = program.parent / "few.weights"
    content = weights.read_bytes()
    weights.write_bytes(bytes([content[0] ^ 1]) + content[1:])


@pytest.mark.parametrize(
    "damage",
    [
        flip,
        lambda program: (program.parent / "few.weights").unlink(),
        lambda program: program.unlink(),
        lambda program: program.chmod(0o600),
    ],
    ids=["flipped weights", "no weights", "no program", "cannot be started"],
)
def test_a_damaged_folder_is_made_anew(program: Path, damage: Callable[[Path], None]) -> None:
    """Whoever comes next has the program and its weights, and nothing of the damaged one is left."""
    damage(program)
    make_ready("tiny", NIM)
    assert named("tiny") == PLAYS
    assert not parts(program.parent.parent)


def test_it_is_made_of_what_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources and a compiler that change after the name is known do not go into the program of that name."""
    program = program_of(REFERENCE["tiny"])

    def change(descriptor: int) -> None:
        lock(descriptor)
        with (tmp_path / "packages" / REFERENCE["tiny"].module / "main.c").open("a") as file:
            file.write("#error not this one\n")
        monkeypatch.setenv("CC", "false")

    monkeypatch.setattr(compiling, "lock", change)
    compiling.compile_bot(REFERENCE["tiny"])
    assert os.access(program, os.X_OK)


@pytest.fixture
def end_orphan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A compiler still runs, and the process that started it does not; what ends the former."""
    script, pid = tmp_path / "orphaned", tmp_path / "pid"
    script.write_text(ORPHANED.format(cc=CC, pid=pid))
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    package = REFERENCE["tiny"].module
    code = (
        "from bots.reference import ReferenceBot; from bots.reference.compiling import compile_bot;"
        f" compile_bot(ReferenceBot('tiny', '', ('heap_nim',), {package!r}, levels=3))"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipe = subprocess.DEVNULL
    done = subprocess.run([sys.executable, "-c", code], env=environ, check=False, stdout=pipe, stderr=pipe)
    assert done.returncode == -signal.SIGKILL
    ends = cache(lambda: os.kill(int(pid.read_text()), signal.SIGKILL))
    yield ends
    ends()


def test_what_an_orphaned_compiler_writes_is_in_nobody_s_way(
    tables: Path, end_orphan: Callable[[], None]
) -> None:
    """Its folder is left alone while it runs, and goes with the next program that is made after its end."""
    (left,) = parts(tables)
    make_ready("tiny", NIM)
    assert parts(tables) == [left]
    assert named("tiny") == PLAYS
    held = os.open(left, os.O_RDONLY)
    end_orphan()
    lock(held)  # so it has ended
    os.close(held)
    program_of(REFERENCE["tiny"]).unlink()
    make_ready("tiny", NIM)
    assert not parts(tables)
    assert named("tiny") == PLAYS
