"""Seeing to what a reference bot needs before it is started."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bots.reference import UnknownBotError, command
from bots.reference.ready import make_ready
from engines.games import find_game
from engines.strategies import StrategyError
from engines.strategies.records import WORTH_KEEPING
from tests.unit.workers.conftest import make_spec
from workers.core.contract import BotRef, GameSpec
from workers.core.halt import Halt
from workers.host import tasks
from workers.play.match import play_match


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of tables."""
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tmp_path))
    return tmp_path


def test_the_perfect_player_s_table_is_built_and_its_progress_told(tables: Path) -> None:
    """Afterwards the file is there, so that its process, which can build none, starts at once."""
    told: list[tuple[int, int]] = []
    make_ready("perfect", find_game("heap_nim", {"heaps": [2, 3, 6]}), lambda *done: told.append(done))
    assert len(list(tables.glob("*.table"))) == 1
    assert told
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize(
    ("text", "name", "params"),
    [
        ("person:70", "heap_nim", {"heaps": [2, 4, 7]}),
        ("learner:100:3", "l_game", {}),
        ("best_response", "heap_nim", {"heaps": [1, 4, 7]}),
    ],
)
def test_a_worker_makes_the_tables_for_a_person_s_game(
    tables: Path, text: str, name: str, params: dict[str, Any]
) -> None:
    """The bot's process, which can write none, finds what it plays from."""
    bots, game = (BotRef(name=f"@{text}"), BotRef(name="@random")), find_game(name, params)
    spec = make_spec(game=GameSpec(name=name, params=game.params, version=game.version), bots=bots)
    with closing(Halt()) as halt:
        program = tasks._player(spec, 0, halt)
    made = set(tables.glob("*.table"))
    assert made
    result = play_match(spec, (program, command("random")))
    assert result.forfeits == ()
    assert set(tables.glob("*.table")) == made


def test_only_large_sets_of_records_are_kept(tables: Path) -> None:
    """Both kinds in both seats; a process makes small ones itself."""
    make_ready(f"algo3:{WORTH_KEEPING - 1}", find_game("circle_nim", {"rows": 3}))
    assert list(tables.iterdir()) == []
    make_ready(f"algo2:{WORTH_KEEPING}:5", find_game("circle_nim", {"rows": 3}))
    assert len(list(tables.glob("circle_nim-records-*.table"))) == 4


def test_what_cannot_be_played_is_refused() -> None:
    """Another game, another board than a bot knows, no such bot, wrong parameters."""
    nim = find_game("heap_nim")
    with pytest.raises(UnknownBotError, match="algo1 plays circle_nim, not heap_nim"):
        make_ready("algo1", nim)
    with pytest.raises(UnknownBotError, match="strong plays reversed_reversi, not heap_nim"):
        make_ready("strong", nim)
    with pytest.raises(UnknownBotError, match="strong plays reversed_reversi only without rows"):
        make_ready("strong", find_game("reversed_reversi", {"size": 6, "rows": 7}))
    with pytest.raises(
        UnknownBotError, match="group8 plays reversed_reversi only with size=8 and without rows"
    ):
        make_ready("group8", find_game("reversed_reversi", {"size": 8, "rows": 7}))
    with pytest.raises(UnknownBotError, match="only with size=4 or 6 or 8 and without rows"):
        make_ready("champion:3", find_game("reversed_reversi", {"size": 10}))
    with pytest.raises(UnknownBotError, match="no reference bot 'nobody'"):
        make_ready("nobody", nim)
    with pytest.raises(StrategyError, match="xor takes no parameters"):
        make_ready("xor:1", nim)
