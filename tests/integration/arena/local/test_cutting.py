"""Reversi solved by processes of which some die, and by whole runs that are killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from arena.local.bounds_file import bounds_file
from arena.local.cutting import Cutting
from arena.local.errors import InputError, LocalError
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.oracle import SolverError
from engines.solvers.reversi_board import Position
from engines.solvers.reversi_cut import Cut, Job
from engines.solvers.reversi_work import Work
from tests.waiting import eventually

SMALL, LARGE = Work(ReversedReversi(4, reversed=False)), Work(ReversedReversi(6, reversed=False))
MEMORY = 1 << 20
PATIENCE_SECONDS = 300


def children() -> list[psutil.Process]:
    """The processes of the pool."""
    return [psutil.Process(child.pid) for child in multiprocessing.active_children()]


def test_processes_that_are_killed_are_replaced(tmp_path: Path) -> None:
    """What they were at is solved again: the result, and each answer in the checkpoint, is whole."""
    killed: list[int] = []

    def kill(_: Cut, leaves: int) -> None:
        if leaves > 0 and not killed:
            for child in children():
                killed.append(child.pid)
                os.kill(child.pid, signal.SIGKILL)

    path = tmp_path / "bounds"
    cut = Cutting(SMALL, jobs=2, memory=MEMORY).run(path, threading.Event(), kill)
    assert len(killed) == 2
    assert cut.result().value == -8
    with bounds_file(path, SMALL) as file:
        assert file.kept.known == cut.tree.known
    assert children() == []


def test_processes_that_always_die_end_it_in_words() -> None:
    """After the third time without an answer it is given up, and nobody is left."""

    def kill(_: Cut, leaves: int) -> None:
        assert leaves == 0
        for child in children():
            child.kill()

    with pytest.raises(LocalError, match="die again and again"):
        Cutting(LARGE, jobs=1, memory=MEMORY).run(None, threading.Event(), kill)
    assert children() == []


def test_a_size_that_is_not_cut_up_is_refused() -> None:
    """The refusal says how many empty squares are allowed, and how many there are."""
    with pytest.raises(SolverError, match="at most 38 empty squares; here are 60 on 8 by 8"):
        Work(ReversedReversi(8))


@contextmanager
def long_solve(checkpoint: Path, at_least: int) -> Iterator[subprocess.Popen[bytes]]:
    """A solve that takes minutes, in a process of its own, when its checkpoint has so many lines."""
    words = ["solve", "reversed_reversi", "--size", "6", "--param", "reversed=false", "--jobs", "2"]
    words += ["--memory", "1", "--checkpoint", str(checkpoint)]
    script = "from arena.cli import main; main()"
    command = [sys.executable, "-c", script, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as arena:
        try:
            eventually(lambda: checkpoint.exists() and checkpoint.read_bytes().count(b"\n") >= at_least)
            yield arena
        finally:
            arena.kill()


def lives(process: psutil.Process) -> bool:
    """Whether the process still runs; a dead one that nobody has collected does not."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def known(checkpoint: Path) -> dict[Position, tuple[int, int]]:
    """What a checkpoint holds."""
    with bounds_file(checkpoint, LARGE) as file:
        return file.kept.known


def test_a_killed_solve_goes_on_and_a_stopped_one_tells_what_is_known(tmp_path: Path) -> None:
    """Killed, it loses nothing that was answered, and leaves nobody; Ctrl-C ends it with 1 and its bounds."""
    checkpoint = tmp_path / "bounds"
    with long_solve(checkpoint, 3) as arena:
        pool = psutil.Process(arena.pid).children()
        with pytest.raises(LocalError, match="another process"), bounds_file(checkpoint, LARGE):
            pass
        arena.kill()
        arena.communicate(timeout=PATIENCE_SECONDS)
    eventually(lambda: not any(lives(process) for process in pool))
    before = known(checkpoint)
    with long_solve(checkpoint, len(checkpoint.read_bytes().splitlines()) + 1) as arena:
        pool = psutil.Process(arena.pid).children()
        arena.send_signal(signal.SIGINT)
        out, err = arena.communicate(timeout=PATIENCE_SECONDS)
    assert arena.returncode == 1
    assert b"the same command goes on from there" in err
    assert b"X reaches -36 at least and 36 at most" in out
    assert b"Traceback" not in err
    eventually(lambda: not any(lives(process) for process in pool))
    assert before.keys() < known(checkpoint).keys()


def test_a_checkpoint_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Another game's, and a file that is none, stay as they are."""
    path = tmp_path / "bounds"
    with bounds_file(path, SMALL):
        pass
    for content in (path.read_bytes(), b"a letter to a friend\n"):
        path.write_bytes(content)
        with pytest.raises(InputError, match="cannot be gone on from"), bounds_file(path, LARGE):
            pass
        assert path.read_bytes() == content


def test_a_torn_line_is_written_over(tmp_path: Path) -> None:
    """What a crash left of the last answer goes, and the next one stands in its place."""
    path = tmp_path / "bounds"
    one, two = (Job(1, 2, 0), (0, 4)), (Job(4, 8, 1), (-2, 16))
    with bounds_file(path, SMALL) as file:
        file.add(*one)
    whole = path.read_bytes()
    with bounds_file(path, SMALL) as file:
        file.add(*two)
    path.write_bytes(path.read_bytes()[:-3])
    with bounds_file(path, SMALL) as file:
        assert file.kept.known == {Position(1, 2): (0, 4)}
        assert path.read_bytes() == whole
        file.add(*two)
    with bounds_file(path, SMALL) as file:
        assert file.kept.known == {Position(1, 2): (0, 4), Position(4, 8): (-2, 16)}
