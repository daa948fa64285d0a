"""The rules as libraries say of 10,000 random positions of each game what the engines say of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bots.sdk.libraries import LANGUAGES, library
from engines.games import GAMES
from tests.distributions import connect_four
from tests.integration.bots.sdk.rules.positions import Case, cases, difference

HERE = Path(__file__).parent
NODE, GXX = shutil.which("node") or "", shutil.which("g++") or ""
TOOLS = {"python": sys.executable, "cpp": GXX, "javascript": NODE}
INSTALLED = ("connect_four",)
NAMES = (*GAMES, *INSTALLED)
POSITIONS, FEW = 10_000, 500
BROKEN = {
    "reversed_reversi": ("self.full & ~column & ~(column << size - 1)", "self.full", "legal"),
    "heap_nim": ("self.seat if self.misere else 1 - self.seat", "1 - self.seat", "result"),
    "circle_nim": ("if circles & left == circles", "if circles & left", "legal"),
    "l_game": ("self.discs ^ changed", "self.discs", "after"),
    "rhombic_chess": ("1-2 1-4", "1-2 1-3", "legal"),
    "connect_four": ("HIGH - 1, ", "", "result"),
}
"""A mistake in the Python library of each game, and where it is seen."""


@pytest.fixture(autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A game that somebody else has installed is there too."""
    with connect_four(tmp_path_factory.mktemp("installed")):
        yield


def _put(folder: Path, game: str, language: str) -> Path:
    """The library of a game, copied as a student copies it."""
    ((name, data),) = library(game, language).items()
    path = folder / game / language / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path


def _answers(
    language: str, files: Mapping[str, Path], folder: Path, questions: tuple[Case, ...]
) -> list[str]:
    """What the libraries say, in one process."""
    words = [f"{game}={path}" for game, path in files.items()]
    if language == "cpp":
        command = [_built(files, folder)]
    elif language == "javascript":
        command = [NODE, str(HERE / "drive.js"), *words]
    else:
        command = [sys.executable, "-I", "-S", str(HERE / "drive.py"), *words]
    asked = "".join(f"{each.question}\n" for each in questions)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def _built(files: Mapping[str, Path], folder: Path) -> str:
    """All libraries in C++ and what asks them, compiled at once, and without a warning."""
    included = "".join(f'#include "{path}"\n' for path in files.values())
    games = ", ".join(f'{{"{game}", answer<{game}::State>}}' for game in files)
    source, program = folder / "ask.cpp", folder / "ask"
    source.write_text(f'{included}#include "{HERE}/drive.hpp"\nint main() {{ return drive({{{games}}}); }}\n')
    flags = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic")
    done = subprocess.run(
        [GXX, *flags, "-o", str(program), str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return str(program)


@pytest.mark.parametrize(
    ("language", "positions"),
    [("python", FEW), *(pytest.param(each, POSITIONS, marks=pytest.mark.long) for each in LANGUAGES)],
)
def test_the_libraries_know_the_rules(tmp_path: Path, language: str, positions: int) -> None:
    """Legal moves, next positions, whether it is over and how: as the engines have it, in all positions."""
    if not TOOLS[language]:
        pytest.skip(f"there is nothing here that runs {LANGUAGES[language]}")
    files = {game: _put(tmp_path, game, language) for game in NAMES}
    asked = tuple(case for game in NAMES for case in cases(game, positions))
    answers = _answers(language, files, tmp_path, asked)
    assert len(asked) == positions * len(NAMES)
    found = [
        difference(asked[at : at + positions], answers[at : at + positions])
        for at in range(0, len(asked), positions)
    ]
    assert [each for each in found if each] == []


def test_a_mistake_in_a_library_is_found(tmp_path: Path) -> None:
    """Of each game a library with one mistake: the comparison says that it is wrong, and where."""
    files = {game: _put(tmp_path, game, "python") for game in NAMES}
    for game, (right, wrong, _) in BROKEN.items():
        text = files[game].read_text()
        assert text.count(right) == 1
        files[game].write_text(text.replace(right, wrong))
    asked = tuple(case for game in NAMES for case in cases(game, FEW))
    answers = _answers("python", files, tmp_path, asked)
    for at, game in enumerate(NAMES):
        part = slice(at * FEW, (at + 1) * FEW)
        told = difference(asked[part], answers[part])
        assert re.search(rf" of {FEW} wrong \(.*\b{BROKEN[game][2]}\b", told), told
