"""Formats whose rounds follow from results, on real processes that are killed half-way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.client.http import ArenaClient
from arena.core.settings import Settings
from arena.core.terms import TournamentState
from arena.schemas.plans import TournamentPlan
from arena.store.database import Database
from arena.tournaments import lifecycle
from bots import reference
from bots.reference.pack import archive
from tests.acceptance.conftest import IMPATIENT, MakeArena, eventually
from tests.acceptance.tables import check_tables
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import World
from workers.core.contract import MatchResult, MatchSpec
from workers.play import referee
from workers.play.inprocess import InProcessPlayer

BOTS = [f"bot-{number}" for number in range(1, 6)]
GAME: dict[str, Any] = {
    "game": "heap_nim",
    "params": {"heaps": [3, 4, 5]},
    "opening_plies": 1,
    "standings_order": ["points", "buchholz", "sonneborn_berger", "direct"],
}
"""The usual order ends with the time that was used, which is another each time."""
PLANS: dict[str, dict[str, Any]] = {
    "swiss": {"format": "swiss_dutch", "options": {"rounds": 3}, "seed": 3},
    "cup": {"format": "knockout", "options": {"best_of": 2, "third_place": True}, "seed": 4},
}
SHOWN = ("rank", "bot", "games", "points", "wins", "draws", "losses", "forfeits", "score_own", "score_other")


@pytest.mark.long
def test_a_swiss_and_a_knockout_survive_being_killed(make_arena: MakeArena, tmp_path: Path) -> None:
    """Coordinator and supervisor die between two rounds: the tables are those of games refereed in peace."""
    arena = make_arena(2, **IMPATIENT)
    with arena.client() as client:
        for bot in BOTS:
            client.submit(bot, "random.zip", archive("random"), games=["heap_nim"])
        for bot in BOTS:
            assert client.await_check(bot, 1).state == "passed"
        for name, plan in PLANS.items():
            client.create_tournament({"name": name, **GAME, **plan})
            client.change(name, "open")
            for bot in BOTS:
                client.enter(name, bot)
            client.change(name, "start")
        eventually(_paired(client, "swiss", 2))
        arena.kill("coordinator")
        check_tables(arena, "swiss")
        eventually(_paired(client, "swiss", 3))
    arena.kill_supervisor()
    arena.up(2)
    with arena.client() as client:
        for name, plan in PLANS.items():
            eventually(lambda name=name: client.tournament(name).state == "finished")  # type: ignore[misc]
            check_tables(arena, name)
            table = [{key: getattr(line, key) for key in SHOWN} for line in client.leaderboard(name).items]
            assert table == _in_peace(tmp_path, name, plan)


def _paired(client: ArenaClient, name: str, rounds: int) -> Callable[[], bool]:
    return lambda: client.tournament(name).rounds_paired >= rounds


def _in_peace(folder: Path, name: str, plan: dict[str, Any]) -> list[dict[str, Any]]:
    """The table of the same tournament played here, without any other process."""
    database = Database(f"sqlite:///{folder}/{name}.sqlite3")
    database.migrate()
    world = World(database, Settings(data_dir=folder))
    with database.transaction() as session:
        made = lifecycle.create(session, world.staff, TournamentPlan(name=name, **GAME, **plan))
        for bot in BOTS:
            lifecycle.enter(session, world.staff, made, world.bot(session, bot))
        lifecycle.open_(session, world.staff, made)
        lifecycle.start(session, world.staff, made)
    coordinator = coordinator_of(world)
    while not _finished(world, name):
        coordinator.tick()
        for message in world.broker.queue:
            world.record(message, _refereed(message.spec))
        world.broker.queue.clear()
    table = [{key: getattr(line, key) for key in SHOWN} for line in world.leaderboard(name)]
    database.close()
    return table


def _finished(world: World, name: str) -> bool:
    with world.database.reading() as session:
        return world.get(session, name).state == TournamentState.FINISHED


def _refereed(spec: MatchSpec) -> MatchResult:
    bots = [InProcessPlayer(reference.make("random")) for _ in range(2)]
    return referee.play(spec, (bots[0], bots[1]))
