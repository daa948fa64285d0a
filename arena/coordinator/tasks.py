"""The recorder: Celery tasks that take in what workers report, each in one transaction.

Run it with ``celery -A arena.coordinator.tasks worker -Q results,tallies -P solo``. A report may say
anything: what cannot be read is logged and counted, and changes nothing.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from typing import Annotated, Any, TypeVar

import redis
import structlog
from celery.signals import worker_init
from pydantic import Field, StringConstraints, ValidationError
from sqlalchemy.exc import DBAPIError

from arena.coordinator import checks, chunks, leases, matches
from arena.coordinator.leases import AnyWork, Attempt, Verdict
from arena.core.settings import get_settings
from arena.store.database import Database
from arena.store.failures import failure_of
from arena.store.startup import begin
from arena.submissions import hosts
from workers.app import (
    CHECK_HEARTBEAT,
    CHECK_LOST,
    CHECKED,
    CHUNK,
    CHUNK_HEARTBEAT,
    CHUNK_LOST,
    HEARTBEAT,
    HOST,
    LOST,
    RECORD,
    create_app,
)
from workers.core.configuration import or_exit
from workers.core.contract import Frozen
from workers.core.logs import configure_logs
from workers.host.refusals import Refusals
from workers.host.serving import KINDS
from workers.simulation.contract import MAX_GAMES

SIGNS_OF_LIFE = {HEARTBEAT, CHECK_HEARTBEAT, CHUNK_HEARTBEAT}
PATIENCE_SECONDS = 600.0
PAUSE_SECONDS = 1.0

log = structlog.get_logger()
app = create_app("arena", or_exit(get_settings).broker_url)
_malformed = count(1)


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _begin(**_: Any) -> None:
    configure_logs()
    begin()


Number = Annotated[int, Field(gt=0, lt=2**31)]


Plain = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]


class HostReport(Frozen):
    """What a worker host says of itself: its languages with the versions of their tools, and its speed.

    `process` is which of its processes says it, `takes` the kinds of work that it takes, and `cores` how many
    cores the host's matches may have.
    """

    host: Plain
    languages: Annotated[dict[Plain, Plain], Field(max_length=100)]
    speed: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    cores: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    process: Plain | None = None
    takes: Annotated[tuple[Plain, ...], Field(max_length=10)] = KINDS


class Report(Frozen):
    """What every message from a worker says about itself, besides what it is about."""

    attempt: Number
    token: str
    host: str = ""

    @property
    @abstractmethod
    def about(self) -> tuple[int, ...]:
        """The key of the row that it is about."""

    @property
    def told(self) -> dict[str, Any]:
        """What the engine is told by it; by a sign of life, whose it is."""
        return {"host": self.host}


class LostReport(Report):
    """Work could not be done; `stopped` where its worker was told to stop."""

    trouble: str
    stopped: bool = False

    @property
    def told(self) -> dict[str, Any]:
        """Whose trouble it is, and which."""
        return {"host": self.host, "trouble": self.trouble, "stopped": self.stopped}


class MatchReport(Report):
    """Word of a match."""

    match: Number

    @property
    def about(self) -> tuple[int, ...]:
        """The match's id."""
        return (self.match,)


class ResultReport(MatchReport):
    """A match was played."""

    result: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What the match is to be recorded by."""
        return {"report": self.result}


class LostMatchReport(LostReport, MatchReport):
    """A match could not be played."""


class CheckingReport(Report):
    """Word of a submission check."""

    check: Number

    @property
    def about(self) -> tuple[int, ...]:
        """The id of the version that is checked."""
        return (self.check,)


class VerdictReport(CheckingReport):
    """A check was done."""

    report: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What the check is to be recorded by."""
        return {"report": self.report}


class LostCheckReport(LostReport, CheckingReport):
    """A check could not be done."""


class ChunkReport(Report):
    """Word of a chunk of an experiment."""

    experiment: Number
    start: Annotated[int, Field(ge=0, lt=MAX_GAMES)]

    @property
    def about(self) -> tuple[int, ...]:
        """The experiment's id and the chunk's first game."""
        return self.experiment, self.start


class TallyReport(ChunkReport):
    """A chunk was played, in `elapsed_ns`."""

    blocks: list[dict[str, Any]]
    elapsed_ns: Annotated[int, Field(ge=0)]

    @property
    def told(self) -> dict[str, Any]:
        """What the chunk is to be recorded by."""
        return {"report": {"blocks": self.blocks, "elapsed_ns": self.elapsed_ns}}


class LostChunkReport(LostReport, ChunkReport):
    """A chunk could not be played."""


R = TypeVar("R", bound=Frozen)
Step = Callable[..., Verdict]

TASKS: tuple[tuple[str, AnyWork, Step, type[Report]], ...] = (
    (HEARTBEAT, matches.WORK, leases.heartbeat, MatchReport),
    (RECORD, matches.WORK, leases.record, ResultReport),
    (LOST, matches.WORK, leases.lost, LostMatchReport),
    (CHECK_HEARTBEAT, checks.WORK, leases.heartbeat, CheckingReport),
    (CHECKED, checks.WORK, leases.record, VerdictReport),
    (CHECK_LOST, checks.WORK, leases.lost, LostCheckReport),
    (CHUNK_HEARTBEAT, chunks.WORK, leases.heartbeat, ChunkReport),
    (CHUNK, chunks.WORK, leases.record, TallyReport),
    (CHUNK_LOST, chunks.WORK, leases.lost, LostChunkReport),
)
"""All that is reported on work: the task's name, the kind of work, the engine's step, and the message."""


def _register(name: str, work: AnyWork, step: Step, message_type: type[Report]) -> None:
    def take_in(*_: Any, **message: Any) -> None:
        report = _read(message_type, message)
        if report:
            _take(name, report, partial(step, work))

    app.task(take_in, name=name)


for _row in TASKS:
    _register(*_row)


@app.task(name=HOST)  # type: ignore[untyped-decorator]  # Celery ships no types
def host(*_: Any, **message: Any) -> None:
    """Take in what a worker host says that it can run."""
    report = _read(HostReport, message)
    if report:
        with _database().transaction() as session:
            hosts.register(
                session,
                report.host,
                report.languages,
                report.speed,
                cores=report.cores,
                process=report.process,
                takes=report.takes,
            )


def _read(kind: type[R], message: dict[str, Any]) -> R | None:
    try:
        return kind.model_validate(message)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        log.warning("malformed report", report=kind.__name__, wrong=wrong, so_far=next(_malformed))
        return None


def _take(kind: str, report: Report, step: Step) -> None:
    """Run one step as a transaction; while the database is away, wait for it."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    about = Attempt(report.about, report.attempt, report.token)
    while True:
        try:
            with _database().transaction() as session:
                verdict = step(session, about, **report.told, settings=get_settings())
        except DBAPIError as error:
            if failure_of(error) is None or time.monotonic() > give_up:
                raise
            log.warning("waiting for the database", report=kind, about=report.about, error=str(error))
            time.sleep(PAUSE_SECONDS)
        else:
            told = {"about": report.about, "attempt": report.attempt, "host": report.host}
            log.info(kind, **told, verdict=str(verdict))
            if kind in SIGNS_OF_LIFE and verdict in {Verdict.REFUSED, Verdict.UNKNOWN}:
                _refuse(report.token)
            return


def _refuse(token: str) -> None:
    """Let the worker know that it works for nothing; if that fails, its next sign of life brings it here."""
    try:
        _refusals().refuse(token)
    except redis.RedisError as error:
        log.warning("a worker could not be told", error=str(error))


@cache
def _refusals() -> Refusals:
    return Refusals(get_settings().broker_url)


@cache
def _database() -> Database:
    return Database(get_settings().database_url)
