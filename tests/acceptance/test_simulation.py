"""Simulations as their users run them: real processes, killed in the midst."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.acceptance.conftest import PATIENCE, eventually

ARENA = str(Path(sys.executable).with_name("arena"))


def _counted(folder: Path) -> int:
    """How many games the only journal in the folder counts."""
    for journal in folder.glob("*.journal"):
        return int(json.loads(journal.read_text().partition("\n")[2])["tally"]["games"])
    return 0


def _goes_on(process: psutil.Process) -> bool:
    """Whether a process has not ended yet, waited for by its parent or not."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize(
    ("games", "openings"),
    [
        pytest.param(300_000_000, 0, id="by kernel", marks=pytest.mark.long),
        pytest.param(200_000, 4, id="move by move"),
    ],
)
def test_a_killed_simulation_ends_with_the_same_numbers(tmp_path: Path, games: int, openings: int) -> None:
    """Killed half-way, by kernel or from openings, the same command goes on, says from where, and agrees.

    So many games take some seconds on any machine.
    """
    command = [
        ARENA,
        "simulate",
        "heap_nim",
        "--first",
        "random",
        "--second",
        "random",
        "--games",
        str(games),
    ]
    command += [
        "--openings",
        str(openings),
        "--opening-plies",
        "1",
        "--seed",
        "11",
        "--swap",
        "--chunk",
        str(games // 200),
        "--jobs",
        "2",
        "--json",
    ]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    folder = tmp_path / "bot-arena" / "simulations"
    killed = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    eventually(lambda: _counted(folder) > 0 or killed.poll() is not None)
    assert killed.poll() is None
    family = [psutil.Process(killed.pid), *psutil.Process(killed.pid).children(recursive=True)]
    killed.kill()
    assert killed.wait() == -9
    eventually(lambda: not any(_goes_on(process) for process in family[1:]))
    counted = _counted(folder)
    assert 0 < counted < games

    resumed = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert "going on after" in resumed.stderr
    told = json.loads(resumed.stdout)
    assert told["games"] == games
    assert told["run"]["games"] <= games - counted
    assert list(folder.iterdir()) == []

    whole = subprocess.run(
        [*command, "--jobs", "1", "--fresh"],
        env=environment,
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    assert json.loads(whole.stdout)["tally"] == told["tally"]
