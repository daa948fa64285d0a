"""Whether the parts that the arena stands on do their work: something is written to each, again and again."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import NamedTuple

import structlog
from anyio import to_thread
from sqlalchemy.exc import SQLAlchemyError

from arena.coordinator.broker import Broker
from arena.core.errors import FullError
from arena.store.database import Database
from arena.store.failures import Failure, failure_of
from workers.core.errors import ArchiveUnwritableError
from workers.programs.archive_store import ArchiveStore

DATABASE, BROKER, ARCHIVES = "database", "broker", "archives"
PERIOD_SECONDS = 5.0
PAUSE_SECONDS = 0.02
PROBE_LOCK_SECONDS = 5.0
"""A lock that others hold for less is no trouble."""
PATIENCE_SECONDS = PROBE_LOCK_SECONDS + 2
"""Who has not answered after so long does not answer."""

DETAILS = {
    (DATABASE, Failure.LOCKED): "another program has locked the database: no result is recorded and nothing "
    "can be changed until it lets go (a backup, or a shell with an open transaction?)",
    (DATABASE, Failure.FULL): "the disk of the database is full: no result is recorded and nothing can be "
    "changed until there is room on it",
    (
        DATABASE,
        Failure.UNWRITABLE,
    ): "the database takes no writes, because it is read-only or damaged, or its disk "
    "is: no result is recorded and nothing can be changed",
    (DATABASE, Failure.AWAY): "the database does not answer: nothing can be shown, changed or recorded",
    (BROKER, Failure.FULL): "the memory of the broker is full: no match is given out and no result comes in "
    "until something else is deleted from it, or its maxmemory raised",
    (BROKER, Failure.AWAY): "the broker does not answer: no match is given out and no result comes in",
    (
        ARCHIVES,
        Failure.FULL,
    ): "the disk of the bots' archives is full: no bot can be submitted until there is room on it",
    (ARCHIVES, Failure.AWAY): "the store of the bots' archives takes nothing: no bot can be submitted",
}
"""What stands still, and why."""

log = structlog.get_logger()


class Trouble(NamedTuple):
    """A part that does not do its work, and why."""

    part: str
    failure: Failure

    @property
    def detail(self) -> str:
        """What stands still, and why."""
        return DETAILS[self]


Probe = Callable[[], object]
"""Writes something to a part."""


def probes(database: Database, broker: Broker, archives: ArchiveStore) -> dict[str, Probe]:
    """How each part is tried."""
    return {DATABASE: database.try_writing, BROKER: broker.ping, ARCHIVES: archives.try_writing}


class Watch:
    """Tries the parts every `period_seconds`, in threads of its own; `troubles` is what it found last.

    A part that has not answered is not tried a second time until it has.
    """

    def __init__(
        self,
        parts: Mapping[str, Probe],
        period_seconds: float = PERIOD_SECONDS,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self.troubles: tuple[Trouble, ...] = ()
        self._trials = [_Trial(part, probe) for part, probe in parts.items()]
        self._period_seconds = period_seconds
        self._patience_seconds = patience_seconds
        self._looked = False
        self._looking = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Keep looking until closed; what begins and what ends is logged."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._keep_looking, name="watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking; who is silent is waited for no longer than at any look."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(self._patience_seconds)
            self._thread = None

    async def first(self) -> None:
        """Return when every part was tried once, by this question where nobody keeps looking."""
        if self._thread is None:
            await to_thread.run_sync(self.look)
        while not self._looked:  # noqa: ASYNC110  (another thread looks)
            await asyncio.sleep(PAUSE_SECONDS)

    def look(self) -> None:
        """Try every part now."""
        with self._looking:
            until = time.monotonic() + self._patience_seconds
            for trial in self._trials:
                trial.begin()
            troubles = [trial.trouble(max(0.0, until - time.monotonic())) for trial in self._trials]
            before, self.troubles = self.troubles, tuple(trouble for trouble in troubles if trouble)
            self._looked = True
            _tell(before, self.troubles)

    def _keep_looking(self) -> None:
        while not self._stop.is_set():
            try:
                self.look()
            except Exception:  # whatever it is, it may be over at the next look
                with suppress(Exception):  # a full disk takes no log, either
                    log.exception("the watch could not look, or not say what it found")
            self._stop.wait(self._period_seconds)


def _tell(before: Collection[Trouble], now: Collection[Trouble]) -> None:
    for each in now:
        if each not in before:
            log.error("trouble", part=each.part, detail=each.detail)
    for each in before:
        if each not in now:
            log.info("no more trouble", part=each.part, was=str(each.failure))


class _Trial:
    """One part and the thread that tries it."""

    def __init__(self, part: str, probe: Probe) -> None:
        self._part = part
        self._probe = probe
        self._thread: threading.Thread | None = None
        self._failure: Failure | None = None

    def begin(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            thread = threading.Thread(target=self._try, name=f"watch {self._part}", daemon=True)
            thread.start()
            self._thread = thread

    def trouble(self, patience_seconds: float) -> Trouble | None:
        if self._thread is not None:
            self._thread.join(patience_seconds)
            if self._thread.is_alive():
                return Trouble(self._part, Failure.AWAY)
        return None if self._failure is None else Trouble(self._part, self._failure)

    def _try(self) -> None:
        try:
            self._probe()
        except Exception as error:  # noqa: BLE001  (whatever it is, the part does not do its work)
            self._failure = _failure(error)
        else:
            self._failure = None


def _failure(error: Exception) -> Failure:
    if isinstance(error, SQLAlchemyError):
        return failure_of(error) or Failure.AWAY
    full = isinstance(error, FullError) or (isinstance(error, ArchiveUnwritableError) and error.full)
    return Failure.FULL if full else Failure.AWAY
