"""The log of events, read in the order of its numbers by processes that others write beside.

On PostgreSQL numbers are given before transactions are committed, so that an event may appear after one with
a greater number. Whoever remembers the greatest that it has seen would miss it. `EventLog` passes a gap only
when nobody is left who was writing as it was seen: what belonged there is there then, or never comes.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from arena.core.errors import UnavailableError
from arena.store import event_log as store
from arena.store.database import Database
from arena.store.event_log import LoggedEvent

PATIENCE_SECONDS = 10.0
PAUSE_SECONDS = 0.01


class _Gap(NamedTuple):
    """Numbers up to `to` were seen while some were missing that these may still be writing.

    It is kept until none of them is left: of a later gap's writers one would be left each time where somebody
    always writes.
    """

    to: int
    writers: frozenset[str]


class EventLog:
    """Reads each event once; `position` is the number up to which all is read. For one thread at a time."""

    def __init__(self, database: Database, position: int = 0) -> None:
        self.position = position
        self._database = database
        self._gap: _Gap | None = None

    def go_to_end(self) -> None:
        """Read on from what is written after this moment.

        Raises:
            UnavailableError: somebody has been in the middle of writing all the while.
        """
        with self._database.reading() as session:
            newest = store.last_number(session)
        self._gap = _Gap(newest, self._writers())
        until = time.monotonic() + PATIENCE_SECONDS
        while self._settled() < newest:
            if time.monotonic() > until:
                raise UnavailableError("somebody holds the log of events; try again in a moment")
            time.sleep(PAUSE_SECONDS)
        self.position, self._gap = max(self.position, newest), None

    def read(self, limit: int) -> list[LoggedEvent]:
        """The next events, at most so many; none twice, and none before all that come before it are over."""
        ready, lines = self._look(limit)
        if len(ready) < len(lines) and not (self._gap and self._gap.writers):
            self._gap = _Gap(lines[-1].number, self._writers())
            if not self._gap.writers:
                ready, _ = self._look(limit)
        if ready:
            self.position = ready[-1].number
        return ready

    def _look(self, limit: int) -> tuple[list[LoggedEvent], list[LoggedEvent]]:
        """The next lines that are settled, and all that are there."""
        settled = self._settled()
        with self._database.reading() as session:
            lines = store.after(session, self.position, limit)
        whole = self.position
        for count, line in enumerate(lines):
            if line.number not in (whole, whole + 1) and line.number > settled:
                return lines[:count], lines
            whole = line.number
        return lines, lines

    def _settled(self) -> int:
        """The number up to which nothing is missing that will come."""
        if self._gap and self._gap.writers and not self._gap.writers & self._writers():
            self._gap = self._gap._replace(writers=frozenset())
        return self._gap.to if self._gap and not self._gap.writers else 0

    def _writers(self) -> frozenset[str]:
        with self._database.reading() as session:
            return store.writers(session)
