"""The lowest versions that the extras of the environments allow, installed and tried."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[4]
SPIEL = Path(__file__).with_name("spiel.py")

TRIED = """
import warnings
import gymnasium, pettingzoo
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from arena.environments import aec, gym

warnings.simplefilter("ignore")
for name in ("heap_nim", "rhombic_chess"):
    api_test(aec.env(name), num_cycles=30)
    seed_test(lambda: aec.env(name), num_cycles=5)
    check_env(gymnasium.make(f"bot_arena/{name}").unwrapped, skip_render_check=True)
print(gymnasium.__version__, pettingzoo.__version__)
"""


def _ran(*words: str | Path) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_lowest_versions_will_do(tmp_path: Path) -> None:
    """PettingZoo, Gymnasium and OpenSpiel of the lowest bounds, without a compiler beside them."""
    uv = shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
    environment = tmp_path / "environment"
    _ran(uv, "venv", "--python", sys.executable, environment)
    lowest = ("--resolution", "lowest-direct", f"{ROOT}[environments,openspiel]")
    _ran(uv, "pip", "install", "--python", environment, *lowest)
    python = environment / "bin" / "python"
    assert _ran(python, "-P", "-c", TRIED).splitlines()[-1] == "1.0.0 1.25.0"
    assert _ran(python, SPIEL).splitlines()[-1] == "all well"
