"""The lowest version that is declared of every package: an arena runs on them, and a solver."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from bots.reference.pack import archive
from tests.acceptance.conftest import MakeArena, eventually
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
GAME = {"game": "heap_nim"}
TIME = {"move_ms": 20_000, "extensions": 3, "extension_ms": 40_000}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment of its own."""
    folder = tmp_path_factory.mktemp("lowest")
    uv = shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
    wheels, environment = folder / "wheels", folder / "environment"
    _run(uv, "build", "--all-packages", "--wheel", "--python", sys.executable, "--out-dir", wheels, ROOT)
    _run(uv, "venv", "--python", sys.executable, environment)
    (wheel,) = wheels.glob("bot_arena-*.whl")
    lowest = ("--resolution", "lowest-direct", "--find-links", wheels)
    anew = ("--refresh-package", "bot-arena-server")  # or an earlier run's of this version is taken
    _run(uv, "pip", "install", *lowest, *anew, "--python", environment, f"bot-arena[all] @ {wheel.as_uri()}")
    return environment / "bin"


def _run(*words: str | Path) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_tournament_is_held_and_games_are_simulated(make_arena: MakeArena, programs: Path) -> None:
    """Bots are handed in, checked and ranked, the pages show it, and the kernels count as many games."""
    arena = make_arena(1, program=programs / "arena")
    with arena.client() as client:
        client.create_tournament({"name": "cup", **GAME, "format": "round_robin", "time": TIME, "seed": 3})
        client.change("cup", "open")
        for name in ("xor", "random"):
            client.submit(name, f"{name}.zip", archive(name), games=["heap_nim"])
            assert client.await_check(name, 1).state == "passed"
            client.enter("cup", name)
        client.change("cup", "start")
        eventually(lambda: client.tournament("cup").state == "finished")
        assert [line.bot for line in client.leaderboard("cup").items] == ["xor", "random"]
        client.create_experiment({**GAME, "first": "xor", "second": "random", "games": 2000, "seed": 7})
        eventually(lambda: client.experiment(1).state != "running")
        assert client.experiment_results(1).result.games == 2000
    page = httpx2.get(f"{arena.state.url}/tournaments/cup", timeout=PATIENCE_SECONDS)
    assert (page.status_code, "xor" in page.text) == (200, True)


def test_a_game_is_solved(programs: Path) -> None:
    """The solvers run, and find that whoever begins wins."""
    solved = json.loads(_run(programs / "arena", "solve", "heap_nim", "--json"))
    assert solved["winner"] == "first"
