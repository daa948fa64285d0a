"""What it costs to read a leaderboard of 200 bots, beside others on the same server, also as results come in.

    python -m benchmarks.reading

Each is asked for in turns over 16 connections that stay open: FastAPI's hello, the rows of 200 entries by the
ORM through a response model, the leaderboard as JSON, the same by who has just that (304), and its page. All
are served by uvicorn as the arena runs it. Then the same while the arena's recorder takes in 50 results a
second. What the first reader after a result costs is measured alone. Processor time is the server's process.
"""

from __future__ import annotations

import argparse
import os
import random
import selectors
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import insert, select

from arena.coordinator import leases, matches
from arena.coordinator.leases import Attempt
from arena.coordinator.messages import Message
from arena.core.settings import Settings
from arena.core.terms import Role
from arena.people import users
from arena.schemas.plans import TournamentPlan
from arena.store.database import Database
from arena.store.models import Bot, BotVersion, Tournament, User
from arena.submissions import hosts
from arena.tournaments import lifecycle, rounds
from benchmarks.recording import RECORDER
from benchmarks.serving import HOST, Server, cpu, running, served, valkey
from benchmarks.standings import played, version
from tests.postgres import PostgresServer
from workers.app import RECORD, create_app

BOTS = 200
BEFORE = 4_000
"""Results that there are when reading begins."""
RATE = 50
"""Results a second that come in meanwhile."""
CONNECTIONS = 16
NAME = "cup"
BOARD = f"/api/v1/tournaments/{NAME}/leaderboard"
PAGE = f"/tournaments/{NAME}"
TARGETS = {"leaderboard": 0.85, "304": 1.0, "page": 0.5}
"""How many requests a second there are to be for one of hello's."""
OF_ROWS = 3.5
"""How many leaderboards a second for one answer with the ORM's rows."""
LATE = 1.5
"""The 99th of a hundred leaderboards may take so many times what hello's does."""
FIRSTS = 100


class Load(NamedTuple):
    """Requests a second, milliseconds that 99 of a hundred took at most, and processor time of one in µs."""

    rate: float
    late_ms: float
    cpu_us: float


def load(server: Server, path: str, headers: str, seconds: float) -> Load:
    """Ask for it over all connections, each as soon as it is answered."""
    ask(server, path)
    request = f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n{headers}\r\n".encode()
    took: list[float] = []
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        asked: dict[int, float] = {}
        used, began = cpu(server.process), time.perf_counter()
        for _ in range(CONNECTIONS):
            connection = stack.enter_context(socket.create_connection((HOST, server.port)))
            selector.register(connection, selectors.EVENT_READ, Reply())
            asked[connection.fileno()] = time.perf_counter()
            connection.sendall(request)
        while (now := time.perf_counter()) < began + seconds or len(took) < CONNECTIONS:
            for key, _ in selector.select(0.1):
                if key.data.take(key.fileobj.recv(1 << 18)):
                    now = time.perf_counter()
                    took.append(now - asked[key.fd])
                    asked[key.fd] = now
                    key.fileobj.sendall(request)
        spent = cpu(server.process) - used
    took.sort()
    return Load(len(took) / (now - began), 1e3 * took[int(0.99 * len(took))], 1e6 * spent / len(took))


class Reply:
    """What of an answer has come so far."""

    def __init__(self) -> None:
        self.head = b""
        self.missing = -1
        self.etag = ""

    def take(self, piece: bytes) -> bool:
        """Whether the answer is there with this piece.

        Raises:
            ValueError: it is no answer, or says that something is wrong.
        """
        if self.missing < 0:
            self.head += piece
            head, end, body = self.head.partition(b"\r\n\r\n")
            if not end:
                if not piece:
                    raise ValueError("the server hung up")
                return False
            lines = head.decode("latin-1").lower().split("\r\n")
            if lines[0].split(" ")[1] not in {"200", "304"}:
                raise ValueError(lines[0])
            fields = dict(line.split(": ", 1) for line in lines[1:])
            self.etag = fields.get("etag", "")
            self.missing = int(fields.get("content-length", 0)) - len(body)
        else:
            self.missing -= len(piece)
        if self.missing:
            return False
        self.head, self.missing = b"", -1
        return True


def ask(server: Server, path: str) -> str:
    """Ask once; the ETag of the answer."""
    with socket.create_connection((HOST, server.port)) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        reply = Reply()
        while not reply.take(connection.recv(1 << 18)):
            pass
        return reply.etag


class Bench:
    """An arena's database with a tournament of 200 bots that is being played."""

    def __init__(self, url: str, folder: Path) -> None:
        self.settings = Settings(data_dir=folder, database_url=url, host_seconds=86_400, window=256)
        self.folder = folder
        self.socket = folder / "valkey.sock"
        self.broker_url = f"redis+socket://{self.socket}"
        self.database = Database(url)
        self.database.migrate()
        self._draw = random.Random(1)
        self._waiting: list[Message] = []
        self._start()
        for _ in range(BEFORE // self.settings.window):
            self.record(self.take(self.settings.window))

    def _start(self) -> None:
        plan = {"name": NAME, "game": "reversed_reversi", "params": {"size": 4}, "format": "round_robin"}
        with self.database.transaction() as session:
            staff, _ = users.create_user(session, "staff", Role.ADMIN)
            hosts.register(session, "bench", {"python": "Python 3.11"}, 1.0)
            bots = [
                Bot(id=at, owner_id=staff.id, name=f"bot-{at}", created_at=staff.created_at)
                for at in range(1, BOTS + 1)
            ]
            session.add_all(bots)
            session.flush()
            about = {"created_at": staff.created_at, "games": [plan["game"]]}
            session.execute(insert(BotVersion), [version(bot.id) | about for bot in bots])
        with self.database.transaction() as session:
            staff = session.scalars(select(User)).one()
            cup = lifecycle.create(session, staff, TournamentPlan.model_validate(plan))
            for bot in session.scalars(select(Bot).order_by(Bot.id)):
                lifecycle.enter(session, staff, cup, bot)
            lifecycle.open_(session, staff, cup)
            lifecycle.start(session, staff, cup)

    def take(self, number: int) -> list[Message]:
        """So many matches that are given out; the next rounds are made when they are needed."""
        while len(self._waiting) < number:
            with self.database.transaction() as session:
                cup = session.scalars(select(Tournament)).one()
                if rounds.due(session, cup):
                    rounds.accept(session, cup, rounds.answer(rounds.ask(session, cup)))
            settings = self.settings.model_copy(update={"window": self.settings.window + len(self._waiting)})
            with self.database.transaction() as session:
                self._waiting += leases.issue(matches.WORK, session, settings)
        taken, self._waiting = self._waiting[:number], self._waiting[number:]
        return taken

    def record(self, messages: Sequence[Message]) -> None:
        """Record results as the recorder does."""
        reports = [
            (Attempt((int(each.spec.match),), each.attempt, each.token), {"report": self._played(each)})
            for each in messages
        ]
        with self.database.transaction() as session:
            leases.take_in(leases.record, matches.WORK, session, reports, self.settings)

    def _played(self, message: Message) -> dict[str, Any]:
        return played(message.spec, self._draw.choice)

    @property
    def environment(self) -> dict[str, str]:
        """What the arena's processes are told."""
        return os.environ | {
            "ARENA_DATA_DIR": str(self.folder),
            "ARENA_DATABASE_URL": self.settings.database_url,
            "ARENA_BROKER_URL": self.broker_url,
        }

    @contextmanager
    def results(self) -> Iterator[None]:
        """Have the arena's recorder take in so many results a second, as workers send them."""
        app, over = create_app("bench", self.broker_url), threading.Event()

        def send() -> None:
            due = time.monotonic()
            while not over.wait(max(0.0, due - time.monotonic())):
                (message,) = self.take(1)
                about = {"match": message.spec.match, "attempt": message.attempt, "token": message.token}
                app.send_task(RECORD, kwargs={**about, "host": "bench", "result": self._played(message)})
                due += 1 / RATE

        sender = threading.Thread(target=send)
        with running([sys.executable, "-c", RECORDER.format(batch=256)], self.environment, self.folder):
            sender.start()
            try:
                yield
            finally:
                over.set()
                sender.join()
                app.close()

    def firsts(self, server: Server, path: str) -> float:
        """Milliseconds of processor time for the first reader after each result."""
        spent = 0.0
        for message in self.take(FIRSTS):
            self.record([message])
            before = cpu(server.process)
            ask(server, path)
            spent += cpu(server.process) - before
        return 1e3 * spent / FIRSTS


def measure(what: str, bench: Bench, rounds_: int, seconds: float) -> bool:
    """Print what a database does; whether that is enough."""
    with (
        valkey(bench.folder),
        served("benchmarks.peers.web:create_app", bench.environment, bench.folder) as peers,
        served("arena.web.app:create_app", bench.environment, bench.folder) as arena,
    ):
        asked: dict[str, Callable[[], Load]] = {
            "hello": lambda: load(peers, "/hello", "", seconds),
            "rows": lambda: load(peers, "/rows", "", seconds),
            "leaderboard": lambda: load(arena, BOARD, "", seconds),
            "304": lambda: load(arena, BOARD, f"If-None-Match: {ask(arena, BOARD)}\r\n", seconds),
            "page": lambda: load(arena, PAGE, "", seconds),
        }
        enough = _told(f"{what}, nothing recorded", asked, rounds_)
        with bench.results():
            enough &= _told(f"{what}, {RATE} results a second", asked, rounds_)
        for path, name in ((BOARD, "leaderboard"), (PAGE, "page")):
            first = bench.firsts(arena, path)
            print(f"{what}: the first {name} after a result takes {first:.1f} ms of processor")
    bench.database.close()
    return enough


def _told(what: str, asked: dict[str, Callable[[], Load]], rounds_: int) -> bool:
    loads: dict[str, list[Load]] = {name: [] for name in asked}
    for _ in range(rounds_):
        for name, ask_ in asked.items():
            loads[name].append(ask_())
    medians = {
        name: Load(*(statistics.median(each) for each in zip(*found, strict=True)))
        for name, found in loads.items()
    }
    hello = medians["hello"]
    print(what)
    for name, found in medians.items():
        rate, late = found.rate / hello.rate, found.late_ms / hello.late_ms
        share = found.cpu_us / hello.cpu_us
        print(f"  {name:12} {found.rate:6.0f} a second ({rate:.2f} of hello)", end=", ")
        print(f"99 % within {found.late_ms:6.1f} ms ({late:.2f})", end=", ")
        print(f"{found.cpu_us:.0f} µs of processor ({share:.2f})")
    board = medians["leaderboard"]
    print(f"  leaderboard: {board.rate / medians['rows'].rate:.1f} times the rows of the ORM")
    return (
        all(medians[name].rate >= least * hello.rate for name, least in TARGETS.items())
        and board.rate >= OF_ROWS * medians["rows"].rate
        and board.late_ms <= LATE * hello.late_ms
    )


def main() -> int:
    """Print the figures of both databases; 1 if one of them does too little."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    asked = parser.parse_args()
    enough = []
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        bench = Bench(f"sqlite:///{folder}/arena.sqlite3", Path(folder))
        enough.append(measure("SQLite", bench, asked.rounds, asked.seconds))
    server = PostgresServer(("listen_addresses=",))
    try:
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            url = server.empty().replace("postgresql://", "postgresql+psycopg://")
            enough.append(measure("PostgreSQL", Bench(url, Path(folder)), asked.rounds, asked.seconds))
    finally:
        server.close()
    return int(not all(enough))


if __name__ == "__main__":
    sys.exit(main())
