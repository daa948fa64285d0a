"""What happens to arenas: each does it to a stage, mends what does not mend itself, and returns.

Seconds that something lasts are longer than a lease, so that what was given out is given out again.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from random import Random
from typing import Any

import psutil
from sqlalchemy import create_engine, text

from tests.acceptance.conftest import IMPATIENT, eventually, processes_of
from tests.chaos.brokers import Broker
from tests.chaos.stages import Stage
from workers.app import RECORD, RESULTS

LEASE_SECONDS = sum(float(IMPATIENT[f"ARENA_{each}_SECONDS"]) for each in ("LEASE", "PICKUP"))
LASTS_SECONDS = LEASE_SECONDS + 1
SHORTLY_SECONDS = 2.0
WITHOUT_LEASES = ("api", "courier")
"""However long they stand still, nothing is given out again for that."""
BROKER_GONE_SECONDS, DATABASE_GONE_SECONDS = 60.0, 30.0
FULL_BYTES = 1_000_000
PARTS = ("api", "coordinator", "recorder", "courier", "worker-1")

CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database()
"""

Fault = Callable[[Stage], None]


def killed(stage: Stage, part: str) -> None:
    """A process is killed."""
    stage.arena.kill(part)


def ended(stage: Stage, part: str) -> None:
    """A process is asked to end."""
    stage.arena.kill(part, signal.SIGTERM)


def halted(stage: Stage, part: str) -> None:
    """A process stands still, for longer than a lease if it has to do with any, and then just goes on."""
    pid = stage.arena.child(part).pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(SHORTLY_SECONDS if part in WITHOUT_LEASES else LASTS_SECONDS)
    finally:
        with suppress(ProcessLookupError):  # it may have been taken for dead and replaced
            os.kill(pid, signal.SIGCONT)


def stopped(stage: Stage) -> None:
    """The arena is stopped and started."""
    stage.arena.down()
    stage.arena.up(stage.workers)


def unsupervised(stage: Stage) -> None:
    """The supervisor is killed, and the arena is started again."""
    stage.arena.kill_supervisor()
    stage.arena.up(stage.workers)


def power_lost(stage: Stage) -> None:
    """Every process of the arena is killed at once, and the arena is started again."""
    folder = stage.arena.folder.root
    while found := processes_of(folder):
        for process in found:
            with suppress(psutil.NoSuchProcess):
                process.kill()
    stage.arena.up(stage.workers)


def broker_gone(stage: Stage) -> None:
    """The broker is killed and is away for a minute, in which the pages show the standings."""
    broker = _broker(stage)
    broker.kill()
    stage.is_shown(BROKER_GONE_SECONDS, {200})
    broker.start()


def broker_lost(stage: Stage) -> None:
    """The broker is killed and away for a minute; then another one is in its place, which knows nothing."""
    broker = _broker(stage)
    broker.kill()
    stage.is_shown(BROKER_GONE_SECONDS, {200})
    broker.forget()
    broker.start()


def broker_replaced(stage: Stage) -> None:
    """The broker is killed, and at once another one is in its place, which knows nothing."""
    broker = _broker(stage)
    broker.kill()
    broker.forget()
    broker.start()


def broker_restarted(stage: Stage) -> None:
    """The broker is killed and started at once."""
    broker = _broker(stage)
    broker.kill()
    broker.start()


def broker_emptied(stage: Stage) -> None:
    """The broker forgets everything."""
    _broker(stage).ask("FLUSHALL")


def broker_full(stage: Stage) -> None:
    """The broker takes nothing that needs room."""
    broker = _broker(stage)
    broker.ask("CONFIG", "SET", "maxmemory", FULL_BYTES)
    time.sleep(LASTS_SECONDS)
    broker.ask("CONFIG", "SET", "maxmemory", 0)


def broker_cut(stage: Stage) -> None:
    """All connections to the broker are cut."""
    for kind in ("normal", "pubsub"):
        _broker(stage).ask("CLIENT", "KILL", "TYPE", kind)


def reports_repeated(stage: Stage) -> None:
    """What waits for the recorder comes twice."""
    broker = _broker(stage)
    with _recorder_halted(stage):
        eventually(lambda: broker.ask("LLEN", RESULTS) or stage.is_over())
        for report in broker.ask("LRANGE", RESULTS, 0, -1):
            broker.ask("LPUSH", RESULTS, report)


def reports_late(stage: Stage) -> None:
    """A result stays away until its match has been played again, then comes, and is refused and counted."""
    broker, before = _broker(stage), _refused(stage)
    while not _played_again(stage, late := _withheld(stage)):
        stage.goes_on()
    for report in late:
        broker.ask("LPUSH", RESULTS, report)
    eventually(lambda: _refused(stage) > before)


def _played_again(stage: Stage, reports: list[bytes]) -> bool:
    """Wait until the matches that these are of are over; whether one is by another attempt's report.

    What the recorder had read already when it was halted it records all the same.
    """
    theirs = _matches_of(stage, reports)
    ids = ", ".join(map(str, theirs)) or "NULL"
    open_ones = f"SELECT count(*) FROM matches WHERE id IN ({ids}) AND state <> 'finished'"  # noqa: S608
    eventually(lambda: not _ask(stage, open_ones))
    return _matches_of(stage, reports) < theirs


def database_restarted(stage: Stage) -> None:
    """The database is killed in the midst of what it does, and started at once."""
    assert stage.database is not None
    stage.database.stop()
    stage.database.start()


def database_gone(stage: Stage) -> None:
    """The database is killed and is away for half a minute; pages show the standings or say so."""
    assert stage.database is not None
    stage.database.stop()
    stage.is_shown(DATABASE_GONE_SECONDS, {200, 503})
    stage.database.start()


def database_cut(stage: Stage) -> None:
    """All connections to the database are cut."""
    _ask(stage, CUT)


def database_locked(stage: Stage) -> None:
    """Another program has SQLite's lock."""
    file = stage.arena.folder.root / "arena.sqlite3"
    with closing(sqlite3.connect(file, timeout=600, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(LASTS_SECONDS)
        connection.execute("ROLLBACK")


def disk_full(stage: Stage) -> None:
    """There is no room left on the disk."""
    ballast = stage.arena.folder.root / "ballast"
    until = time.monotonic() + LASTS_SECONDS
    with ballast.open("ab", buffering=0) as file:
        while time.monotonic() < until:
            with suppress(OSError):
                file.write(bytes(4096))
                continue
            time.sleep(0.1)
    ballast.unlink()


def network_cut(stage: Stage) -> None:
    """Nothing passes between a host and the broker, and nobody is told."""
    assert stage.cable is not None
    stage.cable.cut()
    time.sleep(LASTS_SECONDS)
    stage.cable.mend()


COMMON: dict[str, Fault] = {
    **{f"{part} killed": partial(killed, part=part) for part in PARTS},
    **{f"{part} ended": partial(ended, part=part) for part in PARTS},
    **{f"{part} halted": partial(halted, part=part) for part in PARTS},
    "arena stopped": stopped,
    "supervisor killed": unsupervised,
    "power lost": power_lost,
}
EMBEDDED: dict[str, Fault] = {
    **{
        f"valkey {word}": partial(how, part="valkey")
        for word, how in (("killed", killed), ("halted", halted))
    },
    "database locked": database_locked,
    "disk full": disk_full,
}
SERVICES: dict[str, Fault] = {
    **{f"{part} killed": partial(killed, part=part) for part in ("coordinator", "recorder", "worker-1")},
    "broker gone": broker_gone,
    "broker lost": broker_lost,
    "broker restarted": broker_restarted,
    "broker replaced": broker_replaced,
    "broker emptied": broker_emptied,
    "broker full": broker_full,
    "broker cut": broker_cut,
    "reports repeated": reports_repeated,
    "reports late": reports_late,
    "database restarted": database_restarted,
    "database gone": database_gone,
    "database cut": database_cut,
    "network cut": network_cut,
}
FAULTS = {
    "embedded": COMMON | EMBEDDED,
    "services": SERVICES,
}
"""What happens to each setup; to that on services what has to do with them, the rest to the other."""


def schedule(names: Iterable[str], seed: int) -> list[str]:
    """These faults in an order that the seed decides."""
    order = list(names)
    Random(seed).shuffle(order)
    return order


def _withheld(stage: Stage) -> list[bytes]:
    """Results, of one match or more, that were taken from the queue before the recorder saw them."""
    broker, taken = _broker(stage), list[bytes]()

    def are_taken() -> bool:
        waiting = (each for each in broker.ask("LRANGE", RESULTS, 0, -1) if RECORD.encode() in each)
        taken.extend(each for each in waiting if broker.ask("LREM", RESULTS, 1, each))
        return bool(taken) or stage.is_over()

    with _recorder_halted(stage):
        eventually(are_taken)
    return taken


def _matches_of(stage: Stage, reports: list[bytes]) -> set[int]:
    """The matches whose last attempts these are of."""
    told = [json.loads(b64decode(json.loads(report)["body"]))[1] for report in reports]
    tokens = ", ".join(f"'{each['token']}'" for each in told) or "NULL"
    return set(_ask(stage, f"SELECT array_agg(id) FROM matches WHERE token IN ({tokens})") or ())  # noqa: S608


@contextmanager
def _recorder_halted(stage: Stage) -> Iterator[None]:
    recorder = stage.arena.child("recorder").pid
    assert recorder is not None
    os.kill(recorder, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(recorder, signal.SIGCONT)


def _refused(stage: Stage) -> int:
    """How many reports of matches were refused."""
    return int(_ask(stage, "SELECT sum(refused) FROM matches"))


def _ask(stage: Stage, words: str) -> Any:
    """The first value of what PostgreSQL answers."""
    engine = create_engine(stage.arena.database_url.replace("postgresql:", "postgresql+psycopg:", 1))
    with closing(engine.connect()) as connection:
        answer = connection.execute(text(words)).scalar()
    engine.dispose()
    return answer


def _broker(stage: Stage) -> Broker:
    assert stage.broker is not None
    return stage.broker
