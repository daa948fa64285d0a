"""What tests of compiled reference bots share: an empty folder of tables, `tiny`, and games of theirs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from bots.reference import command
from engines.game import Game
from engines.games import find_game
from tests.unit.bots.reference.tiny import tiny
from tests.unit.workers.conftest import AMPLE
from workers.core.contract import BotRef, GameSpec, MatchSpec
from workers.play.match import play_match

NIM = find_game("heap_nim", {"heaps": [2, 3, 1]})
CC = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of tables, and `tiny` among the reference bots."""
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tmp_path / "tables"))
    monkeypatch.delenv("CC", raising=False)
    (tmp_path / "packages").mkdir()
    tiny(tmp_path / "packages", monkeypatch)
    return tmp_path / "tables"


def match_of(text: str, game: Game[Any] = NIM) -> MatchSpec:
    """A match of that bot against `random`."""
    return MatchSpec(
        match="1",
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        bots=(BotRef(name=text), BotRef(name="random")),
        seeds=(1, 2),
        time=AMPLE,
    )


def named(text: str, game: Game[Any] = NIM) -> str:
    """What the process of that bot calls itself. It plays a game with `random` and complains of nothing."""
    result = play_match(match_of(text, game), (command(text), command("random")))
    assert result.forfeits == ()
    assert result.seats[0].stderr_head == ""
    return result.seats[0].bot_name
