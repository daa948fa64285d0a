"""Tournaments of eight bots on real processes: on one worker, on four, and with everything killed once."""

from __future__ import annotations

from typing import Any

import pytest

from arena.client.http import ArenaClient
from tests.acceptance import league
from tests.acceptance.conftest import IMPATIENT, MakeArena, eventually
from tests.acceptance.tables import check_tables

pytestmark = pytest.mark.long

OPENINGS = 2
PROGRESS = 5
"""More matches must end before the next part is killed; the fewer, the slower the killer may be."""


def test_one_worker_and_four_give_the_same_leaderboard(make_arena: MakeArena) -> None:
    """The number of workers changes how long a tournament takes, and nothing on its leaderboard."""
    arena = make_arena(1)
    with arena.client() as client:
        league.submit(client)
        alone = _played(client, "alone")
    arena.down()
    arena.up(4)
    with arena.client() as client:
        assert _played(client, "four") == alone


def _played(client: ArenaClient, name: str) -> list[dict[str, Any]]:
    """The leaderboard of a whole tournament of that name, which is that of its records."""
    league.start(client, 1, name)
    eventually(lambda: client.tournament(name).state == "finished")
    board, played = league.leaderboard(client, name), league.records(client, name)
    league.check_coverage(played, 1)
    league.check_leaderboard(board, played)
    return board


def test_killing_every_part_once_changes_nothing(make_arena: MakeArena) -> None:
    """Worker, broker, API, recorder, coordinator, supervisor: no match is lost, none counts twice."""
    arena = make_arena(2, **IMPATIENT)
    client = arena.client()
    league.enter_and_start(client, OPENINGS)
    for part in ("worker-1", "valkey", "api", "recorder", "coordinator"):
        goal = league.finished(client) + PROGRESS
        eventually(lambda goal=goal: league.finished(client) >= goal)  # type: ignore[misc]
        arena.kill(part)
        check_tables(arena, league.NAME)
    goal = league.finished(client) + PROGRESS
    eventually(lambda: league.finished(client) >= goal)
    assert goal < OPENINGS * league.MATCHES, "everything was killed in the middle of the tournament"
    eventually(arena.healthy)
    client.close()
    arena.kill_supervisor()
    arena.up(2)
    check_tables(arena, league.NAME)
    with arena.client() as client:
        eventually(lambda: client.tournament(league.NAME).state == "finished")
        board, played = league.leaderboard(client), league.records(client)
    check_tables(arena, league.NAME)
    league.check_coverage(played, OPENINGS)
    league.check_results(played)
    league.check_leaderboard(board, played)
