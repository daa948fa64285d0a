"""Simulations as their users run them: real processes, killed in the midst."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.conftest import PATIENCE, await_end

pytestmark = pytest.mark.long

ARENA = [str(Path(sys.executable).with_name("arena"))]
KILLED_HALF_WAY = [
    sys.executable,
    "-c",
    """
import os, signal, sys
from arena.cli import main
from workers.simulation.journal import Journal

save = Journal.save

def save_and_die_half_way(self, prefix, *, now=False):
    half_way = 2 * prefix.games >= self._spec.games
    save(self, prefix, now=now or half_way)
    if half_way:
        os.kill(os.getpid(), signal.SIGKILL)

Journal.save = save_and_die_half_way
sys.exit(main())
""",
]
"""The command line with a journal that kills it: no machine is too quick or too slow to hit that moment."""


def _counted(folder: Path) -> int:
    """How many games the only journal in the folder counts."""
    (journal,) = folder.glob("*.journal")
    return int(json.loads(journal.read_text().partition("\n")[2])["tally"]["games"])


@pytest.mark.parametrize(
    ("games", "openings"),
    [(10_000_000, 0), (20_000, 4)],
    ids=["by kernel", "move by move"],
)
def test_a_killed_simulation_ends_with_the_same_numbers(tmp_path: Path, games: int, openings: int) -> None:
    """Killed half-way, by kernel or from openings, the same command goes on, says from where, and agrees."""
    words = ["simulate", "heap_nim", "--first", "random", "--second", "random", "--games", str(games)]
    words += ["--openings", str(openings), "--opening-plies", "1"] if openings else []
    words += ["--seed", "11", "--swap"]
    words += ["--chunk", str(games // 200), "--jobs", "2", "--json"]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )

    killed = run(*KILLED_HALF_WAY, *words)
    assert killed.returncode == -9, killed.stderr
    await_end(tmp_path)
    folder = tmp_path / "bot-arena" / "simulations"
    counted = _counted(folder)
    assert games / 2 <= counted < games

    resumed = run(*ARENA, *words)
    assert resumed.returncode == 0, resumed.stderr
    assert "going on after" in resumed.stderr
    told = json.loads(resumed.stdout)
    assert told["games"] == games
    assert told["run"]["games"] <= games - counted
    assert list(folder.iterdir()) == []

    whole = run(*ARENA, *words, "--jobs", "1", "--fresh")
    assert whole.returncode == 0, whole.stderr
    assert json.loads(whole.stdout)["tally"] == told["tally"]
