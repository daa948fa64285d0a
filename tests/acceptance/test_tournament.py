"""Tournaments of eight bots on real processes: on one worker, on four, and with everything killed once."""

from __future__ import annotations

import pytest

from tests.acceptance import league
from tests.acceptance.conftest import IMPATIENT, MakeArena, eventually
from tests.acceptance.tables import check_tables

OPENINGS = 2
PROGRESS = 5
"""More matches must end before the next part is killed; the fewer, the slower the killer may be."""


@pytest.mark.long
def test_one_worker_and_four_give_the_same_leaderboard(make_arena: MakeArena) -> None:
    """The number of workers changes how long a tournament takes, and nothing on its leaderboard."""
    boards = []
    for workers in (1, 4):
        arena = make_arena(workers)
        with arena.client() as client:
            league.enter_and_start(client, 1)
            eventually(lambda client=client: client.tournament(league.NAME).state == "finished")  # type: ignore[misc]
            boards.append(league.leaderboard(client))
            played = league.records(client)
        arena.down()
        league.check_coverage(played, 1)
        league.check_leaderboard(boards[-1], played)
    assert boards[0] == boards[1]


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
