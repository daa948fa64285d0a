"""A tournament on a host that is busy with other things."""

from __future__ import annotations

import os
from typing import Any

import pytest

from arena.schemas.matches import MatchDetail
from tests.acceptance.conftest import MakeArena, eventually
from tests.hogs import hogs
from tests.unit.workers.conftest import PRELUDE

NAME = "busy"
PLAN: dict[str, Any] = {
    "name": NAME,
    "game": "heap_nim",
    "params": {"heaps": [1, 1, 1]},
    "format": "round_robin",
    "time": {"move_ms": 2000, "extensions": 0, "startup_ms": 60_000},
    "seed": 5,
}
QUARTER = """
hello = get()
send(type="ready", protocol="arena/1", name="test", version="1")
if hello["match"].startswith("check"):
    serve()
while (m := get())["type"] == "move":
    end = time.process_time() + 0.5
    while time.process_time() < end:
        pass
    send(type="move", id=m["id"], move=m["legal"][0])
"""


@pytest.mark.long
def test_hogs_on_every_core_cost_no_bot_a_game(make_arena: MakeArena) -> None:
    """Bots that need a quarter of their time lose none of it to a host that gives them a fifth of a core."""
    arena = make_arena(1)
    with arena.client() as staff:
        staff.create_tournament(PLAN)
        staff.change(NAME, "open")
        for bot in ("one", "other"):
            staff.submit(bot, "bot.py", (PRELUDE + QUARTER).encode(), games=["heap_nim"])
        for bot in ("one", "other"):
            staff.await_check(bot, 1)
            staff.enter(NAME, bot)
        with hogs(os.sched_getaffinity(0), 4):
            staff.change(NAME, "start")
            eventually(lambda: staff.tournament(NAME).state == "finished")
        board = staff.leaderboard(NAME).items
        moves = staff._ask(MatchDetail, "GET", f"/tournaments/{NAME}/matches/1").moves
    assert [row.forfeits for row in board] == [0, 0]
    assert len(moves) == 3
    assert any(move.lost_ns > 0 for move in moves)
