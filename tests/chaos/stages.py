"""Arenas that are to be troubled: on what comes with it, and on services and a host of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx2

from arena.core.folder import DataFolder
from tests.acceptance import league
from tests.acceptance.conftest import ATTENTIVE, IMPATIENT, PATIENCE, Arena, await_end, eventually
from tests.acceptance.tables import check_tables, stored_records
from tests.chaos.brokers import Broker
from tests.chaos.hosts import Cable, cable, host
from tests.postgres import PostgresServer
from tests.small_disk import mounted

DURABLE = ("listen_addresses=",)
"""What was committed is there after a kill."""
DISK = "256m"
LOOK_SECONDS = 1.0
PROGRESS = 3
"""So many further results show that play goes on."""


@dataclass
class Stage:
    """An arena in the midst of a tournament; without a `broker` and a `database` it has its own."""

    arena: Arena
    broker: Broker | None = None
    database: PostgresServer | None = None
    cable: Cable | None = None
    workers: int = 2
    bots: Mapping[str, str] = field(default_factory=lambda: league.BOTS)
    number: int = 0
    """Of the tournament in play."""

    @property
    def name(self) -> str:
        """That of the tournament in play."""
        return f"class-{self.number}"

    def begin(self) -> None:
        """Begin the next tournament."""
        self.number += 1
        with self.arena.client() as client:
            league.start(client, openings=1, name=self.name, bots=self.bots)

    def goes_on(self) -> None:
        """Further results come, and more are to come after them: if need be of a next tournament.

        What is served follows from them, which is looked at here where nobody writes meanwhile, as on SQLite,
        else at the end.
        """
        self._go_on_to_next()
        matches = league.CYCLES * len(self.bots) * (len(self.bots) - 1)
        goal = min(self.finished() + PROGRESS, matches)
        eventually(lambda: self.finished() >= goal)
        if self.database is None:
            check_tables(self.arena, self.name)
        self._go_on_to_next()

    def is_shown(self, seconds: float, statuses: set[int]) -> None:
        """For so long the page of the standings comes with one of these statuses whenever it is asked for."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            answer = httpx2.get(f"{self.arena.state.url}/tournaments/{self.name}", timeout=PATIENCE)
            assert answer.status_code in statuses, answer.text
            assert self.name in answer.text or answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
            time.sleep(LOOK_SECONDS)

    def _go_on_to_next(self) -> None:
        if self.is_over():
            self.comes_to_its_end()
            self.begin()

    def is_over(self) -> bool:
        """Whether the tournament is."""
        with self.arena.client() as client:
            return client.tournament(self.name).state == "finished"

    def comes_to_its_end(self) -> None:
        """Every match counts once, as it is played without any process, and the table follows from that."""
        eventually(self.is_over)
        with self.arena.client() as client:
            board = league.leaderboard(client, self.name)
        played = stored_records(self.arena, self.name)
        check_tables(self.arena, self.name)
        league.check_coverage(played, 1, self.bots)
        league.check_results(played)
        league.check_leaderboard(board, played)

    def finished(self) -> int:
        """How many of its matches are recorded."""
        with self.arena.client() as client:
            return league.finished(client, self.name)


@contextmanager
def embedded(folder: Path) -> Iterator[Stage]:
    """SQLite and the broker that comes with the arena, on a small disk of its own."""
    root = folder / "arena"
    root.mkdir()
    with ExitStack() as stack:
        stack.enter_context(mounted(root, DISK))
        yield stack.enter_context(begun(folder, Stage(Arena(DataFolder.at(root)))))


@contextmanager
def services(folder: Path, bots: Mapping[str, str] = league.BOTS, **far: Any) -> Iterator[Stage]:
    """PostgreSQL, a broker by TCP, and a host of its own beside the arena's one worker.

    What is told of the host (`far`) goes to `hosts.host`.
    """
    with ExitStack() as stack:
        laid = stack.enter_context(cable())
        database = PostgresServer(DURABLE)
        stack.callback(database.close)
        broker = Broker(folder, ("127.0.0.1", laid.here))
        stack.callback(broker.kill)
        data = DataFolder.at(folder / "arena")
        told = {
            "BROKER_URL": broker.url(),
            "DATABASE_URL": database.empty(),
            "WORKER_SETTINGS": f"""\
ARENA_BROKER_URL={broker.url(laid.here)}
ARENA_ARCHIVE_URL={(data.root / "archives").as_uri()}
ARENA_RECORDS_URL={(data.root / "records").as_uri()}
""",
        }
        for name, text in told.items():
            (folder / name).write_text(text)
        arena = Arena(data, {f"ARENA_{name}_FILE": str(folder / name) for name in told})
        stage = stack.enter_context(begun(folder, Stage(arena, broker, database, laid, workers=1, bots=bots)))
        stack.enter_context(host(folder / "far", laid, arena, **far))
        yield stage


SETUPS: Mapping[str, Callable[[Path], AbstractContextManager[Stage]]] = {
    "embedded": embedded,
    "services": services,
}


@contextmanager
def begun(folder: Path, stage: Stage) -> Iterator[Stage]:
    """Start the arena and its tournament; at the end see to it that nothing is left."""
    arena = stage.arena
    cores = {"ARENA_CORES_DIR": str(folder / "cores"), "ARENA_MATCH_CORES": "64"}
    arena.environment |= ATTENTIVE | IMPATIENT | cores
    try:
        arena.up(stage.workers)
        with arena.client() as client:
            league.submit(client, stage.bots)
        stage.begin()
        yield stage
    finally:
        arena.down()
        await_end(arena.folder.root)
