"""A match that costs every worker its life is parked, and the others are played."""

from __future__ import annotations

import pytest

from arena.core.terms import MatchState
from tests.acceptance.conftest import IMPATIENT, Arena, MakeArena, eventually
from tests.acceptance.queries import query
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
WORKERS = 2
"""One for each match of the deadly bot's in the first seat."""
DEATHS = 5


def _kill_whoever_plays(arena: Arena, deadly: set[int]) -> None:
    """Kill all workers whenever each of them plays one of these matches, by their numbers, `DEATHS` times.

    All at once, as the supervisor waits longer with every early end before it starts a process again.
    """
    over = set[tuple[int, int]]()

    def begun() -> set[tuple[int, int]]:
        running = query(arena, "SELECT number, attempt FROM matches WHERE state = 'running'")
        return {(number, attempt) for number, attempt in running if number in deadly} - over

    for _ in range(DEATHS):
        eventually(lambda: len(begun()) == len(deadly))
        over |= begun()
        for number in range(1, WORKERS + 1):
            arena.kill(f"worker-{number}")


def test_a_match_that_kills_its_workers_is_parked(make_arena: MakeArena) -> None:
    """After the fifth of them, for the staff to see; all others are played, and the table is right.

    No bot can kill a worker, so all are killed here whenever they have begun those matches.
    """
    arena = make_arena(WORKERS, **{key: value for key, value in IMPATIENT.items() if key != "ARENA_MAX_LOST"})
    with arena.client() as client:
        plan = {"name": NAME, "game": "heap_nim", "format": "double_round_robin", "openings": 0}
        client.create_tournament(
            plan | {"params": {"heaps": HEAPS}, "time": {"move_ms": 1_200_000, "extensions": 0}}
        )
        client.change(NAME, "open")
        for bot, slow in {"slow": HEAPS, "quick": None, "other": None}.items():
            client.submit(bot, "bot.py", SOURCE.format(slow=slow).encode(), games=["heap_nim"])
            assert client.await_check(bot, 1).state == "passed"
            client.enter(NAME, bot)
        client.change(NAME, "start")

        deadly = {each.number for each in client.matches(NAME, "") if each.seats[0].bot == "slow"}
        _kill_whoever_plays(arena, deadly)
        eventually(lambda: client.tournament(NAME).matches == {MatchState.FINISHED: 4, MatchState.PARKED: 2})
        parked = list(client.parked())
        assert [(each.tournament, each.lost) for each in parked] == [(NAME, DEATHS)] * 2
    check_tables(arena, NAME)
