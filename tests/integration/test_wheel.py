"""The two wheels: that of a student by itself in an empty environment, and what the other one has besides."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from engines.games import GAMES
from tests.integration.test_elsewhere import BOT, PLAY

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
PERFECT = ("@perfect", "@random", "--game", "heap_nim", "--unsafe")
RANDOM = ("--first", "random", "--second", "random")
MAX_BYTES = 40_000_000
"""Of all that is installed, with the bytecode that pip compiles."""
UV = shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
EVERY_MODULE = """
import importlib, pkgutil
import arena, bots, engines, workers
from arena.cli.shared.extras import lacking

PROGRAMS = ("bots.examples.", "bots.starters.")
for package in (arena, bots, engines, workers):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__") and not module.name.startswith(PROGRAMS):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                print(module.name, lacking(error).rpartition("[")[2].partition("]")[0])
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the two."""
    folder = tmp_path_factory.mktemp("wheels")
    _run(UV, "build", "--all-packages", "--wheel", "--python", sys.executable, "--out-dir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def bare(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment in which a student's wheel was installed without any extra."""
    environment = tmp_path_factory.mktemp("bare") / "environment"
    _run(UV, "venv", "--python", sys.executable, environment)
    (wheel,) = wheels.glob("bot_arena-*.whl")
    _run(UV, "pip", "install", "--compile-bytecode", "--python", environment, wheel)
    return environment


def _run(*words: str | Path) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _arena(bare: Path, folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"], **variables}
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
    files = [path for path in packages.rglob("*") if path.is_file()]
    assert {path.name.partition(".")[0] for path in files if path.suffix == ".pyc"} >= {"arena_bot", "main"}
    assert sum(path.stat().st_size for path in files) < MAX_BYTES
    assert {path.parent.name for path in files if path.name == "py.typed"} >= {
        *("arena", "bots", "engines", "workers")
    }
    assert [path.parts[-3] for path in files if path.name == "arena.mo"] == ["zh_TW"]


def test_every_file_is_in_one_of_the_two(wheels: Path) -> None:
    """What stands in the packages is in one wheel or the other, and nothing in both."""
    student, others = (
        {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
        for wheel in sorted(wheels.glob("*.whl"))
    )
    assert not student & others
    written = {
        path.relative_to(ROOT).as_posix()
        for package in ("arena", "bots", "engines", "workers")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in {".pyc", ".so"}
    }
    assert {name for name in student | others if not name.endswith(".so")} == written | {"arena_bot.py"}


def test_what_is_installed_lacks_what_an_extra_brings(bare: Path, tmp_path: Path) -> None:
    """Every command and all that asks an arena can be imported, and of all else there is an extra to name."""
    done = subprocess.run(
        [bare / "bin" / "python", "-I", "-c", EVERY_MODULE],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lacking = dict(line.split() for line in done.stdout.splitlines())
    assert lacking["engines.solvers.grundy"] == lacking["arena.local.rating"] == "research"
    whole = ("arena.cli", "arena.client", "arena.interchange", "arena.schemas", "bots", "workers.checks")
    assert not [module for module in lacking if module.startswith((*whole, "engines.games", "workers.play"))]


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
        (("demo",), 2, "bot-arena[server]"),
        (("worker", "join", "code"), 2, "bot-arena[worker]"),
        (("pgn", "ratings", "mine.py"), 2, "bot-arena[research]"),
        (("match", "run", "@learner", "@random", "--game", "l_game", "--unsafe"), 2, "bot-arena[research]"),
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


@pytest.mark.parametrize(
    "words", [("solve", "heap_nim"), ("solve", "circle_nim"), ("match", "run", *PERFECT)]
)
def test_numpy_alone_is_not_enough(bare: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Who has NumPy from elsewhere, as extras for bots bring it, is told what is lacking all the same."""
    for path in Path(np.__file__).parent.parent.glob("numpy*"):
        (tmp_path / path.name).symlink_to(path)
    ran = _arena(bare, tmp_path, *words, PYTHONPATH=str(tmp_path))
    assert ran.returncode == 2, ran.stderr
    assert "bot-arena[research]" in ran.stderr
    assert "Traceback" not in ran.stderr
