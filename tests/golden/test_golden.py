"""The rules say about the games on record what they said when those were written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.games import GAMES as REGISTERED
from engines.games import find_game
from tests.golden.regenerate import FOLDER, GAMES, to_text, transcript

FILES = sorted(FOLDER.glob("*.json"))


def test_every_game_on_record_is_there() -> None:
    """Every transcript has its file, every file its transcript, and every registered game has one."""
    assert [file.stem for file in FILES] == sorted(GAMES)
    assert {game for game, _, _ in GAMES.values()} == set(REGISTERED)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_game_is_played_the_same(file: Path) -> None:
    """Moves, legal moves, states, outcome and drawing are to the letter as recorded."""
    written = file.read_text()
    recorded = json.loads(written)
    game = find_game(recorded["game"], recorded["params"])
    assert to_text(transcript(game, recorded["moves"])) == written


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_game_has_its_passes(file: Path) -> None:
    """The records of Reversi show passes, and every one was the only legal move."""
    recorded = json.loads(file.read_text())
    passed = [
        legal for move, legal in zip(recorded["moves"], recorded["legal"], strict=False) if move == "pass"
    ]
    assert len(passed) >= GAMES[file.stem][2]
    assert set(passed) <= {"pass"}
