"""The recorder: Celery tasks that take in what workers report, each in one transaction.

Run it with ``celery -A arena.coordinator.tasks worker -Q results -P solo``. A report may say anything:
what cannot be read is logged and counted, and changes nothing.
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

from arena.coordinator import recording
from arena.coordinator.recording import Verdict
from arena.settings import get_settings
from arena.store.database import Database
from workers.app import HEARTBEAT, LOST, RECORD, create_app
from workers.contract import Frozen
from workers.logs import configure_logs

PATIENCE_S = 600.0
PAUSE_S = 1.0

log = structlog.get_logger()
app = create_app("arena", get_settings().broker_url)
_malformed = count(1)


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _begin(**_: Any) -> None:
    configure_logs()


class Report(Frozen):
    """What every message from a worker says about itself."""

    match: Annotated[int, Field(gt=0, lt=2**31)]
    attempt: Annotated[int, Field(gt=0, lt=2**31)]
    token: str
    host: str = ""


R = TypeVar("R", bound=Report)


class ResultReport(Report):
    """A match was played."""

    result: dict[str, Any]


class LostReport(Report):
    """A match could not be played."""

    trouble: str


@app.task(name=HEARTBEAT)  # type: ignore[untyped-decorator]  # Celery ships no types
def heartbeat(*_: Any, **message: Any) -> None:
    """Take in a sign of life."""
    report = _read(Report, message)
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
                verdict = step(session, report.match, report.attempt, report.token, settings=get_settings())
        except OperationalError as error:
            if time.monotonic() > give_up:
                raise
            log.warning("waiting for the database", report=kind, match=report.match, error=str(error))
            time.sleep(PAUSE_S)
        else:
            log.info(kind, match=report.match, attempt=report.attempt, host=report.host, verdict=str(verdict))
            return


@cache
def _database() -> Database:
    return Database(get_settings().database_url)
