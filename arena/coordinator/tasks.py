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

import structlog
from celery.signals import worker_init
from pydantic import Field, StringConstraints, ValidationError
from sqlalchemy.exc import OperationalError

from arena import hosts
from arena.coordinator import recording, tallying, verdicts
from arena.coordinator.recording import Verdict
from arena.settings import get_settings
from arena.store.database import Database
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
from workers.contract import Frozen
from workers.logs import configure_logs
from workers.simulation.contract import MOST_GAMES

PATIENCE_S = 600.0
PAUSE_S = 1.0

log = structlog.get_logger()
app = create_app("arena", get_settings().broker_url)
_malformed = count(1)


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _begin(**_: Any) -> None:
    configure_logs()


Number = Annotated[int, Field(gt=0, lt=2**31)]


Plain = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]


class HostReport(Frozen):
    """What a worker host says of itself: its languages with the versions of their tools, and its speed.

    `process` is which of its processes says it, and `cores` how many cores its matches may have.
    """

    host: Plain
    languages: Annotated[dict[Plain, Plain], Field(max_length=100)]
    speed: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    cores: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    process: Plain | None = None


class Report(Frozen):
    """What every message from a worker says about itself, besides what it is about."""

    attempt: Number
    token: str
    host: str = ""

    @property
    @abstractmethod
    def about(self) -> tuple[int, ...]:
        """The key of the row that it is about."""


R = TypeVar("R", bound=Frozen)


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


class LostReport(MatchReport):
    """A match could not be played."""

    trouble: str


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


class LostCheckReport(CheckingReport):
    """A check could not be done."""

    trouble: str


class ChunkReport(Report):
    """Word of a chunk of an experiment."""

    experiment: Number
    start: Annotated[int, Field(ge=0, lt=MOST_GAMES)]

    @property
    def about(self) -> tuple[int, ...]:
        """The experiment's id and the chunk's first game."""
        return self.experiment, self.start


class TallyReport(ChunkReport):
    """A chunk was played, in `elapsed_ns`."""

    blocks: list[dict[str, Any]]
    elapsed_ns: Annotated[int, Field(ge=0)]


class LostChunkReport(ChunkReport):
    """A chunk could not be played."""

    trouble: str


@app.task(name=HEARTBEAT)  # type: ignore[untyped-decorator]  # Celery ships no types
def heartbeat(*_: Any, **message: Any) -> None:
    """Take in a sign of life."""
    report = _read(MatchReport, message)
    if report:
        _take(HEARTBEAT, report, partial(recording.heartbeat, host=report.host))


@app.task(name=RECORD)  # type: ignore[untyped-decorator]  # Celery ships no types
def record(*_: Any, **message: Any) -> None:
    """Take in a result."""
    report = _read(ResultReport, message)
    if report:
        _take(RECORD, report, partial(recording.record, result=report.result))


@app.task(name=LOST)  # type: ignore[untyped-decorator]  # Celery ships no types
def lost(*_: Any, **message: Any) -> None:
    """Take in that a match could not be played."""
    report = _read(LostReport, message)
    if report:
        _take(LOST, report, partial(recording.lost, host=report.host, trouble=report.trouble))


@app.task(name=CHECK_HEARTBEAT)  # type: ignore[untyped-decorator]  # Celery ships no types
def check_heartbeat(*_: Any, **message: Any) -> None:
    """Take in a sign of life of a check."""
    report = _read(CheckingReport, message)
    if report:
        _take(CHECK_HEARTBEAT, report, partial(verdicts.heartbeat, host=report.host))


@app.task(name=CHECKED)  # type: ignore[untyped-decorator]  # Celery ships no types
def checked(*_: Any, **message: Any) -> None:
    """Take in a verdict."""
    report = _read(VerdictReport, message)
    if report:
        _take(CHECKED, report, partial(verdicts.record, report=report.report))


@app.task(name=CHECK_LOST)  # type: ignore[untyped-decorator]  # Celery ships no types
def check_lost(*_: Any, **message: Any) -> None:
    """Take in that a check could not be done."""
    report = _read(LostCheckReport, message)
    if report:
        _take(CHECK_LOST, report, partial(verdicts.lost, host=report.host, trouble=report.trouble))


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
            )


@app.task(name=CHUNK_HEARTBEAT)  # type: ignore[untyped-decorator]  # Celery ships no types
def chunk_heartbeat(*_: Any, **message: Any) -> None:
    """Take in a sign of life of a chunk."""
    report = _read(ChunkReport, message)
    if report:
        _take(CHUNK_HEARTBEAT, report, partial(tallying.heartbeat, host=report.host))


@app.task(name=CHUNK)  # type: ignore[untyped-decorator]  # Celery ships no types
def chunk(*_: Any, **message: Any) -> None:
    """Take in what a chunk came to."""
    report = _read(TallyReport, message)
    if report:
        _take(CHUNK, report, partial(tallying.record, blocks=report.blocks, elapsed_ns=report.elapsed_ns))


@app.task(name=CHUNK_LOST)  # type: ignore[untyped-decorator]  # Celery ships no types
def chunk_lost(*_: Any, **message: Any) -> None:
    """Take in that a chunk could not be played."""
    report = _read(LostChunkReport, message)
    if report:
        _take(CHUNK_LOST, report, partial(tallying.lost, host=report.host, trouble=report.trouble))


def _read(kind: type[R], message: dict[str, Any]) -> R | None:
    try:
        return kind.model_validate(message)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        log.warning("malformed report", report=kind.__name__, wrong=wrong, so_far=next(_malformed))
        return None


def _take(kind: str, report: Report, step: Callable[..., Verdict]) -> None:
    """Run one step as a transaction; while the database is away, wait for it."""
    give_up = time.monotonic() + PATIENCE_S
    while True:
        try:
            with _database().transaction() as session:
                verdict = step(session, *report.about, report.attempt, report.token, settings=get_settings())
        except OperationalError as error:
            if time.monotonic() > give_up:
                raise
            log.warning("waiting for the database", report=kind, about=report.about, error=str(error))
            time.sleep(PAUSE_S)
        else:
            told = {"about": report.about, "attempt": report.attempt, "host": report.host}
            log.info(kind, **told, verdict=str(verdict))
            return


@cache
def _database() -> Database:
    return Database(get_settings().database_url)
