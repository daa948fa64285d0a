"""Two coordinators of one database, as real processes: one leads, and the other takes over.

A second one is started beside that of an arena. The first is stopped past its lease, goes on when the second
leads, and follows when that one is killed; meanwhile a whole tournament is played.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
import pytest
from sqlalchemy.exc import OperationalError

from arena.coordinator.leadership import COORDINATOR
from arena.core.terms import MatchState
from arena.store import leaders
from arena.store.database import Database
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.acceptance.tables import check_tables
from tests.postgres import PostgresServer

pytestmark = pytest.mark.long

NAME = "cup"
BOTS = ("one", "two", "three")
MATCHES = 24


class Scene:
    """An arena in which a tournament is played, with a second coordinator."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.database = Database(arena.database_url, patience_seconds=2)

    def leader(self) -> tuple[int, int]:
        """The number of the process that leads, and the number under which it does."""
        with self.database.reading() as session:
            seen = leaders.seen(session, COORDINATOR)
        return int(seen.holder.split("|")[-2]) if seen.holder else 0, seen.fence

    def finished(self) -> int:
        """How many matches are recorded."""
        with self.arena.client() as client:
            return client.tournament(NAME).matches.get(MatchState.FINISHED, 0)

    def stop(self, process: int) -> None:
        """Stop a process while it has no lock on SQLite's file, which nobody could take from it."""
        while True:
            os.kill(process, signal.SIGSTOP)
            try:
                self.database.try_writing()
            except OperationalError:
                os.kill(process, signal.SIGCONT)
            else:
                return

    def goes_on(self) -> None:
        """More matches end, where so many are left."""
        goal = min(self.finished() + 2, MATCHES)
        eventually(lambda: self.finished() >= goal)


@contextmanager
def second(arena: Arena, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A coordinator with the settings of an arena's own one."""
    own = psutil.Process(arena.child("coordinator").pid)
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [sys.executable, "-m", "arena.coordinator"], env=own.environ(), stdout=output, stderr=output
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture(params=["sqlite", "postgresql"])
def scene(
    request: pytest.FixtureRequest, postgres_url: Callable[[], str], make_arena: MakeArena
) -> Iterator[Scene]:
    """An arena on each database, which outlives it, in which a tournament has begun."""
    more = {"ARENA_DATABASE_URL": postgres_url()} if request.param == "postgresql" else {}
    arena = make_arena(1, **more)
    source = (
        b"from arena_bot import run\nimport time\n\n\nclass First:\n    def choose(self, request):\n"
        b"        if request.params['heaps'] == [1, 2, 3, 4]:  # not while it is checked\n"
        b"            time.sleep(0.2)\n        return request.legal[0]\n\n\nrun(First())\n"
    )
    with arena.client() as client:
        plan = {"name": NAME, "game": "heap_nim", "format": "double_round_robin", "openings": 2}
        client.create_tournament(plan | {"opening_plies": 2, "params": {"heaps": [1, 2, 3, 4]}})
        client.change(NAME, "open")
        for bot in BOTS:
            client.submit(bot, "bot.py", source, games=["heap_nim"])
        for bot in BOTS:
            assert client.await_check(bot, 1).state == "passed"
            client.enter(NAME, bot)
        client.change(NAME, "start")
    scene = Scene(arena)
    with closing(scene.database):
        yield scene


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """Makes an empty PostgreSQL database where a test asks for one."""
    made: list[tuple[PostgresServer, str]] = []

    def make() -> str:
        server: PostgresServer = request.getfixturevalue("postgres")
        made.append((server, server.empty()))
        return made[-1][1]

    yield make
    for server, url in made:
        server.drop(url)


def test_one_leads_and_another_takes_over(scene: Scene, tmp_path: Path) -> None:
    """Within its lease; who was passed over acts no more, and every match is recorded once."""
    arena = scene.arena
    first = arena.child("coordinator").pid
    assert first is not None
    eventually(lambda: scene.leader()[0] == first)
    _, before = scene.leader()
    with second(arena, tmp_path / "second.log") as other:
        scene.goes_on()
        assert scene.leader() == (first, before)
        scene.stop(first)
        eventually(lambda: scene.leader()[0] == other.pid)
        scene.goes_on()
        os.kill(first, signal.SIGCONT)
        log = arena.folder.log_of("coordinator")
        eventually(lambda: "another coordinator leads" in log.read_text())
        scene.goes_on()
        assert scene.leader() == (other.pid, before + 1)
        other.kill()
        other.wait()
        eventually(lambda: scene.leader() == (first, before + 2))
    with arena.client() as client:
        eventually(lambda: client.tournament(NAME).state == "finished")
        board = client.leaderboard(NAME)
        assert board.played == board.matches == MATCHES
    check_tables(arena, NAME)
