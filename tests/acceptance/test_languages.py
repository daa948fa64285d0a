"""Bots in several languages on one arena: built, checked, and played by workers that can run them."""

from __future__ import annotations

from typing import Any

import pytest

from arena.schemas.bots import LanguageOut
from arena.schemas.paging import Page
from tests.acceptance.conftest import MakeArena, eventually
from tests.integration.workers.bot_sources import SOURCES, C

pytestmark = pytest.mark.long

NAME = "babel"
PLAYED = ("python", "c", "javascript", "java", "typescript", "csharp")
PLAN: dict[str, Any] = {
    "name": NAME,
    "game": "reversed_reversi",
    "params": {"size": 4},
    "format": "round_robin",
    "time": {"move_ms": 10_000, "extensions": 1, "extension_ms": 20_000},
    "seed": 5,
}


def test_bots_of_all_languages_that_are_here_play_each_other(make_arena: MakeArena) -> None:
    """Those whose tools a worker has pass and play; one that does not build fails, and is not let in."""
    arena = make_arena(1)
    with arena.client() as staff:
        eventually(lambda: any(each.versions for each in staff._pages(Page[LanguageOut], "/languages")))
        here = [each.name for each in staff._pages(Page[LanguageOut], "/languages") if each.versions]
        entered = [name for name in PLAYED if name in here]
        staff.create_tournament(PLAN)
        staff.change(NAME, "open")
        for name in entered:
            filename, text = SOURCES[name]
            staff.submit(name, filename, text.encode())
        for name in entered:
            assert staff.await_check(name, 1).state == "passed", staff.check(name, 1)
            staff.enter(NAME, name)
        staff.change(NAME, "start")
        eventually(lambda: staff.tournament(NAME).state == "finished")
        board = staff.leaderboard(NAME).items
        assert {row.bot for row in board} == set(entered)
        assert [row.forfeits for row in board] == [0] * len(entered)
        if "c" in here:
            staff.submit("broken", "broken.c", C.replace("return 0", "return surprise").encode())
            failed = staff.await_check("broken", 1)
            assert (failed.state, failed.code) == ("failed", "build")
            assert failed.report is not None
            assert "surprise" in failed.report.build.head
    refused = arena.command("tournament", "enter", NAME, "broken", check=False) if "c" in here else None
    assert refused is None or refused.returncode == 2
