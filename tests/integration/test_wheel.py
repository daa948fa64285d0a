"""The wheel by itself in an empty environment: all that a student needs, and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines.games import GAMES
from tests.integration.test_elsewhere import BOT, PLAY

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
RANDOM = ("--first", "random", "--second", "random")
MAX_BYTES = 30_000_000
"""Of all that is installed, without bytecode, which Python makes as it is used."""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment in which the wheel was installed without any extra."""
    folder = tmp_path_factory.mktemp("bare")
    uv = shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
    wheels, environment = folder / "wheels", folder / "environment"
    _run(uv, "build", "--wheel", "--python", sys.executable, "--out-dir", wheels, ROOT)
    _run(uv, "venv", "--python", sys.executable, environment)
    _run(uv, "pip", "install", "--python", environment, *wheels.glob("*.whl"))
    return environment


def _run(*words: str | Path) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _arena(bare: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
    return subprocess.run(
        [bare / "bin" / "arena", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_small(bare: Path) -> None:
    """Nothing of what others need is there, it takes little room, and the packages tell their types."""
    packages = next((bare / "lib").glob("python*")) / "site-packages"
    names = {path.name for path in packages.iterdir()}
    assert not names & {"celery", "fastapi", "matplotlib", "numba", "numpy", "obstore", "scipy", "sqlalchemy"}
    files = [path for path in packages.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert sum(path.stat().st_size for path in files) < MAX_BYTES
    assert {path.parent.name for path in files if path.name == "py.typed"} >= {
        *("arena", "bots", "engines", "workers")
    }
    assert [path.parts[-3] for path in files if path.name == "arena.mo"] == ["zh_TW"]


def test_the_kit_is_imported_where_it_is_installed(bare: Path, tmp_path: Path) -> None:
    """An editor and a bot's own test find `arena_bot` as the arena does, and a starter is written whole."""
    script = "import arena_bot, pathlib; print(pathlib.Path(arena_bot.__file__).read_text())"
    found = subprocess.run(
        [bare / "bin" / "python", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert found.stdout.strip() == (ROOT / "bots" / "sdk" / "arena_bot.py").read_text().strip()
    done = _arena(bare, tmp_path, "bot", "new", "fresh", "--lang", "rust", "--game", "l_game")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "fresh" / "src" / "arena_bot.rs").is_file()


def test_the_rules_of_games_are_there(bare: Path) -> None:
    """Each game's libraries for bots came along with the wheel."""
    asked = "from bots.sdk.libraries import *; from engines.games import GAMES; print(*(list(library(game,"
    asked += " language)) for game in GAMES for language in LANGUAGES))"
    done = subprocess.run(
        [bare / "bin" / "python", "-I", "-c", asked], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["['rules.py']", "['rules.hpp']", "['rules.js']"] * len(GAMES)


@pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("cc")), reason="no C compiler")
def test_a_reference_bot_in_c_is_compiled_there(bare: Path, tmp_path: Path) -> None:
    """Its sources, the engines' headers, its weights and books came along; its program is its user's."""
    words = ("match", "run", "@champion:1", "@random", "--game", "reversed_reversi", "--param", "size=4")
    ran = _arena(bare, tmp_path, *words)
    assert (ran.returncode, "@champion:1" in ran.stdout) == (0, True), ran.stderr
    (program,) = tmp_path.rglob("champion-*/champion")
    package = next((bare / "lib").glob("python*/site-packages/bots/reference/champion"))
    for ending in ("*.weights", "*.book"):
        data = {path.name: path.read_bytes() for path in package.glob(ending)}
        assert data == {path.name: path.read_bytes() for path in program.parent.glob(ending)} != {}


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--help",), 0, "Submit bots"),
        ((*PLAY, "mine.py", "@greedy", "--unsafe"), 0, "mine"),
        (("bot", "check", "mine.py", "--game", "heap_nim", "--unsafe"), 0, "passed"),
        (("bot", "submit", "mine.py"), 4, "there is no token"),
        (("up",), 2, "bot-arena[server]"),
        (("simulate", "heap_nim", "-n", "9", *RANDOM), 2, "bot-arena[research]"),
        (("reproduce",), 2, "bot-arena[research]"),
        (("solve", "heap_nim"), 2, "bot-arena[research]"),
        (("admin", "verify"), 2, "bot-arena[server]"),
        (("doctor",), 2, "bot-arena[server]"),
    ],
)
def test_what_it_does_and_what_more_is_to_be_installed_for(
    bare: Path, tmp_path: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    """A bot is checked, played and handed in; what needs more says which extra brings it, in one sentence."""
    (tmp_path / "mine.py").write_text(BOT)
    ran = _arena(bare, tmp_path, *words)
    assert ran.returncode == code, ran.stderr
    assert says in (ran.stderr if code else ran.stdout)
    assert "Traceback" not in ran.stderr
