"""What the application does beside answering."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from arena.submissions.waiting import WaitingUploads
from arena.web import app

PATIENCE_SECONDS = 300.0


def test_uploads_are_put_away_although_that_failed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong, what waits too long is looked for the next time."""
    done = threading.Event()

    class Failing(WaitingUploads):
        failures = 1

        def tidy(self) -> int:
            if self.failures:
                self.failures -= 1
                raise MemoryError
            done.set()
            return 0

    async def run() -> None:
        tidying = asyncio.create_task(app._tidy(Failing(tmp_path.as_uri())))
        assert await asyncio.to_thread(done.wait, PATIENCE_SECONDS)
        tidying.cancel()
        with suppress(asyncio.CancelledError):
            await tidying

    monkeypatch.setattr(app, "TIDY_SECONDS", 0.01)
    asyncio.run(run())
