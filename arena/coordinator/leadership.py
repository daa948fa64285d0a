"""Which of several coordinators acts: one leads, and another takes over from one that has fallen silent.

Who leads has a number in the database (`arena.store.leaders`), and every transaction of a coordinator's
begins by giving a sign of life under it. Where it is not the newest number any more the transaction comes to
nothing: a coordinator that was stopped for long, and goes on, changes nothing. How long a leader has been
silent the others measure by their own clocks, as those of two hosts may differ; nobody waits for a process of
the same machine that is known to be gone.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.processes import same_process, start_time
from arena.store import leaders as store
from arena.store.database import Database

COORDINATOR = "coordinator"
LEASE_SECONDS = 8.0
"""Who gave no sign of life for so long leads no more."""
RENEW_SECONDS = 2.0
"""So often a sign of life is given in any case."""
WATCH_SECONDS = 1.0
"""So often the others look whether there was one."""
_APART = "|"

log = structlog.get_logger()


class NotLeadingError(Exception):
    """Another coordinator has taken over; nothing of this transaction is kept."""


class Leadership:
    """The part that this process has in it: it leads, or watches who does."""

    def __init__(
        self,
        database: Database,
        monotonic: Callable[[], float] = time.monotonic,
        holder: str | None = None,
    ) -> None:
        self._database = database
        self._monotonic = monotonic
        self._holder = holder or this_process()
        self._fence: int | None = None
        self._renewed = self._began = 0.0
        self._ticks = 0
        self._seen: store.Seen | None = None
        self._since = 0.0

    def holds(self) -> bool:
        """Whether this process leads at this tick; it takes over where nobody does.

        Raises:
            DBAPIError: the database is away. While it is, nobody can be heard, and nobody counts as silent.
        """
        if self._fence is None:
            try:
                return self._watch()
            except DBAPIError:
                self._seen = None
                raise
        self._ticks += 1
        if self._monotonic() - self._renewed >= RENEW_SECONDS:
            try:
                with self.transaction() as session:
                    session.connection()
            except NotLeadingError:
                return False
        return True

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A transaction of who leads, which it is a sign of life of.

        Raises:
            NotLeadingError: another one does. Nothing is changed.
        """
        with self._database.transaction() as session:
            event.listen(session, "after_begin", self._renew)
            event.listen(session, "after_commit", self._renewed_now)
            yield session

    def resign(self) -> None:
        """Let another one take over at once, if this one leads."""
        if self._fence is None:
            return
        try:
            with self.transaction() as session:
                store.take(session, COORDINATOR, None, store.seen(session, COORDINATOR), utc_now())
        except (NotLeadingError, DBAPIError) as error:
            log.info("it is found out that this one leads no more", error=str(error))
        self._fence = None

    def _renew(self, _session: Session, _transaction: Any, connection: Connection) -> None:
        self._began = self._monotonic()
        if self._fence is None or not store.renew(
            connection, COORDINATOR, self._fence, self._ticks, utc_now()
        ):
            if self._fence is not None:
                log.warning("another coordinator leads", fence=self._fence)
            self._fence = self._seen = None
            raise NotLeadingError

    def _renewed_now(self, _session: Session) -> None:
        """Only what was committed is a sign of life; it was given when its transaction began."""
        self._renewed, self._ticks = self._began, 0

    def _watch(self) -> bool:
        """Look whether who leads gave a sign of life, and take over if they are gone."""
        with self._database.reading() as session:
            seen = store.seen(session, COORDINATOR)
        now = self._monotonic()
        if seen != self._seen:
            self._seen, self._since = seen, now
        is_vacant = seen.holder in (None, self._holder) or is_gone(seen.holder or "")
        if not is_vacant and now - self._since < LEASE_SECONDS:
            return False
        with self._database.transaction() as session:
            fence = store.take(session, COORDINATOR, self._holder, seen, utc_now())
        if fence is None:
            return False
        self._fence = fence  # which is so only once it is committed
        self._renewed, self._ticks = now, 1
        log.info("leads from now on", fence=self._fence, before=seen.holder)
        return True


def this_process() -> str:
    """Which process this is, among all of all machines."""
    pid = os.getpid()
    return _APART.join((*_place(), str(pid), f"{start_time(pid) or 0.0:.2f}"))


def is_gone(holder: str) -> bool:
    """Whether that is known: a process of another machine, or another container, may always be there."""
    *place, pid, created = holder.split(_APART)
    return tuple(place) == _place() and same_process(int(pid), float(created)) is None


def _place() -> tuple[str, ...]:
    """Within what a process's number means just one: this machine since it was started, or a container."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return socket.gethostname(), boot, str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return (socket.gethostname(),)
