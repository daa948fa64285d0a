"""Reference bots as archives: always the same bytes, complete, and runnable on a bare interpreter."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bots.protocol.messages import encode
from bots.reference import REFERENCE
from bots.reference.pack import archive
from engines.games import GAMES, find_game
from tests.unit.bots.reference.questions import hello, question


def contents(name: str) -> zipfile.ZipFile:
    """The opened archive."""
    return zipfile.ZipFile(io.BytesIO(archive(name)))


@pytest.mark.parametrize("name", REFERENCE)
def test_the_same_sources_make_the_same_bytes(name: str) -> None:
    """Nothing of the time or the place gets into an archive."""
    assert archive(name) == archive(name)
    assert {info.date_time for info in contents(name).infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_only_what_is_needed_is_packed() -> None:
    """The random bot needs no rules; a player of Reversi needs no parser of the referee's."""
    assert not [path for path in contents("random").namelist() if path.startswith("engines")]
    assert not [path for path in contents("strong").namelist() if path.startswith("bots/protocol")]
    assert "bots/reference/endgame.py" in contents("strong").namelist()


@pytest.mark.parametrize("name", REFERENCE)
def test_an_archive_runs_by_itself(name: str, tmp_path: Path) -> None:
    """Unpacked and started without site-packages in an empty folder, it answers a request and ends."""
    contents(name).extractall(tmp_path / "bot")
    (tmp_path / "empty").mkdir()
    game = find_game(next(game for game in GAMES if REFERENCE[name].plays(game)))
    messages = [hello(game), question(game, game.initial(), 100)]
    done = subprocess.run(
        [sys.executable, "-S", "-s", tmp_path / "bot" / "main.py"],
        input=b"".join(map(encode, messages)),
        capture_output=True,
        cwd=tmp_path / "empty",
        env={},
        timeout=60,
        check=False,
    )
    assert done.stderr == b""
    assert json.loads(done.stdout.splitlines()[1])["move"] in messages[1]["legal"]
    assert list((tmp_path / "empty").iterdir()) == []
