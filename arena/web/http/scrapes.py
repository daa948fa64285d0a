"""What many ask for at once is worked out once a second at most."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

KEPT_SECONDS = 1.0


class Scrapes:
    """The last text that was made, told to all who ask within a second."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._making = asyncio.Lock()
        self._made: tuple[float, bytes] | None = None

    async def get(self, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """The text as it is, or was within the last second."""
        async with self._making:
            if self._made is None or self._monotonic() - self._made[0] >= KEPT_SECONDS:
                self._made = self._monotonic(), await make()
            return self._made[1]
