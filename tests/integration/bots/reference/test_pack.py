"""Reference bots as archives: always the same bytes, complete, and runnable on a bare interpreter."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bots.protocol.messages import encode
from bots.reference import REFERENCE, pack
from bots.reference.pack import SOLVED, archive
from engines.game import Game
from engines.games import GAMES, find_game
from tests.unit.bots.reference.questions import hello, question
from workers.programs.archives import MAX_UPLOAD_BYTES


def contents(name: str) -> zipfile.ZipFile:
    """The opened archive."""
    return zipfile.ZipFile(io.BytesIO(archive(name)))


@pytest.mark.parametrize("name", REFERENCE)
def test_the_same_sources_make_the_same_bytes(name: str) -> None:
    """Nothing of the time or the place gets into an archive."""
    assert archive(name) == archive(name)
    assert {info.date_time for info in contents(name).infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_several_are_packed_at_once() -> None:
    """Threads of an API that pack the same are not in each other's way."""
    alone = archive("strong")
    with ThreadPoolExecutor(8) as threads:
        for _ in range(3):
            pack._imports.cache_clear()
            assert set(threads.map(lambda _: archive("strong"), range(16))) == {alone}


def test_only_what_is_needed_is_packed() -> None:
    """A player of Reversi needs no parser of the referee's and no strategies; nothing compiled is packed."""
    assert not [path for path in contents("strong").namelist() if path.startswith("bots/protocol")]
    assert "bots/reference/endgame.py" in contents("strong").namelist()
    assert "bots/reference/weights/8-fewest.bin" in contents("strong").namelist()
    assert not [path for path in contents("greedy").namelist() if path.endswith(".bin")]
    assert "engines/strategies/random.py" not in contents("strong").namelist()
    assert "engines/strategies/algorithms.py" in contents("algo1").namelist()
    for name in REFERENCE:
        assert not [path for path in contents(name).namelist() if path.startswith("engines/kernels")]


def test_the_perfect_player_brings_its_tables_and_fits_an_upload() -> None:
    """A table for every game that it is packed for, in less than the arena takes."""
    tables = [path.split("-")[0] for path in contents("perfect").namelist() if path.endswith(".table")]
    assert tables == ["tables/" + name for name, _ in sorted(SOLVED, key=lambda solved: solved[0])]
    assert len(archive("perfect")) < MAX_UPLOAD_BYTES


@pytest.mark.long
def test_the_best_response_brings_its_tables_and_fits_an_upload() -> None:
    """So does the player that wins most against random, but for circle Nim with six rows."""
    tables = [path for path in contents("best_response").namelist() if "-best-response-" in path]
    assert len(tables) == len(SOLVED) - 1
    assert len(archive("best_response")) < MAX_UPLOAD_BYTES


@pytest.mark.parametrize("name", [name for name, bot in REFERENCE.items() if not bot.levels])
def test_an_archive_runs_by_itself(name: str, tmp_path: Path) -> None:
    """Unpacked and started without site-packages in an empty folder, it answers a request and ends."""
    plays = [game for game in ("circle_nim", *GAMES) if REFERENCE[name].plays(game)]
    answer_from_an_archive(name, find_game(plays[0]), tmp_path)


@pytest.mark.parametrize(("game", "params"), SOLVED)
def test_the_perfect_player_s_archive_plays_what_is_packed(
    game: str, params: dict[str, Any], tmp_path: Path
) -> None:
    """Its tables are found and read without NumPy, for each game."""
    answer_from_an_archive("perfect", find_game(game, params), tmp_path)


def test_an_archive_takes_the_bot_s_parameters(tmp_path: Path) -> None:
    """What is packed with parameters plays with them, and says so."""
    ready = answer_from_an_archive("algo3:50:7", find_game("circle_nim"), tmp_path)
    assert ready["name"] == "algo3:50:7"


def answer_from_an_archive(name: str, game: Game[Any], tmp_path: Path) -> dict[str, Any]:
    """Ask the unpacked bot for the first move of `game`; its answer to `hello`."""
    contents(name).extractall(tmp_path / "bot")
    (tmp_path / "empty").mkdir()
    messages = [hello(game), question(game, game.initial(), 100)]
    done = subprocess.run(
        [sys.executable, "-S", "-s", tmp_path / "bot" / "main.py"],
        input=b"".join(map(encode, messages)),
        capture_output=True,
        cwd=tmp_path / "empty",
        env={},
        timeout=600,
        check=False,
    )
    assert done.stderr == b""
    ready, answer = map(json.loads, done.stdout.splitlines())
    assert answer["move"] in messages[1]["legal"]
    assert list((tmp_path / "empty").iterdir()) == []
    return dict(ready)
