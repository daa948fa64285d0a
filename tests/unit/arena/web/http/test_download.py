"""Long answers: whoever reads slowly holds a file and no connection, and whoever stops is not waited for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from arena.core.errors import UnavailableError
from arena.web.http.admission import Lane
from arena.web.http.download import AT_ONCE, LEAST_RATE, PIECE, Download, Downloads, Texts

LINE = "0123456789abcde\n"
LINES = 10 * PIECE // len(LINE)
PATIENCE_SECONDS = 300.0
"""So long is waited for what comes at once where the machine is idle."""


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


def _lines(ended: threading.Event, count: int = LINES) -> Callable[[], Texts]:
    def told() -> Texts:
        try:
            for _ in range(count):
                yield LINE
        finally:
            ended.set()

    return told


def _endless(ended: threading.Event) -> Callable[[], Texts]:
    """A text without end, which does not fill the disk before somebody has gone."""

    def told() -> Texts:
        try:
            yield LINE * LINES
            while True:
                yield LINE
                threading.Event().wait(0.001)
        finally:
            ended.set()

    return told


def _downloads(
    at_once: int = AT_ONCE, stalled_seconds: float = PATIENCE_SECONDS, least_rate: float = LEAST_RATE
) -> Downloads:
    """Downloads of which none is broken off because the machine is slow."""
    downloads = Downloads(at_once, stalled_seconds=stalled_seconds, least_rate=least_rate)
    downloads.lane = Lane(at_once, patience_seconds=PATIENCE_SECONDS)
    return downloads


async def _send(downloads: Downloads, told: Callable[[], Texts], reader: Reader) -> None:
    download = Download(downloads, told, "cup.csv", "text/csv")
    await download({"type": "http", "path": "/export"}, reader.receive, reader.send)


def test_all_is_sent_in_pieces() -> None:
    """The whole text arrives, under its headers, and nothing else."""

    async def read(count: int) -> Reader:
        reader = Reader()
        await _send(_downloads(), _lines(threading.Event(), count), reader)
        return reader

    for count in (0, 1, LINES):
        reader = asyncio.run(read(count))
        assert reader.body == (LINE * count).encode()
        assert reader.complete
        assert dict(reader.got[0]["headers"])[b"content-disposition"] == b'attachment; filename="cup.csv"'


def test_a_reader_who_pauses_holds_no_connection() -> None:
    """All is read from the database although nothing is taken; and what follows is sent all the same."""

    async def read() -> Reader:
        ended = threading.Event()
        reader = Reader(first=2)
        sending = asyncio.ensure_future(_send(_downloads(), _lines(ended), reader))
        assert await asyncio.to_thread(ended.wait, PATIENCE_SECONDS)
        await reader.paused.wait()
        assert len(reader.got) == 2
        reader.go_on.set()
        await sending
        return reader

    reader = asyncio.run(read())
    assert (reader.body, reader.complete) == ((LINE * LINES).encode(), True)


def test_a_reader_who_stops_is_not_waited_for() -> None:
    """Its file is closed after a while, although the connection stays open."""

    async def read() -> Reader:
        reader = Reader(first=1)
        await _send(_downloads(stalled_seconds=0.05), _lines(threading.Event()), reader)
        return reader

    assert not asyncio.run(read()).complete


def test_slow_readers_keep_no_place() -> None:
    """Once all is written the next one's turn has come, however long the sending lasts."""

    async def read() -> Reader:
        downloads, slow, after = _downloads(at_once=1), Reader(first=2), Reader()
        sending = asyncio.ensure_future(_send(downloads, _lines(threading.Event()), slow))
        await slow.paused.wait()
        await asyncio.wait_for(_send(downloads, _lines(threading.Event()), after), PATIENCE_SECONDS)
        slow.go_on.set()
        await sending
        assert slow.complete
        return after

    assert asyncio.run(read()).complete


def test_no_more_files_are_kept_than_there_is_room_for() -> None:
    """While one is sent, the next waits for its turn, and is told so at last."""

    async def read() -> Reader:
        downloads, slow, after = _downloads(), Reader(first=2), Reader()
        downloads.sent = Lane(1, patience_seconds=0.05)
        sending = asyncio.ensure_future(_send(downloads, _lines(threading.Event()), slow))
        await slow.paused.wait()
        with pytest.raises(UnavailableError):
            await _send(downloads, _lines(threading.Event()), after)
        slow.go_on.set()
        await sending
        await _send(downloads, _lines(threading.Event()), after)
        return after

    assert asyncio.run(read()).complete


@pytest.mark.parametrize(("least_rate", "complete"), [(1, True), (10**12, False)])
def test_a_reader_who_takes_too_little_is_not_waited_for(least_rate: float, complete: bool) -> None:
    """Each piece is taken in time; all together must be, too, but for the time that one may take."""

    async def read() -> Reader:
        reader = Reader(pause_seconds=0.1)
        patience = _downloads(stalled_seconds=PATIENCE_SECONDS if complete else 0.5, least_rate=least_rate)
        await _send(patience, _lines(threading.Event()), reader)
        return reader

    assert asyncio.run(read()).complete == complete


def test_for_a_reader_who_goes_away_nothing_more_is_read() -> None:
    """A text without end ends with its reader."""

    async def read() -> None:
        ended = threading.Event()
        reader = Reader(first=2)
        sending = asyncio.ensure_future(_send(_downloads(), _endless(ended), reader))
        await reader.paused.wait()
        reader.gone.set()
        reader.go_on.set()
        await asyncio.wait_for(sending, PATIENCE_SECONDS)
        assert ended.is_set()

    asyncio.run(read())


def test_no_more_are_written_at_once_than_have_a_connection() -> None:
    """Of many downloads two are being read from the database, and never another one."""
    inside, most = 0, 0
    lock, both = threading.Lock(), threading.Barrier(2)

    def told() -> Texts:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        yield LINE
        both.wait(PATIENCE_SECONDS)
        threading.Event().wait(0.02)
        with lock:
            inside -= 1

    async def read() -> list[Reader]:
        downloads = _downloads(at_once=2)
        readers = [Reader() for _ in range(20)]
        await asyncio.gather(*(_send(downloads, told, reader) for reader in readers))
        return readers

    assert all(reader.body == LINE.encode() for reader in asyncio.run(read()))
    assert most == 2


def test_what_fails_before_the_first_piece_is_an_error_like_any_other() -> None:
    """Nothing is sent of what cannot be read; and a text that breaks off is never said to be complete."""

    def failing(lines: int) -> Callable[[], Texts]:
        def told() -> Texts:
            yield from [LINE] * lines
            raise ZeroDivisionError

        return told

    async def read(lines: int) -> Reader:
        reader = Reader()
        with pytest.raises(ZeroDivisionError):
            await _send(_downloads(), failing(lines), reader)
        return reader

    assert asyncio.run(read(0)).got == []
    assert not asyncio.run(read(LINES)).complete
