"""Long answers: made of texts by a calculator, and sent from its file as fast as they are taken.

Whoever reads slowly keeps a file of the machine's for a while, and never a connection to the database, nor
the place of somebody whose file is to be written.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Generator
from contextlib import closing

import structlog
from anyio import to_thread
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from arena.core.errors import UnavailableError
from arena.web.http.admission import Lane
from arena.web.http.calculator import PIECE
from arena.web.http.costly import Order

MAX_SENT = 64
"""How many are sent at once, so that the files of those who read slowly do not fill the disk."""
STALLED_SECONDS = 30.0
"""A reader who does not take a piece for so long is not waited for."""
MIN_RATE = 32 * 1024
"""Nor is one who was waited for so long beyond the time that all taken so far is worth, in bytes a second."""
PAUSE_SECONDS = 0.05

Texts = Generator[str, None, None]
"""Pieces of a long answer; closing them ends their transaction."""

log = structlog.get_logger()


class Download(Response):
    """A file named `filename` of the texts that `told` comes to; it begins a transaction of its own."""

    def __init__(self, told: Callable[[], Texts], filename: str, media_type: str) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it piece by piece. What fails before the first one is answered as any error."""
        del scope, receive
        with closing(self._told()) as texts:
            piece = await to_thread.run_sync(_piece, texts)
            await send(
                {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
            )
            while piece:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                piece = await to_thread.run_sync(_piece, texts)
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def _piece(texts: Texts) -> bytes:
    """The next texts together, about a piece of them; empty where there are no more."""
    told, size = [], 0
    for text in texts:
        told.append(text.encode())
        size += len(told[-1])
        if size >= PIECE:
            break
    return b"".join(told)


class Downloads:
    """Who may be sent a long answer: `most_sent` readers.

    How long a reader is waited for follows from `stalled_seconds` and `least_rate`.
    """

    def __init__(
        self,
        most_sent: int = MAX_SENT,
        stalled_seconds: float = STALLED_SECONDS,
        least_rate: float = MIN_RATE,
    ) -> None:
        self.sent = Lane(most_sent)
        self.stalled_seconds = stalled_seconds
        self.least_rate = least_rate

    async def send(self, answer: Order, start: Message, scope: Scope, receive: Receive, send: Send) -> None:
        """Send an answer under the headers of `start`, also while it is written.

        Raises:
            UnavailableError: it could not be written to its end, or too many are sent already.
        """
        async with self.sent.slot():
            gone = asyncio.ensure_future(_gone(receive))
            try:
                await self._send(answer, start, gone, send)
            except TimeoutError:
                log.warning("a download was broken off: nobody takes it", path=scope["path"])
            finally:
                gone.cancel()

    async def _send(self, answer: Order, start: Message, gone: asyncio.Future[None], send: Send) -> None:
        sent, waited, clock = 0, 0.0, asyncio.get_running_loop().time
        while not gone.done():
            complete = answer.ended.is_set()
            if answer.error is not None:
                raise UnavailableError("this could not be told to its end; ask again") from answer.error
            piece = await to_thread.run_sync(os.pread, answer.fd, PIECE, sent)
            if not piece and not complete:
                await _more(answer, gone)
                continue
            began = clock()
            async with asyncio.timeout(self._patience(sent, waited)):
                if not sent:
                    await send(start)
                await send({"type": "http.response.body", "body": piece, "more_body": bool(piece)})
            waited += clock() - began
            sent += len(piece)
            if not piece:
                return

    def _patience(self, sent: int, waited: float) -> float:
        """Seconds to wait for a reader who took so many bytes and was waited for so long."""
        return self.stalled_seconds + min(0.0, sent / self.least_rate - waited)


async def _more(answer: Order, gone: asyncio.Future[None]) -> None:
    """Return after a moment, or when the answer is complete or its reader has gone."""
    ended = asyncio.ensure_future(_ended(answer))
    await asyncio.wait((ended, gone), timeout=PAUSE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()


async def _ended(answer: Order) -> None:
    await answer.ended.wait()


async def _gone(receive: Receive) -> None:
    """Return when the reader has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass
