"""`arena match run` that is stopped, killed, or ended by a bot: what was recorded stays, and no bot does."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.integration.arena.cli.conftest import SIZE4
from tests.unit.arena.cli.conftest import Run
from tests.waiting import eventually

PATIENCE_SECONDS = 300


STAYING = """
    def end(self, message):
        self.over = True

bot = Bot()
try:
    run(bot)
finally:
    if not bot.over:
        time.sleep(600)
"""
"""The end of a bot that in the middle of a game goes only when it is killed."""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is always full here")
def test_a_full_disk_ends_a_series_with_its_report(run: Run) -> None:
    """What was played is told all the same, and then which file had no room."""
    ran = run("match", "run", "@random", "@random", *SIZE4, "-n", "2", "--record", "/dev/full", "--json")
    assert (ran.code, ran.json()["played"], ran.json()["interrupted"]) == (1, 1, True)
    assert ran.err.splitlines()[-1] == (
        "arena: /dev/full cannot be written: No space left on device; the series ended after 1 of 2 games"
    )


@contextmanager
def long_series(bots: Path, record: Path, jobs: str) -> Iterator[subprocess.Popen[bytes]]:
    """A series of slow games in a process of its own, two of which are recorded."""
    slow = bots / "slow.py"
    source = (bots / "first.py").read_text()
    thinking = source.replace("return", "self.over = False; time.sleep(0.05); return")
    slow.write_text("import time\n" + thinking.replace("run(Bot())\n", STAYING))
    words = (
        "match",
        "run",
        str(slow),
        "@random",
        *SIZE4,
        "-n",
        "1000000",
        "-j",
        jobs,
        "--record",
        str(record),
    )
    script = "from arena.cli import main; main()"
    with subprocess.Popen([sys.executable, "-c", script, *words], stderr=subprocess.PIPE, cwd=bots) as arena:
        try:
            eventually(lambda: record.exists() and record.read_bytes().count(b"\n") >= 2)
            yield arena
        finally:
            arena.kill()


def lives(process: psutil.Process) -> bool:
    """Whether the process still runs; a dead one that nobody has collected does not."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def runs_in(folder: Path) -> bool:
    """Whether a bot of that folder runs."""
    named = (" ".join(p.info["cmdline"] or []) for p in psutil.process_iter(["cmdline"]))
    return any(str(folder) in words for words in named)


@pytest.mark.parametrize(
    ("jobs", "number"),
    [
        ("1", signal.SIGINT),
        ("2", signal.SIGTERM),
        pytest.param("1", signal.SIGTERM, marks=pytest.mark.long),
        pytest.param("2", signal.SIGINT, marks=pytest.mark.long),
    ],
)
def test_a_stopped_series_keeps_what_was_recorded_and_leaves_no_bot(
    bots: Path, tmp_path: Path, jobs: str, number: signal.Signals
) -> None:
    """An interrupted series exits with 1, its finished games are in the record, its processes are gone."""
    record = tmp_path / "r.jsonl"
    with long_series(bots, record, jobs) as arena:
        pool = psutil.Process(arena.pid).children()
        arena.send_signal(number)
        _, err = arena.communicate(timeout=PATIENCE_SECONDS)
    assert arena.returncode == 1
    assert b"interrupted after" in err
    assert b"Traceback" not in err
    assert all(json.loads(line)["result"] for line in record.read_text().splitlines())
    eventually(lambda: not runs_in(bots))
    eventually(lambda: not any(lives(process) for process in pool))


def test_a_killed_series_takes_its_processes_along(bots: Path, tmp_path: Path) -> None:
    """When the command itself is killed, the processes of its pool and their bots end too."""
    with long_series(bots, tmp_path / "r.jsonl", "2") as arena:
        pool = psutil.Process(arena.pid).children()
        assert len(pool) >= 2
        arena.kill()
        arena.communicate(timeout=PATIENCE_SECONDS)
    eventually(lambda: not any(lives(process) for process in pool))
    eventually(lambda: not runs_in(bots))


def test_a_bot_that_kills_its_parent_ends_the_series_in_words(
    run: Run, bots: Path, tmp_path: Path, environment: Callable[..., None]
) -> None:
    """As one can without a sandbox: what was played is kept and told; there is a message and no traceback.

    The series is so long that nothing else ends it, however late its first game is recorded.
    """
    environment(confinement="none")
    record, killer = tmp_path / "r.jsonl", bots / "killer.py"
    record.write_text("")
    source = (bots / "first.py").read_text()
    kill = f"os.path.getsize({str(record)!r}) and os.kill(os.getppid(), 9); return"
    killer.write_text("import os\n" + source.replace("return", kill))
    words = (*SIZE4, "-n", "1000000", "-j", "2", "--record", str(record))
    ran = run("match", "run", str(killer), "@random", *words)
    assert ran.code == 1
    assert "was killed" in ran.err
    assert "Traceback" not in ran.err
    assert "games" in ran.out
    assert all(json.loads(line)["result"] for line in record.read_text().splitlines())
