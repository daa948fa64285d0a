"""The recorder: Celery tasks that take in what workers report, each in one transaction.

Run it with ``celery -A arena.coordinator.tasks worker -Q results,tallies -P solo``. A report may say
anything: what cannot be read is logged and counted, and changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from typing import Annotated, Any, TypeVar

import structlog
from celery.signals import worker_init
from pydantic import Field, ValidationError
from sqlalchemy.exc import OperationalError

from arena.coordinator import recording, tallying
from arena.coordinator.recording import Verdict
from arena.settings import get_settings
from arena.store.database import Database
from workers.app import CHUNK, CHUNK_HEARTBEAT, CHUNK_LOST, HEARTBEAT, LOST, RECORD, create_app
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


class Report(Frozen):
    """What every message from a worker says about itself, besides what it is about."""

    attempt: Number
    token: str
    host: str = ""

    @property
    def about(self) -> tuple[int, ...]:
        """The key of the row that it is about."""
        raise NotImplementedError


R = TypeVar("R", bound=Report)


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
