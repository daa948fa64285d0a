"""The demonstration, as `make demo` runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.conftest import PATIENCE, await_end


@pytest.mark.long
@pytest.mark.timeout(1000)
def test_the_demonstration_ends_with_a_leaderboard_and_leaves_nothing(tmp_path: Path) -> None:
    """Six bots or more are submitted, play a double round robin with openings, and are ranked."""
    folder = tmp_path / "demo"
    arena = Path(sys.executable).with_name("arena")
    done = subprocess.run(
        [arena, "demo", "--json", "--data", str(folder)],
        capture_output=True,
        text=True,
        timeout=880,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["tournament"]["state"] == "finished"
    assert shown["tournament"]["format"] == "double_round_robin"
    rows = shown["leaderboard"]["items"]
    games = 4 * (len(rows) - 1)
    assert len(rows) >= 6
    assert [row["games"] for row in rows] == [games] * len(rows)
    assert sum(row["points"] for row in rows) == games * len(rows) / 2
    assert [row["points"] for row in rows] == sorted((row["points"] for row in rows), reverse=True)
    await_end(folder)
    again = subprocess.run(
        [arena, "demo", "--data", str(folder)], capture_output=True, check=False, timeout=PATIENCE
    )
    assert again.returncode == 2, "a folder in use is refused"
    assert os.listdir(folder)  # noqa: PTH208  (and left as it was)
