"""A match that costs every worker its life is parked, and the others are played."""

from __future__ import annotations

import pytest

from arena.core.terms import MatchState
from tests.acceptance.conftest import IMPATIENT, MakeArena, eventually
from tests.acceptance.tables import check_tables

pytestmark = pytest.mark.long
NAME = "cup"
SOURCE = """\
import time

from arena_bot import run


class Bot:
    def choose(self, request):
        if request.ply == 0 and request.params["heaps"] == {slow}:
            time.sleep(600)
        return request.legal[0]


run(Bot())
"""
HEAPS = [2, 3, 5]
"""No bot is checked on these."""
DEATHS = 5


def test_a_match_that_kills_its_workers_is_parked(make_arena: MakeArena) -> None:
    """After the fifth of them, for the staff to see; all others are played, and the table is right.

    No bot can kill a worker, so it is killed here whenever it has begun that match.
    """
    arena = make_arena(1, **{key: value for key, value in IMPATIENT.items() if key != "ARENA_MAX_LOST"})
    with arena.client() as client:
        plan = {"name": NAME, "game": "heap_nim", "format": "double_round_robin", "openings": 0}
        client.create_tournament(plan | {"params": {"heaps": HEAPS}})
        client.change(NAME, "open")
        for bot, slow in {"slow": HEAPS, "quick": None, "other": None}.items():
            client.submit(bot, "bot.py", SOURCE.format(slow=slow).encode(), games=["heap_nim"])
            assert client.await_check(bot, 1).state == "passed"
            client.enter(NAME, bot)
        client.change(NAME, "start")

        def poison() -> bool:
            return any(each.seats[0].bot == "slow" for each in client.matches(NAME, MatchState.RUNNING))

        def counts() -> dict[MatchState, int]:
            return client.tournament(NAME).matches

        deaths = 0
        while counts().get(MatchState.PARKED, 0) < 2:
            eventually(lambda: poison() or counts().get(MatchState.PARKED, 0) == 2)
            if poison():
                arena.kill("worker-1")
                deaths += 1
                eventually(lambda: not poison())
        assert deaths == 2 * DEATHS
        eventually(lambda: counts() == {MatchState.FINISHED: 4, MatchState.PARKED: 2})
        parked = list(client.parked())
        assert [(each.tournament, each.lost) for each in parked] == [(NAME, DEATHS)] * 2
    check_tables(arena, NAME)
