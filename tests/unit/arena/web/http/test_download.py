"""Long answers: whoever reads slowly holds a file and no connection, and whoever stops is not waited for."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import Any

import pytest

from arena.core.errors import UnavailableError
from arena.web.http.admission import Lane
from arena.web.http.calculator import PIECE
from arena.web.http.costly import Caller, Order, Question
from arena.web.http.download import MAX_SENT, MIN_RATE, Download, Downloads, Texts

LINE = "0123456789abcde\n"
LINES = 10 * PIECE // len(LINE)
WHOLE = (LINE * LINES).encode()
PATIENCE_SECONDS = 300.0
"""So long is waited for what comes at once where the machine is idle."""
START = {"type": "http.response.start", "status": 200, "headers": []}


class Reader:
    """Takes what it is sent, from when it is told to go on; until then it takes `first` messages.

    Each takes it `pause_seconds`.
    """

    def __init__(self, first: int = 10**9, pause_seconds: float = 0) -> None:
        self.first = first
        self.pause_seconds = pause_seconds
        self.got: list[Any] = []
        self.paused = asyncio.Event()
        self.go_on = asyncio.Event()
        self.gone = asyncio.Event()

    async def send(self, message: Any) -> None:
        if len(self.got) >= self.first:
            self.paused.set()
            await self.go_on.wait()
        await asyncio.sleep(self.pause_seconds)
        self.got.append(message)

    async def receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.got)

    @property
    def complete(self) -> bool:
        return bool(self.got) and self.got[-1].get("more_body") is False


def _answer(*pieces: bytes, ended: bool = True) -> Order:
    """An answer of which so much is written."""
    answer = Order(Question("/export", {}, Caller("ann", known=True), long=True), 0.0)
    for piece in pieces:
        os.write(answer.fd, piece)
    if ended:
        answer.end(1.0, None)
    return answer


def _downloads(
    most_sent: int = MAX_SENT, stalled_seconds: float = PATIENCE_SECONDS, least_rate: float = MIN_RATE
) -> Downloads:
    """Downloads of which none is broken off because the machine is slow."""
    downloads = Downloads(most_sent, stalled_seconds, least_rate)
    downloads.sent = Lane(most_sent, patience_seconds=PATIENCE_SECONDS)
    return downloads


async def _send(downloads: Downloads, answer: Order, reader: Reader) -> None:
    await downloads.send(answer, START, {"type": "http", "path": "/export"}, reader.receive, reader.send)


def test_all_is_sent_in_pieces() -> None:
    """The whole file arrives, under its headers, and nothing else."""

    async def read(count: int) -> Reader:
        reader = Reader()
        await _send(_downloads(), _answer(LINE.encode() * count), reader)
        return reader

    for count in (0, 1, LINES):
        reader = asyncio.run(read(count))
        assert reader.body == (LINE * count).encode()
        assert (reader.got[0], reader.complete) == (START, True)


def test_what_is_written_meanwhile_is_sent_too() -> None:
    """A reader who has all that is there waits for the rest, and is not told that it is complete before."""

    async def read() -> Reader:
        answer, reader = _answer(b"first,", ended=False), Reader()
        sending = asyncio.ensure_future(_send(_downloads(), answer, reader))
        while reader.body != b"first,":  # noqa: ASYNC110  (another task sends)
            await asyncio.sleep(0.001)
        assert not reader.complete
        os.write(answer.fd, b"second")
        answer.end(1.0, None)
        await sending
        return reader

    reader = asyncio.run(read())
    assert (reader.body, reader.complete) == (b"first,second", True)


def test_a_reader_who_stops_is_not_waited_for() -> None:
    """Its file is let go after a while, although the connection stays open."""

    async def read() -> Reader:
        reader = Reader(first=1)
        await _send(_downloads(stalled_seconds=0.05), _answer(WHOLE), reader)
        return reader

    assert not asyncio.run(read()).complete


def test_no_more_are_sent_than_there_is_room_for() -> None:
    """While one is sent, the next waits for its turn, and is told so at last."""

    async def read() -> Reader:
        downloads, slow, after = _downloads(), Reader(first=2), Reader()
        downloads.sent = Lane(1, patience_seconds=0.05)
        sending = asyncio.ensure_future(_send(downloads, _answer(WHOLE), slow))
        await slow.paused.wait()
        with pytest.raises(UnavailableError):
            await _send(downloads, _answer(WHOLE), after)
        slow.go_on.set()
        await sending
        await _send(downloads, _answer(WHOLE), after)
        return after

    assert asyncio.run(read()).complete


@pytest.mark.parametrize(("least_rate", "complete"), [(1, True), (10**12, False)])
def test_a_reader_who_takes_too_little_is_not_waited_for(least_rate: float, complete: bool) -> None:
    """Each piece is taken in time; all together must be, too, but for the time that one may take."""

    async def read() -> Reader:
        reader = Reader(pause_seconds=0.1)
        patience = _downloads(stalled_seconds=PATIENCE_SECONDS if complete else 0.5, least_rate=least_rate)
        await _send(patience, _answer(WHOLE), reader)
        return reader

    assert asyncio.run(read()).complete == complete


def test_a_reader_who_goes_away_is_not_waited_for() -> None:
    """Also while there is nothing to send yet."""

    async def read() -> Reader:
        answer, reader = _answer(b"first,", ended=False), Reader()
        sending = asyncio.ensure_future(_send(_downloads(), answer, reader))
        while not reader.body:  # noqa: ASYNC110  (another task sends)
            await asyncio.sleep(0.001)
        reader.gone.set()
        await asyncio.wait_for(sending, PATIENCE_SECONDS)
        answer.end(1.0, None)
        return reader

    assert not asyncio.run(read()).complete


def test_what_breaks_off_is_never_said_to_be_complete() -> None:
    """The readers of an answer that could not be written to its end hear of it."""

    async def read() -> Reader:
        answer, reader = _answer(b"first,", ended=False), Reader()
        answer.end(1.0, ZeroDivisionError())
        with pytest.raises(UnavailableError):
            await _send(_downloads(), answer, reader)
        return reader

    assert not asyncio.run(read()).complete


def _told(texts: Callable[[], Texts]) -> list[Any]:
    """What a download sends to whoever writes it to a file."""
    got: list[Any] = []

    async def send(message: Any) -> None:
        got.append(message)

    asyncio.run(Download(texts, "cup.csv", "text/csv")({}, None, send))  # type: ignore[arg-type]  # not asked
    return got


def test_texts_are_told_in_pieces_under_their_headers() -> None:
    """Many short ones together, without a length; and their transaction is ended."""
    ended = threading.Event()

    def texts() -> Texts:
        try:
            yield from [LINE] * LINES
        finally:
            ended.set()

    start, *pieces = _told(texts)
    headers = dict(start["headers"])
    assert headers[b"content-disposition"] == b'attachment; filename="cup.csv"'
    assert b"content-length" not in headers
    assert b"".join(piece["body"] for piece in pieces) == WHOLE
    assert [piece["more_body"] for piece in pieces] == [True] * 10 + [False]
    assert ended.is_set()


def test_what_fails_before_the_first_piece_is_an_error_like_any_other() -> None:
    """Nothing is sent of what cannot be read; later it breaks off."""

    def failing(lines: int) -> Callable[[], Texts]:
        def texts() -> Texts:
            yield from [LINE] * lines
            raise ZeroDivisionError

        return texts

    for lines in (0, LINES):
        with pytest.raises(ZeroDivisionError):
            _told(failing(lines))
