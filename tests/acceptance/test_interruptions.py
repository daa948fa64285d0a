"""Workers that are stopped, an arena that is stopped and started, and a broker that forgets everything.

The leases are so long here that nothing would go on if anybody waited for their ends.
"""

from __future__ import annotations

import signal
from contextlib import closing

import pytest
import redis

from tests.acceptance.bots import thinker
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.acceptance.queries import query
from tests.acceptance.tables import check_tables

pytestmark = pytest.mark.long

NAME = "long"
PATIENT = {"ARENA_LEASE_SECONDS": "900", "ARENA_PICKUP_SECONDS": "900"}
OF_EACH = 4
"""So many matches are played on the openings of both cycles that have a number in common."""


def begun(make_arena: MakeArena, openings: int) -> Arena:
    """An arena of one worker, in which a tournament of two bots that think has begun."""
    arena = make_arena(1, **PATIENT)
    plan = {"name": NAME, "game": "heap_nim", "format": "double_round_robin", "openings": openings}
    with arena.client() as client:
        client.create_tournament(plan | {"opening_plies": 2, "params": {"heaps": [1, 2, 3, 4]}})
        client.change(NAME, "open")
        for bot in ("one", "other"):
            client.submit(bot, "bot.py", thinker(0.3), games=["heap_nim"])
        for bot in ("one", "other"):
            assert client.await_check(bot, 1).state == "passed"
            client.enter(NAME, bot)
        client.change(NAME, "start")
    eventually(lambda: in_play(arena))
    return arena


def in_play(arena: Arena) -> bool:
    """Whether a match is being played."""
    return bool(query(arena, "SELECT 1 FROM matches WHERE state = 'running'"))


def finished(arena: Arena) -> int:
    """How many matches are recorded."""
    return int(query(arena, "SELECT count(*) FROM matches WHERE state = 'finished'")[0][0])


def goes_on(arena: Arena) -> None:
    """More matches end than the one that was in play, where so many are left, and the tables are right."""
    check_tables(arena, NAME)
    goal = min(finished(arena) + 2, query(arena, "SELECT count(*) FROM matches")[0][0])
    eventually(lambda: finished(arena) >= goal)
    check_tables(arena, NAME)


def given_back(arena: Arena) -> bool:
    """Whether a stopped worker has said so of the match that it had in play."""
    reasons = query(arena, "SELECT data FROM events WHERE kind = 'match.put_back'")
    return any("the worker was stopped" in reason for (reason,) in reasons)


def comes_to_its_end(arena: Arena, matches: int) -> None:
    """Every match is played and counted once, and none was lost or has anything said against it."""
    with arena.client() as client:
        eventually(lambda: client.tournament(NAME).state == "finished")
        board = client.leaderboard(NAME)
        assert board.played == board.matches == matches
    check_tables(arena, NAME)
    assert query(arena, "SELECT number, trouble FROM matches WHERE lost > 0 OR trouble IS NOT NULL") == []


def stop_worker(arena: Arena, ending: signal.Signals) -> None:
    """Stop the worker at a match; one that happens to be between two has none to give back, so then again."""
    while not given_back(arena):
        before = finished(arena)
        arena.kill("worker-1", ending)
        eventually(lambda before=before: given_back(arena) or finished(arena) > before)  # type: ignore[misc]


def test_a_worker_that_is_stopped_gives_its_match_back(make_arena: MakeArena) -> None:
    """It says so in plain words, that is no loss, and its successor goes on."""
    arena = begun(make_arena, 2)
    stop_worker(arena, signal.SIGTERM)
    goes_on(arena)
    comes_to_its_end(arena, 2 * OF_EACH)


def test_an_arena_goes_on_at_once_whatever_was_stopped(make_arena: MakeArena) -> None:
    """A worker in haste, the arena, its supervisor with everything below it; and when its broker forgets.

    The match in play is not disturbed when the broker forgets, and those that waited are published anew.
    """
    arena = begun(make_arena, 4)
    stop_worker(arena, signal.SIGQUIT)
    goes_on(arena)
    arena.down()
    arena.up(1)
    goes_on(arena)
    arena.kill_supervisor()
    arena.up(1)
    goes_on(arena)
    with closing(redis.Redis(unix_socket_path=str(arena.folder.run / "valkey.sock"))) as broker:
        for key in broker.scan_iter():
            broker.delete(key)
    goes_on(arena)
    arena.kill("valkey")
    goes_on(arena)
    comes_to_its_end(arena, 4 * OF_EACH)
