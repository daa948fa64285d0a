"""What every answer, page, look of the coordinator and result costs after 10,000 matches and after 1,000,000.

    python -m benchmarks.growth                    SQLite and PostgreSQL; --only sqlite, --matches 100000

Two arenas with the same bots and the same two tournaments stand beside each other. In one the history is
long: half of it is in one of these tournaments, whose bots have met again and again, half in tournaments
beside them. Both are asked for the same in turns: every GET of the API's document, of each of the two
tournaments, and every page; each time at a revision that nobody has asked for. Costs are medians of processor
time, the arena's and that of PostgreSQL's processes. Answers that differ in size are shown, and not judged.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from fastapi import FastAPI
from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session
from starlette.routing import Route

from arena.coordinator import leases, matches
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.loop import Coordinator
from arena.coordinator.messages import Message
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import Role
from arena.experiments import lifecycle as experiments
from arena.people import users
from arena.schemas.plans import ExperimentPlan, TournamentPlan
from arena.store.database import Database
from arena.store.models import Bot, BotVersion, Check, Tournament, User
from arena.submissions import hosts
from arena.tournaments import audit, lifecycle
from arena.web import pages
from arena.web.app import PREFIX, create_app
from benchmarks import history
from benchmarks.serving import cpu_of_postgres
from benchmarks.standings import version
from tests.integration.arena.world import play
from tests.memory_broker import MemoryBroker
from tests.postgres import PostgresServer
from workers.programs.archive_store import ArchiveStore

SHORT, LONG = 10_000, 1_000_000
BOTS, SMALL_BOTS = 40, 16
LEFT = 600
"""Matches of the two tournaments that are not played yet."""
BATCH = 50
"""Results that are recorded at once."""
LIMIT = 1.5
"""Nothing may cost so many times as much with the longer history."""
FLOOR_SECONDS = 0.0005
"""What costs less is not judged: the clock and the caches of the processor say more about it."""
ROUNDS, SLOW_SECONDS = 5, 1.0
SAME = 1.1
"""Answers whose sizes differ by no more than that are of the same size."""

SERVER = ("listen_addresses=", "max_parallel_workers_per_gather=0", "autovacuum=off")
"""Everything that a question costs is done by the process that answers it."""

PLACES = (
    ("/games/{name}", "/games/heap_nim"),
    ("/bots/{name}", "/bots/bot-1"),
    ("/versions/{number}", "/versions/1"),
    ("/tournaments/{name}/estimate", "/tournaments/next/estimate"),
    ("/tournaments/{name}", "/tournaments/{cup}"),
    ("/bots/{bot}", "/bots/bot-1"),
    ("/matches/{number}", "/matches/7"),
    ("/experiments/{number}", "/experiments/1"),
    ("/problems/{code}", "/problems/conflict"),
)
"""What stands in the paths for what they ask for."""
QUESTIONS = {
    "/head-to-head": ("one=bot-1&other=bot-2",),
    "/matches": ("", "limit=50&offset=1300", "bot=bot-1", "state=finished", "state=pending"),
    "/ratings/history": ("", "kind=online"),
    "/export": ("format=csv", "format=jsonl"),
    "/tournaments": ("limit=5",),
}
"""What is asked for at the paths with these ends; elsewhere nothing more."""
ALL_TOURNAMENTS = ("/ratings",)
"""What counts all tournaments of all games by its nature: not asked for."""
FROM_SCRATCH = ("/verification", "/export")
"""What goes through all games of its tournament by its nature; only of the one that is as long in both."""


class Figure(NamedTuple):
    """What something cost with either history, in seconds, and the bytes of its answers."""

    seconds: tuple[float, float]
    sizes: tuple[int, int]

    @property
    def judged(self) -> bool:
        """Whether it is compared: answers of equal size, and more than nothing."""
        return max(self.sizes) <= SAME * min(self.sizes) and max(self.seconds) > FLOOR_SECONDS

    @property
    def ratio(self) -> float:
        """How many times as much the long history makes it cost."""
        return self.seconds[1] / max(self.seconds[0], 1e-9)


class Side:
    """An arena with a history of so many matches."""

    def __init__(self, url: str, folder: Path, many: int, servers: Callable[[], float]) -> None:
        self._servers = servers
        self.database = Database(url)
        self.database.migrate()
        self.settings = Settings(data_dir=folder, database_url=url, host_seconds=86_400, window=BATCH)
        self.broker = MemoryBroker()
        self._staff, self._token = self._people()
        self._played("small", SMALL_BOTS, 0)
        self._played("probe", BOTS, LEFT)
        self._played("long", BOTS, LEFT)
        with self.database.transaction() as session:
            self._open(session, "next", BOTS)
        self._grow(many)
        self.app = create_app(self.settings, self.broker)
        self.app.state.services = replace(self.app.state.services, costly=None)  # so that all is counted
        self.client = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=self.app),
            base_url="http://arena",
            headers={"Authorization": f"Bearer {self._token}"},
            timeout=None,
        )
        self._coordinator = Coordinator(self.database, self.broker, self.settings)

    def _people(self) -> tuple[int, str]:
        store = ArchiveStore(self.settings.archive_url)
        with self.database.transaction() as session:
            staff, token = users.create_user(session, "staff", Role.ADMIN)
            hosts.register(session, "bench", {"python": "Python 3.11"}, 1.0)
            now = utc_now()
            numbers = range(1, BOTS + 1)
            told = [
                {"id": at, "owner_id": staff.id, "name": f"bot-{at}", "created_at": now} for at in numbers
            ]
            session.execute(insert(Bot), told)
            session.execute(insert(BotVersion), [version(at) | {"created_at": now} for at in numbers])
            first = session.get_one(BotVersion, 1)
            first.archive = store.put(b"a zip")
            check = {"version_id": 1, "state": "finished", "needs": "python", "created_at": now}
            session.execute(insert(Check), check)
        with self.database.transaction() as session:
            staff = session.get_one(User, staff.id)
            plan = {"game": "heap_nim", "params": {"heaps": [3, 4, 5]}, "games": 10}
            plan |= {"first": "random", "second": "random"}
            experiment = experiments.create(session, staff, ExperimentPlan.model_validate(plan))
            experiments.cancel(session, staff, experiment)
        return staff.id, token

    def _open(self, session: Session, name: str, bots: int) -> Tournament:
        """A tournament of the first so many bots."""
        told = {"name": name, "game": "heap_nim", "params": {"heaps": [1, 2, 2]}, "format": "round_robin"}
        plan = TournamentPlan.model_validate(told | {"openings": 1, "opening_plies": 1, "seed": 1})
        staff = session.get_one(User, self._staff)
        cup = lifecycle.create(session, staff, plan)
        for bot in session.scalars(select(Bot).where(Bot.id <= bots).order_by(Bot.id)):
            lifecycle.enter(session, staff, cup, bot)
        lifecycle.open_(session, staff, cup)
        return cup

    def _played(self, name: str, bots: int, left: int) -> None:
        """A tournament of the first so many bots, of whose matches so many are not played."""
        with self.database.transaction() as session:
            cup = self._open(session, name, bots)
            lifecycle.start(session, session.get_one(User, self._staff), cup)
            games = cup.matches_total - left
            assert cup.all_paired
        while games:
            settings = self.settings.model_copy(update={"window": min(games, 250)})
            with self.database.transaction() as session:
                messages = leases.issue(matches.WORK, session, settings)
            self._report(leases.record, [_result(message) for message in messages])
            games -= len(messages)
        if left:
            with self.database.transaction() as session:
                lifecycle.pause(session, session.get_one(User, self._staff), lifecycle.get(session, name))
        else:
            Coordinator(self.database, self.broker, self.settings).tick()

    def _grow(self, many: int) -> None:
        """Make the history so long, with true rows, and let both tournaments go on."""
        ids = {}
        with self.database.transaction() as session:
            for name in ("small", "probe", "long"):
                cup = lifecycle.get(session, name)
                ids[name] = cup.id, cup.matches_finished
        history.prolong(self.database, ids["long"][0], many // 2 // ids["long"][1])
        history.copy(self.database, ids["small"][0], (many // 2 - ids["probe"][1]) // ids["small"][1])
        with self.database.transaction() as session:
            staff = session.get_one(User, self._staff)
            for name in ("small", "probe", "long"):
                cup = lifecycle.get(session, name)
                assert audit.verify(session, cup) == [], name
                if name != "small":
                    lifecycle.resume(session, staff, cup)

    def _report(self, step: leases.Step, reports: Sequence[tuple[Attempt, dict[str, Any]]]) -> None:
        with self.database.transaction() as session:
            verdicts = leases.take_in(step, matches.WORK, session, reports, self.settings)
        assert set(verdicts) == {Verdict.TAKEN}

    def count(self) -> int:
        """How many matches are recorded."""
        with self.database.reading() as session:
            return session.scalar(select(func.sum(Tournament.matches_finished))) or 0

    def renew(self) -> None:
        """Make new revisions of the two tournaments, of which nobody was told anything."""
        with self.database.transaction() as session:
            session.execute(
                update(Tournament)
                .where(Tournament.name.in_(("probe", "long")))
                .values(revision=Tournament.revision + 1)
            )

    def used(self) -> float:
        """The seconds that this process and the database's have computed."""
        return time.process_time() + self._servers()

    def timed(self, work: Callable[[], object]) -> float:
        """The processor time of some work."""
        before = self.used()
        work()
        return self.used() - before

    def tick(self) -> None:
        """One look of the coordinator."""
        self._coordinator.tick()

    def take(self) -> list[Message]:
        """What the coordinator has given out, which is being played from now on."""
        taken, self.broker.queue[:] = list(self.broker.queue), []
        self._report(leases.heartbeat, [(_about(each), {"host": "bench"}) for each in taken])
        return taken

    def record(self, messages: Sequence[Message]) -> None:
        """Take in that many results at once."""
        self._report(leases.record, [_result(message) for message in messages])

    def close(self) -> None:
        """End all connections."""
        self.app.state.services.database.close()
        self.database.close()


def _about(message: Message) -> Attempt:
    return Attempt((int(message.spec.match),), message.attempt, message.token)


def _result(message: Message) -> tuple[Attempt, dict[str, Any]]:
    """What is reported of a match, in every twentieth of which the first seat crashes."""
    fails = int(message.spec.match) % 20 == 0
    result = play(message.spec, forfeits=[0] if fails else [])
    return _about(message), {"report": result.model_dump(mode="json")}


def paths(app: FastAPI) -> Iterator[str]:
    """Whatever can be asked for: of the API's document, and the pages."""
    yield from (path for path, operations in app.openapi()["paths"].items() if "get" in operations)
    yield from (route.path for router in pages.ROUTERS for route in router.routes if isinstance(route, Route))


def _filled(path: str) -> Iterator[str]:
    """The addresses for a path: of both tournaments, and with each question."""
    if path in ALL_TOURNAMENTS:
        return
    for words, place in PLACES:
        path = path.replace(words, place)
    bare = path.removeprefix(PREFIX).replace("/tournaments/{cup}", "")
    wanted = next((asked for end, asked in QUESTIONS.items() if bare == end), ("",))
    scratch = path.endswith(FROM_SCRATCH)
    for cup in ("probe", "long") if "{cup}" in path and not scratch else ("probe",):
        filled = path.replace("{cup}", cup)
        if "{" in filled:
            raise SystemExit(f"{filled}: say in PLACES what to ask for there")
        yield from (f"{filled}?{asked}".rstrip("?") for asked in wanted)


async def read(sides: tuple[Side, Side], path: str) -> Figure:
    """What an answer costs in both, asked for in turns."""
    seconds: tuple[list[float], list[float]] = [], []
    sizes = [0, 0]
    for turn in range(ROUNDS + 1):
        for at, side in enumerate(sides):
            side.renew()
            before = side.used()
            answer = await side.client.get(path)
            took = side.used() - before
            if answer.status_code != 200:
                raise SystemExit(f"{path}: {answer.status_code} {answer.text[:300]}")
            sizes[at] = len(answer.content)
            if turn or took > SLOW_SECONDS:
                seconds[at].append(took)
        if turn and max(map(max, seconds)) > SLOW_SECONDS:
            break
    return Figure((statistics.median(seconds[0]), statistics.median(seconds[1])), (sizes[0], sizes[1]))


def worked(sides: tuple[Side, Side]) -> dict[str, Figure]:
    """What it costs to give out matches, to look at them, and to record them."""
    costs: dict[str, tuple[list[float], list[float]]] = {}

    def told(what: str, at: int, seconds: float) -> None:
        costs.setdefault(what, ([], []))[at].append(seconds)

    for _ in range(ROUNDS):
        for at, side in enumerate(sides):
            told(f"look that gives out {BATCH}", at, side.timed(side.tick))
            told("look with nothing to do", at, side.timed(side.tick))
            messages = side.take()
            told(f"recording of {BATCH}", at, side.timed(partial(side.record, messages)))
    return {
        what: Figure((statistics.median(short), statistics.median(long)), (1, 1))
        for what, (short, long) in costs.items()
    }


async def compared(sides: tuple[Side, Side]) -> dict[str, Figure]:
    """What everything costs in both."""
    asked = [address for path in paths(sides[0].app) for address in _filled(path)]
    return {address: await read(sides, address) for address in asked} | worked(sides)


def measure(kind: str, urls: tuple[str, str], many: int, servers: Callable[[], float]) -> bool:
    """Print what a database does; whether nothing grows."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        sides = []
        for url, count in zip(urls, (SHORT, many), strict=True):
            began, place = time.perf_counter(), Path(folder, str(count))
            place.mkdir()
            sides.append(Side(url.format(folder=place), place, count, servers))
            took = time.perf_counter() - began
            print(f"{kind}: {sides[-1].count():,} matches within {took:.0f} s", flush=True)
        figures = asyncio.run(compared((sides[0], sides[1])))
        for side in sides:
            side.close()
    for what, figure in sorted(figures.items(), key=lambda item: -item[1].ratio):
        short, long = (1e3 * each for each in figure.seconds)
        sizes = "" if figure.judged else f" (not judged: {figure.sizes[0]:,} and {figure.sizes[1]:,} bytes)"
        mark = "GROWS" if figure.judged and figure.ratio > LIMIT else ""
        print(f"{kind:10} {short:9.2f} ms {long:9.2f} ms {figure.ratio:7.2f} times {mark:5} {what}{sizes}")
    return all(figure.ratio <= LIMIT for figure in figures.values() if figure.judged)


def main() -> int:
    """Print the figures of both databases; 1 if something grows."""
    parser = argparse.ArgumentParser(prog="benchmarks.growth", description=__doc__)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--matches", type=int, default=LONG)
    asked, well = parser.parse_args(), []
    if asked.only != "postgresql":
        url = "sqlite:///{folder}/arena.sqlite3"
        well.append(measure("sqlite", (url, url), asked.matches, lambda: 0.0))
    if asked.only != "sqlite":
        server = PostgresServer(SERVER)
        try:
            urls = [server.empty().replace("postgresql://", "postgresql+psycopg://") for _ in range(2)]
            well.append(
                measure(
                    "postgresql", (urls[0], urls[1]), asked.matches, partial(cpu_of_postgres, server.folder)
                )
            )
        finally:
            server.close()
    return int(not all(well))


if __name__ == "__main__":
    sys.exit(main())
