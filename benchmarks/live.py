"""How many of the shortest matches a live arena plays: `python -m benchmarks.live [--seconds S]`.

An arena with two workers is started in a temporary folder, and bots in Python play heap Nim 1, 1, 1 against
each other. Each tournament is looked at for a while after its first matches: once with processes that begin
anew for each match, and once with such that are kept (`reuse`). Printed are matches a second, and the
processor time that each kind of process uses for a match, with the bots and the bubblewrap around them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from arena.client.http import ArenaClient
from arena.core.folder import DataFolder
from arena.core.running import read_state
from arena.core.terms import MatchState
from arena.supervisor.launch import free_port, start, stop
from tests.postgres import PostgresServer

WORKERS = 2
BOTS = 12
CYCLES = 20
GAMES = CYCLES * BOTS * (BOTS - 1) // 2
FIRST = 30
"""Matches that are not counted: the first ones build bots and fill caches."""
LAST = 50
"""Nor are the last ones, for which not all are busy."""
LEAST = 60
"""So many matches a second are to be played where processes are kept."""
DATABASE = "ARENA_DATABASE_URL"
BOT = b"""
from arena_bot import run


class FirstMove:
    reusable = True

    def choose(self, request):
        return request.legal[0]


run(FirstMove())
"""


class Cost(NamedTuple):
    """What a tournament came to: matches a second, and milliseconds of processor for each by process."""

    rate: float
    cpu_ms: dict[str, float]


@contextmanager
def running_arena(database: str | None) -> Iterator[tuple[ArenaClient, DataFolder]]:
    """An arena with its workers, in a folder that is removed at the end."""
    if database:
        os.environ[DATABASE] = database
    try:
        with tempfile.TemporaryDirectory(prefix="arena-bench-") as root:
            folder = DataFolder.at(Path(root) / "arena")
            state = start(folder, "127.0.0.1", free_port("127.0.0.1"), WORKERS, lambda _: None)
            try:
                with ArenaClient(state.url, folder.admin_token.read_text().strip()) as client:
                    yield client, folder
            finally:
                stop(folder)
    finally:
        os.environ.pop(DATABASE, None)


def submit(client: ArenaClient) -> None:
    """Hand in the bots, and wait until all have passed their checks."""
    for number in range(BOTS):
        client.submit(f"bot-{number}", "main.py", BOT, games=["heap_nim"])
    for number in range(BOTS):
        assert client.await_check(f"bot-{number}", 1).state == "passed"


def play(client: ArenaClient, folder: DataFolder, seconds: float, *, reuse: bool) -> Cost:
    """Play a tournament for so long, and call it off."""
    name = "kept" if reuse else "anew"
    plan: dict[str, Any] = {
        "name": name,
        "game": "heap_nim",
        "params": {"heaps": [1, 1, 1]},
        "format": "round_robin",
        "options": {"cycles": CYCLES},
        "reuse": reuse,
    }
    client.create_tournament(plan)
    client.change(name, "open")
    for number in range(BOTS):
        client.enter(name, f"bot-{number}")
    client.change(name, "start")
    while _finished(client, name) < FIRST:
        time.sleep(0.1)
    began, played, used = time.monotonic(), _finished(client, name), _used(folder)
    while time.monotonic() - began < seconds and _finished(client, name) < GAMES - LAST:
        time.sleep(0.2)
    took, played = time.monotonic() - began, _finished(client, name) - played
    spent = _used(folder)
    client.change(name, "cancel")
    return Cost(played / took, {kind: 1e3 * (spent[kind] - used[kind]) / played for kind in spent})


def _finished(client: ArenaClient, name: str) -> int:
    return client.tournament(name).matches.get(MatchState.FINISHED, 0)


def _used(folder: DataFolder) -> dict[str, float]:
    """The seconds that each kind of process has computed; `bots` is all that the workers have started."""
    state = read_state(folder)
    assert state is not None
    used: Counter[str] = Counter()
    for child in state.children:
        if child.pid is None:
            continue
        process = psutil.Process(child.pid)
        times = process.cpu_times()
        kind = child.name.partition("-")[0]
        used[kind] += times.user + times.system
        used["bots"] += times.children_user + times.children_system
        used["bots"] += sum(map(_time_of, process.children(recursive=True)))
    return dict(used)


def _time_of(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system + times.children_user + times.children_system)


def measure(kind: str, database: str | None, seconds: float) -> bool:
    """Print what an arena on that database does; whether it is enough."""
    with running_arena(database) as (client, folder):
        submit(client)
        costs = {reuse: play(client, folder, seconds, reuse=reuse) for reuse in (False, True)}
    for reuse, cost in costs.items():
        parts = ", ".join(f"{name} {ms:.1f}" for name, ms in sorted(cost.cpu_ms.items()))
        how = "kept processes" if reuse else "new processes"
        print(f"{kind:10} {how}: {cost.rate:5.1f} matches a second; ms of processor each: {parts}")
    return costs[True].rate >= LEAST


def main() -> int:
    """Measure both databases; 1 if too little is played on one of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=20, help="how long each tournament is looked at")
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="one database")
    options = parser.parse_args()
    enough = []
    if options.only != "postgresql":
        enough.append(measure("sqlite", None, options.seconds))
    if options.only != "sqlite":
        server = PostgresServer(("listen_addresses=",))
        try:
            url = server.empty().replace("postgresql://", "postgresql+psycopg://")
            enough.append(measure("postgresql", url, options.seconds))
        finally:
            server.close()
    return int(not all(enough))


if __name__ == "__main__":
    sys.exit(main())
