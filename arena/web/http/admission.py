"""Who is let in: as many requests as can be served at once; the others wait in order, or come again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena.core.errors import UnavailableError

MAX_WAITING = 1000
PATIENCE_SECONDS = 15.0
"""Less than the 30 s that the command line waits for an answer, so that it hears why there is none."""


class Lane:
    """Lets `at_once` requests in; `most_waiting` others wait in order, for `patience_seconds` at most."""

    def __init__(
        self, at_once: int, most_waiting: int = MAX_WAITING, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._most_waiting = most_waiting
        self._patience_seconds = patience_seconds
        self._waiting = 0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """A place inside, for as long as the context lasts.

        Raises:
            UnavailableError: too many wait already, or it took too long.
        """
        if self._waiting >= self._most_waiting:
            raise UnavailableError("more ask at this moment than can be answered; try again in a moment")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience_seconds):
                await self._slots.acquire()
        except TimeoutError:
            raise UnavailableError(
                f"the arena is busy: others were answered for {self._patience_seconds:g} s and it is not "
                "your turn yet; try again in a moment"
            ) from None
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._slots.release()
