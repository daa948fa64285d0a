"""Calculators: processes beside the API's own that work out what costs much, one answer at a time.

A calculator has the same application and the same database, and answers as the API would, into a file. Where
both want the processor its parent goes first, and with that it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import structlog
from fastapi import FastAPI
from starlette.types import Message, Scope

from arena.core.errors import FullError, UnavailableError
from arena.core.processes import MODULE as RUN
from arena.core.settings import Settings
from arena.web.http.answer_cache import Validity, validity_of
from arena.web.http.problems import NO_ROOM

MODULE = "arena.web.calculator"
PIECE = 64 * 1024
ONE_CORE = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
"""Keeps the libraries of linear algebra from taking every core."""

log = structlog.get_logger()


class CalculatorLostError(UnavailableError):
    """A calculator ended over an answer, or was ended; try again after `Retry-After` seconds."""


class CalculationError(Exception):
    """An answer could not be worked out; the log tells the staff why."""


class Job(NamedTuple):
    """A request to be answered into a file: all of its scope that can be sent to another process."""

    scope: dict[str, Any]
    file: str
    body: bytes = b""


class Start(NamedTuple):
    """The beginning of an answer, and what it holds by, if by anything."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    validity: Validity | None


class Outcome(NamedTuple):
    """What became of a job: the processor's seconds, or why it failed; and whether the process ends then."""

    result: float | FullError | CalculationError
    ends: bool


class Calculator(Protocol):
    """Works out one answer at a time."""

    async def work_out(self, job: Job, started: Callable[[Start], None]) -> float:
        """Answer into the file, and return the processor's seconds when it is complete.

        `started` is told before that.

        Raises:
            CalculatorLostError: it ended over it.
            FullError: there is no room for the answer.
            CalculationError: the answer cannot be worked out.
        """

    def close(self) -> None:
        """Break off what is being worked out, and leave nothing behind; it begins anew when it is needed."""


class LocalCalculator:
    """Works out answers of `app` in this process."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    async def work_out(self, job: Job, started: Callable[[Start], None]) -> float:
        """Answer into the file.

        Raises:
            FullError, CalculationError: as of any calculator.
        """
        began, answer = time.process_time(), _Answer(job, started)

        async def receive() -> Message:
            return {"type": "http.request", "body": job.body, "more_body": False}

        try:
            with answer.file:
                await self._app(answer.scope, receive, answer.send)
        except Exception as error:
            if _is_full(error):
                raise FullError(
                    "a disk of the arena is full; nothing can be told until there is room"
                ) from None
            if not answer.complete:
                log.exception("an answer could not be worked out", path=answer.scope["path"])
                raise CalculationError(answer.scope["path"]) from None
        return time.process_time() - began

    def close(self) -> None:
        """Close its connections to the database, which are opened again when they are needed."""
        self._app.state.services.database.close()


class _Answer:
    """Takes down what the application answers."""

    def __init__(self, job: Job, started: Callable[[Start], None]) -> None:
        self.scope: Scope = dict(job.scope)
        self.file = Path(job.file).open("wb", buffering=PIECE)  # noqa: SIM115  (closed by who made us)
        self.complete = False
        self._started = started
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        if self._start is not None:  # with the first piece: before that is not known what it holds by
            headers = tuple(self._start["headers"])
            self._started(Start(self._start["status"], headers, validity_of(self.scope)))
            self._start = None
        self.file.write(message.get("body", b""))
        self.complete = not message.get("more_body")


def _is_full(error: BaseException | None) -> bool:
    """Whether it comes of a disk without room."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return True
        error = error.__cause__ or error.__context__
    return False


class ProcessCalculator:
    """Works out answers in a process of its own, begun when it is first needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    async def work_out(self, job: Job, started: Callable[[Start], None]) -> float:
        """Answer into the file; to be cancelled ends the process.

        Raises:
            CalculatorLostError: the process ended.
            FullError, CalculationError: as of any calculator.
        """
        try:
            connection = self._connection or self._begin()
            connection.send(job)
            while isinstance(told := await _told(connection), Start):
                started(told)
        except (EOFError, OSError) as error:
            self.close()
            log.warning("a calculator ended over an answer", path=job.scope["path"], error=repr(error))
            raise CalculatorLostError("what works out such answers ended; try again in a moment") from None
        except asyncio.CancelledError:
            self.close()
            raise
        if told.ends:
            self.close()
        if isinstance(told.result, Exception):
            raise told.result
        return float(told.result)

    def _begin(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*RUN, MODULE, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=os.environ | ONE_CORE,
            )
        self._connection = Connection(ours.detach())
        self._connection.send(self._settings)
        return self._connection

    def close(self) -> None:
        """End the process."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


async def _told(connection: Connection) -> Start | Outcome:
    """What the process says next, without holding up the loop."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection.fileno(), ready.set)
    try:
        await ready.wait()
    finally:
        with contextlib.suppress(OSError):
            loop.remove_reader(connection.fileno())
    told: Start | Outcome = connection.recv()
    return told
