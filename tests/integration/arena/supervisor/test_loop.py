"""The supervisor with small children of its own: restarts, backoff, orderly ends, nothing left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from arena.core.folder import DataFolder
from arena.core.processes import same_process
from arena.core.running import ArenaPhase, ArenaState, read_state

SCRIPT = """
import os, sys, time
from pathlib import Path
from typing import TypeVar
from arena.supervisor.child import ChildPlan
from arena.core.folder import DataFolder, FolderLock
from arena.supervisor.loop import Supervisor
from arena.core.processes import start_time
from arena.core.running import ArenaState, write_state

folder = DataFolder(Path(sys.argv[1]))
def plan(name, code, stage):
    return ChildPlan(name, (sys.executable, "-c", code), stage, dict(os.environ))
plans = [plan(*line.split("|")[:2], int(line.split("|")[2])) for line in sys.argv[2:]]
def write(phase, children):
    me = os.getpid()
    write_state(folder, ArenaState(phase, me, start_time(me), "", "", "", 0.0, None, children))
with FolderLock(folder):
    supervisor = Supervisor(folder, plans, lambda children: write("running", children), print, grace=1.0)
    supervisor.listen()
    try:
        for stage in sorted({plan.stage for plan in plans}):
            supervisor.start_stage(stage)
        supervisor.run_until(lambda: False)
    finally:
        supervisor.stop()
"""
SLEEPER = "import time; print('up', flush=True); time.sleep(600)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + SLEEPER
PARENT = (
    "import subprocess, sys, time; "
    "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True); "
    "print(p.pid, flush=True); time.sleep(600)"
)

T = TypeVar("T")
NONE = ArenaState(ArenaPhase.STARTING, 0, 0.0, "", "", "", 0.0)
Start = Callable[..., subprocess.Popen[bytes]]
PATIENCE_SECONDS = 300.0
"""Half of what the children sleep."""


def wait_for(what: Callable[[], T | None]) -> T:
    """The first thing that `what` finds."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A fresh data folder."""
    made = DataFolder(tmp_path / "data")
    made.make()
    return made


@pytest.fixture
def start(folder: DataFolder, tmp_path: Path) -> Iterator[Start]:
    """Starts a supervisor over the given children; whatever it leaves is killed after the test."""
    script = tmp_path / "supervise.py"
    script.write_text(SCRIPT)
    started: list[subprocess.Popen[bytes]] = []

    def begin(*children: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(script), str(folder.root), *children]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        started.append(process)
        return process

    yield begin
    state = read_state(folder)
    for process in started:
        process.kill()
        process.wait()
    for child in state.children if state else ():
        left = same_process(child.pid, child.created)
        if left:
            left.kill()


def running(folder: DataFolder, count: int) -> Callable[[], ArenaState | None]:
    """The state once `count` children run and have written something."""

    def look() -> ArenaState | None:
        state = read_state(folder)
        alive = [child for child in state.children if child.pid] if state else []
        written = all(folder.log_of(child.name).stat().st_size for child in alive)
        return state if len(alive) == count and written else None

    return look


def gone(pids: list[int | None]) -> Callable[[], bool]:
    """Whether none of the processes runs any more; a dead one may wait for whoever adopted it."""

    def runs(pid: int) -> bool:
        try:
            return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    return lambda: not any(pid and runs(pid) for pid in pids)


def test_a_killed_child_is_started_again(folder: DataFolder, start: Start) -> None:
    """A child that dies by SIGKILL comes back with a new pid, and the state says how the old one ended."""
    start(f"one|{SLEEPER}|0")
    before = wait_for(running(folder, 1)).children[0]
    assert before.pid
    psutil.Process(before.pid).kill()
    after = wait_for(
        lambda: next((c for c in (read_state(folder) or NONE).children if c.restarts == 1), None)
    )
    assert after.pid != before.pid
    assert after.last_exit == "signal SIGKILL"


def test_stopping_leaves_no_process(folder: DataFolder, start: Start) -> None:
    """SIGTERM ends the supervisor, a child that ignores SIGTERM, and a grandchild in a session of its own."""
    supervisor = start(f"stubborn|{STUBBORN}|0", f"parent|{PARENT}|1")
    state = wait_for(running(folder, 2))
    grandchild = int(folder.log_of("parent").read_text())
    supervisor.send_signal(signal.SIGTERM)
    assert supervisor.wait(PATIENCE_SECONDS) == 0
    wait_for(gone([grandchild, *(child.pid for child in state.children)]))


def test_later_stages_stop_first(folder: DataFolder, start: Start) -> None:
    """Children stop in the reverse order of their stages."""
    supervisor = start(f"broker|{SLEEPER}|0", f"service|{SLEEPER}|1", f"worker|{SLEEPER}|2")
    wait_for(running(folder, 3))
    supervisor.send_signal(signal.SIGTERM)
    supervisor.wait(PATIENCE_SECONDS)
    lines = folder.log_of("supervisor").read_text().splitlines()
    ended = [line.split()[2] for line in lines if " ended " in line]
    assert ended == ["worker", "service", "broker"]


def test_orphans_of_a_killed_child_are_killed(folder: DataFolder, start: Start) -> None:
    """What a killed child had started in a session of its own does not outlive it."""
    start(f"parent|{PARENT}|0")
    state = wait_for(running(folder, 1))
    grandchild = int(folder.log_of("parent").read_text())
    pid = state.children[0].pid
    assert pid
    psutil.Process(pid).kill()
    wait_for(gone([grandchild]))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's service is Linux's")
def test_children_die_with_their_supervisor(folder: DataFolder, start: Start) -> None:
    """When the supervisor itself is killed, its children get their ending signal from the kernel."""
    supervisor = start(f"one|{SLEEPER}|0")
    state = wait_for(running(folder, 1))
    supervisor.kill()
    supervisor.wait()
    wait_for(gone([state.children[0].pid]))


def test_a_child_that_keeps_ending_is_tried_again(folder: DataFolder, start: Start) -> None:
    """A child that ends at once is started again and again, and its words are in its log each time."""
    start("brief|import sys; sys.exit('no')|0")
    wait_for(lambda: any(child.restarts >= 2 for child in (read_state(folder) or NONE).children))
    assert folder.log_of("brief").read_text().count("no") >= 2
    child = (read_state(folder) or NONE).children[0]
    assert child.last_exit == "exit code 1"
