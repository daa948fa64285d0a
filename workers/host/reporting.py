"""What a worker says of an attempt, and how it hears that nobody listens to it any more."""

from __future__ import annotations

import contextlib
import itertools
import math
import socket
import threading
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import structlog

from workers import app as names
from workers.app import app
from workers.core.errors import UnwantedError
from workers.core.halt import Halt
from workers.core.settings import get_settings
from workers.host.refusals import Refusals

ANSWERED_WITHIN_SECONDS = 1.0
"""So soon after a sign of life it is known whether it was refused, unless the recorder is busy."""

log = structlog.get_logger()


@cache
def _refusals() -> Refusals:
    return Refusals(get_settings().broker_url)


class Reporter:
    """Sends word of one attempt to the trusted side; `heartbeat` is the task that takes its signs of life.

    When these are refused its `halt` is called. They come as often as settings say, or every `most_seconds`.
    """

    def __init__(
        self, heartbeat: str, about: dict[str, Any], halt: Halt, most_seconds: float = math.inf
    ) -> None:
        self._heartbeat = heartbeat
        self._about = {**about, "host": socket.gethostname()}
        self._halt = halt
        self._most_seconds = most_seconds
        self._beats = itertools.count(1)
        self._done = threading.Event()

    def send(self, task: str, **details: Any) -> None:
        """Send one message, trying for a minute or so while the broker is away."""
        names.send(app, task, {**self._about, **details}, again=True)

    @contextlib.contextmanager
    def beating(self) -> Iterator[Reporter]:
        """Say that the work is alive now and every few seconds until the block is left."""
        self.send(self._heartbeat, beat=next(self._beats))
        thread = threading.Thread(target=self._beat, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._done.set()
            thread.join()

    def _beat(self) -> None:
        """After each sign of life wait for its refusal, then for the time of the next one."""
        pause = min(get_settings().heartbeat_seconds, self._most_seconds)
        for_answer = min(ANSWERED_WITHIN_SECONDS, pause)
        while not self._done.wait(for_answer):
            self._try(self._ask)
            if self._done.wait(pause - for_answer):
                return
            self._try(self._say)

    def _say(self) -> None:
        names.send(app, self._heartbeat, {**self._about, "beat": next(self._beats)})

    def _ask(self) -> None:
        if _refusals().refused(str(self._about["token"])):
            self._halt.call(UnwantedError("this attempt was cancelled or given out anew"))

    def _try(self, speak: Callable[[], object]) -> None:
        try:
            speak()
        except Exception as error:  # noqa: BLE001  (whatever befell the broker, the next time may get through)
            log.warning("the broker was not reached", error=str(error), **self._about)
