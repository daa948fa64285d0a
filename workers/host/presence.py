"""What this process does just now, for what its host says of itself; and when that is news."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

SETTLED_SECONDS = 2.0
"""Work that is done sooner is not told of: there may be a hundred games a second."""


@dataclass
class Doing:
    """A piece of work: its kind, what it is about, its attempt, since when, and the core that it has."""

    kind: str
    about: str
    attempt: int
    since: dt.datetime
    core: int | None = None

    def told(self) -> dict[str, object]:
        """The same for the trusted side."""
        return {
            "kind": self.kind,
            "about": self.about,
            "attempt": self.attempt,
            "since": self.since.isoformat(),
            "core": self.core,
        }


class Presence:
    """What there is to say of this process: what it has in hand, and whether it takes nothing new."""

    def __init__(self) -> None:
        self.doing: Doing | None = None
        self.draining = False
        self._urgent = False
        self._news = threading.Event()

    @contextmanager
    def at_work(self, kind: str, about: str, attempt: int) -> Iterator[Doing]:
        """In the block this process does that."""
        self.doing = doing = Doing(kind, about, attempt, dt.datetime.now(dt.UTC))
        self._news.set()
        try:
            yield doing
        finally:
            self.doing = None

    def drain(self, *, draining: bool) -> None:
        """Say from now on, and soon, whether nothing new is taken."""
        self.draining, self._urgent = draining, True
        self._news.set()

    def wait(self, seconds: float) -> None:
        """Return after so many seconds, or when there is something to be said before: work that lasts."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self._news.wait(left):
            self._news.clear()
            doing = self.doing
            if self._urgent:
                self._urgent = False
                return
            time.sleep(min(SETTLED_SECONDS, left))
            if doing is not None and self.doing is doing:
                return


PRESENCE = Presence()
"""That of this process."""
