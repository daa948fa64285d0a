"""What a client does not take, or sends beside a body, has an end; the time passes at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from arena.web.http.connections import MIN_TAKEN_BYTES, Guarded, Limits, Room
from tests.waiting import at_once

LIMITS = Limits(most=4, most_of_one=2, head_seconds=16.0, head_bytes=1000)
ASKED = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
IN_CHUNKS = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"


class Wire(asyncio.Transport):
    """A connection whose other end takes as much as the test says."""

    def __init__(self, address: str = "192.0.2.7") -> None:
        super().__init__({"peername": (address, 5000), "sockname": ("192.0.2.1", 80)})
        self.written, self.left, self.keeps = b"", 0, False
        self.closed, self.aborted = False, False

    def write(self, data: Any) -> None:
        """Keep it where the other end takes nothing."""
        self.written += bytes(data)
        self.left += len(data) if self.keeps else 0

    def get_write_buffer_size(self) -> int:
        """What has not been taken."""
        return self.left

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """The test tells when all was taken."""

    def is_closing(self) -> bool:
        """Whether it will end."""
        return self.closed or self.aborted

    def close(self) -> None:
        """End when all was taken."""
        self.closed = True

    def abort(self) -> None:
        """End."""
        self.aborted = True

    def pause_reading(self) -> None:
        """The test sends all the same."""

    def resume_reading(self) -> None:
        """It has never paused."""


async def reading(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers when all of the body is there."""
    while (await receive()).get("more_body"):
        pass
    body = repr(scope["headers"]).encode()
    head = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})


def connected(room: Room, wire: Wire, app: Any = reading) -> Guarded:
    """A connection of a server in that room."""

    class Ours(Guarded):
        pass

    Ours.room = room
    config = uvicorn.Config(app, http=Ours, log_config=None, lifespan="off")
    connection = Ours(config=config, server_state=ServerState(), app_state={})
    connection.connection_made(wire)
    return connection


async def turns() -> None:
    """Let all go on that can."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.parametrize("first", [ASKED, ASKED * 2, ASKED.replace(b"1.1", b"1.0")])
def test_what_is_not_taken_is_given_up(first: bytes) -> None:
    """Also where a second request waits, or the connection is to be closed after the answer."""

    async def run() -> None:
        wire = Wire()
        connection = connected(Room(LIMITS), wire)
        wire.keeps = True
        connection.data_received(first)
        await turns()
        assert wire.written.startswith(b"HTTP/1.1 200")
        if first == ASKED * 2:
            connection.data_received(IN_CHUNKS)
        await asyncio.sleep(2 * LIMITS.head_seconds)
        assert wire.aborted
        assert not connection._room._addresses

    at_once(run())


def test_who_takes_slowly_is_waited_for_and_who_takes_all_as_well() -> None:
    """While enough is taken in the time for headers, or all was at some moment, the answer goes on."""

    async def run() -> None:
        wire = Wire()
        connection = connected(Room(LIMITS), wire, forever)
        connection.data_received(ASKED)
        wire.left = 20 * MIN_TAKEN_BYTES
        for _ in range(18):
            await asyncio.sleep(LIMITS.head_seconds * 0.7)
            wire.left -= MIN_TAKEN_BYTES
        for _ in range(18):
            await asyncio.sleep(LIMITS.head_seconds * 0.7)
            connection.resume_writing()
        assert not wire.aborted
        await asyncio.sleep(LIMITS.head_seconds * 1.3)
        assert wire.aborted

    at_once(run())


async def forever(scope: Scope, receive: Receive, send: Send) -> None:
    """Is at work for ever."""
    del scope, receive, send
    await asyncio.Event().wait()


def test_what_follows_a_body_in_chunks_has_an_end_and_is_no_header() -> None:
    """As many bytes as headers may have, however they come; no application sees them."""

    async def run() -> None:
        for trailer in (b"X: " + b"y" * 100, b"X: y\r\n" * 20):
            wire = Wire()
            connection = connected(Room(LIMITS), wire)
            connection.data_received(IN_CHUNKS)
            connection.data_received(b"0\r\n")
            for _ in range(12):
                connection.data_received(trailer)
            assert wire.written.startswith(b"HTTP/1.1 431")
            assert wire.closed
        wire = Wire()
        connection = connected(Room(LIMITS), wire)
        connection.data_received(IN_CHUNKS + b"0\r\nAuthorization: x\r\n\r\n")
        await turns()
        assert b"transfer-encoding" in wire.written
        assert b"authorization" not in wire.written

    at_once(run())


def test_a_refusal_that_is_not_taken_ends_at_once() -> None:
    """Nobody counts such a connection any more; and it is not written into an answer that has begun."""

    async def begun(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
        await forever(scope, receive, send)

    async def run() -> None:
        wire = Wire()
        connection = connected(Room(LIMITS), wire)
        wire.keeps = True
        connection.data_received(b"GET / HTTP/1.1\r\nX: " + b"y" * 1001)
        assert wire.aborted
        wire = Wire()
        connection = connected(Room(LIMITS), wire, begun)
        connection.data_received(IN_CHUNKS)
        await turns()
        connection.data_received(b"0\r\nX: " + b"y" * 1001)
        assert wire.closed
        assert b"431" not in wire.written

    at_once(run())


@pytest.mark.parametrize(
    ("crowd", "has_all"),
    [
        (["::1"] * 3, True),
        (["127.0.0.1", "::ffff:127.0.0.1", "127.0.0.2"], True),
        (["2001:db8::1", "2001:db8::2", "2001:db8::3"], False),
        (["::2"] * 3, False),
        (["::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"], False),
    ],
)
def test_this_machine_may_have_the_whole_room_and_no_network(crowd: list[str], has_all: bool) -> None:
    """Addresses of IPv6 are counted by their network, of which none is this machine's own."""

    async def run() -> None:
        room = Room(LIMITS)
        wires = [Wire(each) for each in crowd]
        for wire in wires:
            connected(room, wire, forever).data_received(ASKED)
        assert [wire.closed for wire in wires] == [False, False, not has_all]

    at_once(run())
