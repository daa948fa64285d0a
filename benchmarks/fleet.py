"""A thousand simulated workers play a tournament of a thousand bots, and some of them are lost.

    python -m benchmarks.fleet                     SQLite and PostgreSQL; --match-seconds 2, --workers 500

Coordinator, recorder, Valkey and the database are the arena's own, each a process or more; the workers are
simulated (`benchmarks.fleet_workers`), and tell the broker what real ones do. Half-way a tenth of them is
killed with what they have in hand, and a twentieth falls silent and reports after its leases have run out.
Printed is what was given out and recorded, how long workers waited for a match, and what a match cost each
process. In the end all that was given out is over, each match is recorded once, and the totals are those
that follow from scratch.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import redis
from sqlalchemy import func, select

from arena.core.clock import utc_now
from arena.core.terms import MatchState
from arena.store.database import Database
from arena.store.leases import ISSUED
from arena.store.models import Match, Move, Result, Tournament, User, WorkerKey, WorkerProcess
from arena.tournaments import audit, lifecycle
from benchmarks.fleet_workers import Orders, signing_key_of
from benchmarks.serving import cpu, cpu_of_postgres, valkey
from benchmarks.standings import started
from tests.postgres import PostgresServer
from workers.app import RESULTS
from workers.core.signing import read_or_make_key

PROCESSES = 2
"""The simulated workers are in so many."""
SLOTS = 8
"""Workers of a host."""
SETTLED = 0.98
"""What is measured begins when so many of the workers have been heard of, and a match's time later."""
KILLED, SILENT = 0.10, 0.05
LEASE_SECONDS, HEARTBEAT_SECONDS, REGISTER_SECONDS = 30.0, 10.0, 20.0
LATE_SECONDS = 10.0
"""So long after the last of the silent ones has spoken the tournament goes on."""
SILENCE_SECONDS = LEASE_SECONDS + 10
PATIENCE_SECONDS = 900.0
PARTS = {"coordinator": "arena.coordinator", "recorder": "arena.coordinator.recorder"}


class Moment(NamedTuple):
    """What had been done at a time, and what each process had used for it."""

    at: float
    issued: int
    recorded: int
    used: dict[str, float]


class Bench:
    """An arena without workers."""

    def __init__(self, url: str, folder: Path, stack: ExitStack, server: Path | None, hosts: int) -> None:
        self.folder, self._server = folder, server
        self.database = Database(url)
        stack.callback(self.database.close)
        self.database.migrate()
        self.cup = started(self.database)
        with self.database.transaction() as session:
            for name in (f"host-{number}" for number in range(hosts)):
                public = signing_key_of(name).public
                session.add(WorkerKey(host=name, public=public, enrolled_at=utc_now()))
        read_or_make_key(folder / "signing-key")
        self._pids = {"valkey": stack.enter_context(valkey(folder))}
        environment = os.environ | {
            "ARENA_DATA_DIR": str(folder),
            "ARENA_DATABASE_URL": url,
            "ARENA_BROKER_URL": f"redis+socket://{folder}/valkey.sock",
        }
        for name, module in PARTS.items():
            self._pids[name] = stack.enter_context(_running(module, environment, folder / f"{name}.log"))
        self._broker = redis.Redis(unix_socket_path=str(folder / "valkey.sock"))
        stack.callback(self._broker.close)

    def now(self) -> Moment:
        """What has been done so far."""
        with self.database.reading() as session:
            cup = session.get_one(Tournament, self.cup)
            attempts = session.scalar(select(func.sum(Match.attempt))) or 0
            used = {name: cpu(pid) for name, pid in self._pids.items()}
            if self._server:
                used["postgresql"] = cpu_of_postgres(self._server)
            return Moment(time.time(), attempts, cup.matches_finished, used)

    def reports(self) -> int:
        """How many reports wait for the recorder."""
        return int(self._broker.llen(RESULTS))

    def heard_of(self) -> int:
        """How many workers have said that they are there."""
        with self.database.reading() as session:
            return session.scalar(select(func.count()).select_from(WorkerProcess)) or 0

    def issued(self) -> int:
        """How many matches are given out."""
        with self.database.reading() as session:
            return session.scalar(select(func.count()).where(Match.state.in_(ISSUED))) or 0

    def pause(self) -> None:
        """Give out nothing more."""
        with self.database.transaction() as session:
            lifecycle.pause(
                session, session.scalars(select(User)).one(), session.get_one(Tournament, self.cup)
            )

    def judged(self) -> dict[str, int]:
        """Counts of what is wrong, and of what was lost and refused on the way."""
        with self.database.reading() as session:
            cup = session.get_one(Tournament, self.cup)
            games = session.scalar(select(func.count()).select_from(Result)) or 0
            plies = session.scalar(select(func.count()).select_from(Move)) or 0
            lost, refused = session.execute(select(func.sum(Match.lost), func.sum(Match.refused))).one()
            parked = session.scalar(select(func.count()).where(Match.state == MatchState.PARKED)) or 0
            return {
                "differences": len(audit.verify(session, cup)),
                "results too many": games - cup.matches_finished,
                "plies too many": plies - 3 * games,
                "lost": lost,
                "refused": refused,
                "parked": parked,
            }


@contextmanager
def _running(module: str, environment: dict[str, str], log: Path) -> Iterator[int]:
    """A process of the arena; its number."""
    command = [sys.executable, "-m", module]
    with (
        log.open("wb") as file,
        subprocess.Popen(command, env=environment, stdout=file, stderr=file) as process,
    ):
        try:
            yield process.pid
        finally:
            process.terminate()


@contextmanager
def _fleet(orders: Sequence[Orders]) -> Iterator[list[subprocess.Popen[str]]]:
    """The processes of the simulated workers."""
    command = [sys.executable, "-m", "benchmarks.fleet_workers"]
    processes = []
    for each in orders:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdin is not None
        process.stdin.write(json.dumps(each._asdict()))
        process.stdin.close()
        process.stdin = None
        processes.append(process)
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _orders(folder: Path, asked: argparse.Namespace) -> list[Orders]:
    """What each process of workers is told."""
    share = asked.workers // PROCESSES
    return [
        Orders(
            socket=str(folder / "valkey.sock"),
            first=at * share,
            workers=share,
            slots=SLOTS,
            match_seconds=asked.match_seconds,
            heartbeat_seconds=HEARTBEAT_SECONDS,
            register_seconds=REGISTER_SECONDS,
            killed=round(KILLED * share),
            silent=round(SILENT * share),
            silence_seconds=SILENCE_SECONDS,
        )
        for at in range(PROCESSES)
    ]


def measure(kind: str, url: str, folder: Path, asked: argparse.Namespace, server: Path | None) -> bool:
    """Print what becomes of a tournament; whether nothing is wrong."""
    with ExitStack() as stack:
        bench = Bench(url, folder, stack, server, -(-asked.workers // SLOTS))
        processes = stack.enter_context(_fleet(_orders(folder, asked)))
        _await(lambda: bench.heard_of() >= SETTLED * asked.workers)
        time.sleep(asked.match_seconds)
        first, most, until = bench.now(), 0, time.monotonic() + asked.seconds
        while time.monotonic() < until:
            most = max(most, bench.reports())
            time.sleep(0.5)
        last = bench.now()
        for process in processes:
            process.send_signal(signal.SIGUSR1)
        time.sleep(SILENCE_SECONDS + LATE_SECONDS)
        bench.pause()
        _await(lambda: bench.issued() == 0)
        for process in processes:
            process.terminate()
        told = [json.loads(process.communicate()[0]) for process in processes]
        seen = Counter[str]()
        for each in told:
            seen.update({what: count for what, count in each.items() if what != "waits"})
        waits = [wait for each in told for at, wait in each["waits"] if first.at <= at <= last.at]
        _print(kind, first, last, waits, asked.workers)
        judged = bench.judged()
        print(f"{kind:10} the longest queue of reports: {most}; workers: {dict(seen)}; {judged}", flush=True)
    return not (judged["differences"] or judged["results too many"] or judged["plies too many"])


def _print(kind: str, first: Moment, last: Moment, waits: Sequence[float], workers: int) -> None:
    seconds, recorded = last.at - first.at, last.recorded - first.recorded
    wait = sorted(waits) or [0.0]
    idle = sum(waits) / (workers * seconds)
    print(
        f"{kind:10} {(last.issued - first.issued) / seconds:6.1f} matches a second given out,"
        f" {recorded / seconds:6.1f} recorded; a free worker waits {1e3 * statistics.median(wait):.0f} ms,"
        f" one in 100 {1e3 * wait[int(0.99 * len(wait))]:.0f} ms; workers wait {idle:.1%} of the time"
    )
    for name in last.used:
        used = last.used[name] - first.used[name]
        each = 1e3 * used / max(recorded, 1)
        print(f"{kind:10} {name:12} {used / seconds:6.1%} of a core, {each:6.2f} ms a match")


def _await(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > until:
            raise SystemExit("what was given out does not come to an end")
        time.sleep(0.5)


def main() -> int:
    """Print what both databases do; 1 if something is wrong in the end."""
    parser = argparse.ArgumentParser(prog="benchmarks.fleet")
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--workers", type=int, default=1_000)
    parser.add_argument("--match-seconds", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=40.0, help="how long is measured, before the losses")
    asked, well = parser.parse_args(), []
    if asked.only != "postgresql":
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            well.append(measure("sqlite", f"sqlite:///{folder}/arena.sqlite3", Path(folder), asked, None))
    if asked.only != "sqlite":
        server = PostgresServer(("listen_addresses=",))
        try:
            with tempfile.TemporaryDirectory(prefix="arena-") as folder:
                url = server.empty().replace("postgresql://", "postgresql+psycopg://")
                well.append(measure("postgresql", url, Path(folder), asked, server.folder))
        finally:
            server.close()
    return int(not all(well))


if __name__ == "__main__":
    sys.exit(main())
