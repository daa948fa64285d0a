"""How many results a second are recorded, one by one and many at once, the first and the millionth.

    python -m benchmarks.recording

The recorder is the arena's own process, the broker a Valkey server, and SQLite and PostgreSQL write to the
disk as they do in use. The results of a tournament wait in the queue, sent as workers send them; the time
runs from the first that is taken to the last. Then the history is filled up with copies of that tournament,
and other tournaments are recorded after so many. A reader looks at the leaderboard meanwhile.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import redis
from sqlalchemy import func, insert, select

from arena.coordinator import leases, matches
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import Role, TournamentState
from arena.people import users
from arena.results import views
from arena.schemas.plans import TournamentPlan
from arena.store.database import Database
from arena.store.models import Bot, BotVersion, Tournament, User, WorkerKey
from arena.submissions import hosts
from arena.tournaments import audit, lifecycle
from benchmarks.history import copy
from benchmarks.serving import cpu, valkey
from benchmarks.standings import played, version
from tests.postgres import PostgresServer
from workers.app import RECORD, RESULTS, create_app
from workers.core.signing import new_key

BOTS = 64
GAMES = BOTS * (BOTS - 1) // 2
HISTORIES = (10_000, 1_000_000)
LEAST = {"sqlite": 500, "postgresql": 1_000}
"""So many results a second are to be recorded at least."""
GROWTH = 1.5
"""A result after the longest history may cost so many times one after the shortest."""
RECORDER = "from arena.coordinator import recorder; recorder.BATCH = {batch}; recorder.main()"


class Cost(NamedTuple):
    """What it took: results a second, the recorder's processor time for one, and a leaderboard's median."""

    rate: float
    cpu_ms: float
    leaderboard_ms: float


class Bench:
    """A database and a broker, and an arena's recorder between them."""

    def __init__(self, url: str, folder: Path) -> None:
        self.database = Database(url)
        self.database.migrate()
        self.settings = Settings(data_dir=folder, database_url=url, host_seconds=86_400)
        self.socket = folder / "valkey.sock"
        self.broker_url = f"redis+socket://{self.socket}"
        with self.database.transaction() as session:
            users.create_user(session, "staff", Role.ADMIN)
            hosts.register(session, "bench", {"python": "Python 3.11"}, 1.0)
            self.key = new_key()
            session.add(WorkerKey(host="bench", public=self.key.public, enrolled_at=utc_now()))
            owner = session.scalars(select(User)).one()
            for number in range(1, BOTS + 1):
                session.add(
                    Bot(id=number, owner_id=owner.id, name=f"bot-{number}", created_at=owner.created_at)
                )
            session.flush()
            told = [version(number) | {"created_at": owner.created_at} for number in range(1, BOTS + 1)]
            session.execute(insert(BotVersion), told)

    def record(self, name: str, batch: int) -> Cost:
        """Have all matches of a new tournament recorded, so many at once."""
        cup = self._tournament(name)
        self._report()
        environment = os.environ | {
            "ARENA_DATA_DIR": str(self.settings.data_dir),
            "ARENA_DATABASE_URL": self.settings.database_url,
            "ARENA_BROKER_URL": self.broker_url,
        }
        command = [sys.executable, "-c", RECORDER.format(batch=batch)]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                cost = self._watch(process.pid, cup)
            finally:
                process.terminate()
        with self.database.reading() as session:
            tournament = session.get_one(Tournament, cup)
            assert tournament.matches_finished == GAMES
            assert audit.verify(session, tournament) == []
        return cost

    def _tournament(self, name: str) -> int:
        """A tournament whose matches are all given out; its number."""
        told = {"name": name, "game": "heap_nim", "params": {"heaps": [1, 1, 1]}, "format": "round_robin"}
        with self.database.transaction() as session:
            staff = session.scalars(select(User)).one()
            cup = lifecycle.create(session, staff, TournamentPlan.model_validate(told))
            for bot in session.scalars(select(Bot).order_by(Bot.id)):
                lifecycle.enter(session, staff, cup, bot)
            lifecycle.open_(session, staff, cup)
            lifecycle.start(session, staff, cup)
            return cup.id

    def _report(self) -> None:
        settings = self.settings.model_copy(update={"window": GAMES})
        with self.database.transaction() as session:
            messages = leases.issue(matches.WORK, session, settings)
        assert len(messages) == GAMES
        app = create_app("bench", self.broker_url, signer=lambda: self.key)
        for each in messages:
            about = {"match": each.spec.match, "attempt": each.attempt, "token": each.token, "host": "bench"}
            app.send_task(RECORD, kwargs={**about, "result": played(each.spec)})
        app.close()

    def _watch(self, recorder: int, cup: int) -> Cost:
        looks = []
        with redis.Redis(unix_socket_path=str(self.socket)) as client:
            while (left := int(client.llen(RESULTS))) == GAMES:  # type: ignore[arg-type]
                time.sleep(0.001)
            began, used, first = time.perf_counter(), cpu(recorder), left
            while int(client.llen(RESULTS)):  # type: ignore[arg-type]
                looks.append(self._look(cup))
                time.sleep(0.05)
            took = time.perf_counter() - began
        return Cost(
            first / took, 1e3 * (cpu(recorder) - used) / first, 1e3 * statistics.median(looks or [0.0])
        )

    def _look(self, cup: int) -> float:
        began = time.perf_counter()
        with self.database.reading() as session:
            views.leaderboard(session, session.get_one(Tournament, cup))
        return time.perf_counter() - began

    def fill(self, history: int) -> None:
        """Copy the first tournament that was recorded until there are so many matches."""
        with self.database.transaction() as session:
            cup = session.scalars(select(Tournament).order_by(Tournament.id)).first()
            assert cup is not None
            there = session.scalar(select(func.sum(Tournament.matches_finished))) or 0
            cup.state = TournamentState.FINISHED
        copy(self.database, cup.id, max(0, history - there) // GAMES)


def measure(kind: str, url: str, folder: Path) -> bool:
    """Print what a database does; whether that is enough."""
    bench = Bench(url, folder)
    with valkey(folder):
        costs = {"one by one": bench.record("single", 1), "256 at once": bench.record("batches", 256)}
        for history in HISTORIES:
            bench.fill(history)
            costs[f"after {history:,}"] = bench.record(f"after-{history}", 256)
    bench.database.close()
    for what, cost in costs.items():
        print(
            f"{kind:10} {what:16} {cost.rate:6.0f} results a second, {cost.cpu_ms:5.2f} ms of processor "
            f"each, leaderboard meanwhile {cost.leaderboard_ms:.1f} ms"
        )
    short, long = (costs[f"after {history:,}"] for history in HISTORIES)
    many = costs["256 at once"]
    print(f"{kind:10} {many.rate / costs['one by one'].rate:.1f} times as many at once", end=", ")
    print(f"and {long.cpu_ms / short.cpu_ms:.2f} times the processor time after the longest history")
    return many.rate >= LEAST[kind] and long.cpu_ms <= GROWTH * short.cpu_ms


def main() -> int:
    """Print the figures of both databases; 1 if one of them does too little."""
    enough = []
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        enough.append(measure("sqlite", f"sqlite:///{folder}/arena.sqlite3", Path(folder)))
    server = PostgresServer(("listen_addresses=",))
    try:
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            url = server.empty().replace("postgresql://", "postgresql+psycopg://")
            enough.append(measure("postgresql", url, Path(folder)))
    finally:
        server.close()
    return int(not all(enough))


if __name__ == "__main__":
    sys.exit(main())
