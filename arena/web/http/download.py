"""Long answers, written to a file as fast as they can be read and sent as fast as they are taken.

Whoever reads slowly keeps a file of the machine's for a while, and never a connection to the database, nor
the place of somebody whose file is to be written.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Generator
from contextlib import closing
from tempfile import TemporaryFile
from typing import IO

import structlog
from anyio import to_thread
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from arena.web.http.admission import Lane

AT_ONCE = 4
"""How many are written at once, with a connection to the database each."""
MAX_SENT = 64
"""How many are written or sent at once, so that their files do not fill the disk."""
PIECE = 64 * 1024
STALLED_SECONDS = 30.0
"""A reader who does not take a piece for so long is not waited for."""
LEAST_RATE = 32 * 1024
"""Nor is one who was waited for so long beyond the time that all taken so far is worth, in bytes a second."""
PAUSE_SECONDS = 0.05

Texts = Generator[str, None, None]
"""Pieces of a long answer; closing them ends their transaction."""

log = structlog.get_logger()


class Downloads:
    """Who may have a long answer: `most_sent` readers, `at_once` of whose files are being written.

    How long a reader is waited for follows from `stalled_seconds` and `least_rate`.
    """

    def __init__(
        self,
        at_once: int = AT_ONCE,
        most_sent: int = MAX_SENT,
        stalled_seconds: float = STALLED_SECONDS,
        least_rate: float = LEAST_RATE,
    ) -> None:
        self.lane = Lane(at_once)
        self.sent = Lane(most_sent)
        self.stalled_seconds = stalled_seconds
        self.least_rate = least_rate

    def patience(self, sent: int, waited: float) -> float:
        """Seconds to wait for a reader who took so many bytes and was waited for so long."""
        return self.stalled_seconds + min(0.0, sent / self.least_rate - waited)


class Download(Response):
    """A file named `filename` of the texts that `told` comes to; it begins a transaction of its own."""

    def __init__(
        self, downloads: Downloads, told: Callable[[], Texts], filename: str, media_type: str
    ) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
        self._downloads = downloads
        self._told = told
        self._given_up = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file while it is written. What fails before its first piece is answered as any error."""
        async with self._downloads.sent.slot():
            await self._write_and_send(scope, receive, send)

    async def _write_and_send(self, scope: Scope, receive: Receive, send: Send) -> None:
        with TemporaryFile() as file:
            writing = asyncio.ensure_future(self._written(file))
            gone = asyncio.ensure_future(_gone(receive))
            try:
                await self._send(file, writing, gone, send)
            except TimeoutError:
                log.warning("a download was broken off: nobody takes it", path=scope["path"])
            finally:
                self._given_up = True
                gone.cancel()
                await asyncio.wait([writing])
                writing.exception()  # told already, or of interest to nobody

    async def _written(self, file: IO[bytes]) -> None:
        async with self._downloads.lane.slot():
            if not self._given_up:
                await to_thread.run_sync(self._write, file)

    def _write(self, file: IO[bytes]) -> None:
        with closing(self._told()) as texts:
            for text in texts:
                file.write(text.encode())
                if self._given_up:
                    return
        file.flush()

    async def _send(
        self, file: IO[bytes], writing: asyncio.Future[None], gone: asyncio.Future[None], send: Send
    ) -> None:
        sent, waited, clock = 0, 0.0, asyncio.get_running_loop().time
        while not gone.done():
            complete = writing.done()
            if complete:
                writing.result()
            piece = await to_thread.run_sync(os.pread, file.fileno(), PIECE, sent)
            if not piece and not complete:
                await asyncio.wait(
                    [writing, gone], timeout=PAUSE_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                continue
            began = clock()
            async with asyncio.timeout(self._downloads.patience(sent, waited)):
                if not sent:
                    await send(self._start())
                await send({"type": "http.response.body", "body": piece, "more_body": bool(piece)})
            waited += clock() - began
            sent += len(piece)
            if not piece:
                return

    def _start(self) -> dict[str, object]:
        return {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}


async def _gone(receive: Receive) -> None:
    """Return when the reader has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass
