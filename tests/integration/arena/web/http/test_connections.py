"""Who is slow, or is many, keeps nobody else out and takes no more than there is."""

from __future__ import annotations

import asyncio
import os
import select
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import pytest
import uvicorn
from fastapi import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.core.certificates import Certificates, Wanted
from arena.store.database import Database
from arena.supervisor.launch import free_port
from arena.web.http.body_limit import BodyLimit
from arena.web.http.connections import Guarded, Limits, Room
from tests.waiting import at_once, eventually

HOST = "127.0.0.1"
DESCRIPTORS = 512
LARGE = 8_000_000
SLOWLY = 64 * 1024
"""So much is taken in a second by who takes slowly."""
BODIES, HALF_BODY = 32, 8_000_000
HALF = b"GET / HTTP/1.1\r\nHost: arena\r\nX-Half: "
WHOLE = b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n"


async def sized(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with how many bytes a body has; other addresses with many, without looking at it."""
    size, pieces = 0, {"/large": 1, "/pieces": 80}.get(scope["path"], 0)
    while not pieces:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    body = b"x" * (LARGE // pieces) if pieces else str(size).encode()
    headers = [(b"content-length", str(len(body) * max(1, pieces)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for left in reversed(range(max(1, pieces))):
        await send({"type": "http.response.body", "body": body, "more_body": left > 0})


@dataclass
class Served:
    """A server of an application, and the connections to it."""

    port: int
    room: Room
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    async def sent(
        self, data: bytes, tls: ssl.SSLContext | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which so much was sent; it ends with the server."""
        reader, writer = await asyncio.open_connection(
            HOST, self.port, ssl=tls, server_hostname="localhost" if tls else None
        )
        self.writers.append(writer)
        writer.write(data)
        return reader, writer

    async def emptied(self) -> None:
        """Return when nobody is connected any more."""
        while self.room._addresses:  # noqa: ASYNC110  (the server tells nobody)
            await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(
    limits: Limits, app: ASGIApp = sized, certificate: Path | None = None
) -> AsyncIterator[Served]:
    """A server with these limits."""
    mine = Room(limits)

    class Ours(Guarded):
        room = mine

    port = free_port(HOST)
    config = uvicorn.Config(
        app, host=HOST, port=port, http=Ours, log_config=None, lifespan="off", ssl_certfile=certificate
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve())
    while not server.started:  # noqa: ASYNC110  (another task starts it)
        await asyncio.sleep(0.01)
    served = Served(port, mine)
    try:
        yield served
    finally:
        for writer in served.writers:
            writer.transport.abort()
        server.should_exit = True
        await task


async def status_of(reader: asyncio.StreamReader) -> int:
    """The status of the answer that comes."""
    return int((await reader.readline()).split()[1])


def test_headers_that_do_not_come_are_not_waited_for() -> None:
    """Half a request is told so and ended, silence is ended, and both leave the room."""

    async def run() -> None:
        async with serving(Limits(head_seconds=0.2)) as served:
            half, _ = await served.sent(HALF)
            silent, _ = await served.sent(b"")
            assert await status_of(half) == 408
            await half.read()
            assert await silent.read() == b""
            await served.emptied()
            assert not served.room._of
            assert not served.room._waiting

    asyncio.run(run())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel decides")
def test_who_vanishes_without_a_word_is_not_kept_for_long() -> None:
    """The kernel is told how long it may wait for a sign that what was sent has come."""

    async def run() -> None:
        async with serving(Limits()) as served:
            await served.sent(HALF)
            while not served.room._addresses:  # noqa: ASYNC110  (the server tells nobody)
                await asyncio.sleep(0.01)
            (connection,) = served.room._addresses
            there = connection._wire.get_extra_info("socket")
            assert there.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000

    asyncio.run(run())


def test_headers_without_end_are_refused() -> None:
    """As soon as they have more bytes than they may, also while another request is being answered."""

    async def run() -> None:
        async with serving(Limits(head_bytes=1000)) as served:
            for before in (b"", WHOLE):
                reader, writer = await served.sent(before + HALF)
                if before:
                    assert await status_of(reader) == 200
                    await reader.readuntil(b"\r\n\r\n0")
                writer.write(b"x" * 1001)
                assert await status_of(reader) == 431

    asyncio.run(run())


def test_who_waits_longest_gives_way_and_no_request_does() -> None:
    """In a full room those go that have sent nothing whole; when all are at work others are told to wait."""

    async def run() -> None:
        async with serving(Limits(most=3)) as served:
            first, _ = await served.sent(HALF)
            others = [
                await served.sent(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n") for _ in "ab"
            ]
            reader, _ = await served.sent(WHOLE)
            assert await status_of(reader) == 200
            with suppress(ConnectionError):
                assert await first.read() == b""
            working = await served.sent(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
            refused, _ = await served.sent(WHOLE)
            assert await status_of(refused) == 503
            for answered, body in (*others, working):
                body.write(b"x")
                assert await status_of(answered) == 200

    asyncio.run(run())


@pytest.mark.parametrize("path", [b"large", b"pieces"])
@pytest.mark.parametrize("secured", [False, True])
def test_an_answer_that_nobody_takes_is_given_up(tmp_path: Path, path: bytes, *, secured: bool) -> None:
    """Its bytes are not kept for longer than headers are waited for, by TLS and in pieces too."""
    certificates = Certificates(tmp_path / "https")
    certificates.renew(Wanted.here(HOST))
    believing = ssl.create_default_context(cafile=str(certificates.ca)) if secured else None

    async def run() -> None:
        mine = certificates.server if secured else None
        async with serving(Limits(head_seconds=0.2), certificate=mine) as served:
            asked = WHOLE.replace(b"GET /", b"GET /" + path)
            reader, _ = await served.sent(asked * 2, believing)
            assert await status_of(reader) == 200
            await served.emptied()

    asyncio.run(run())


def took(slow: socket.socket, size: int) -> bool:
    """Take so many bytes; whether they came."""
    while size and (piece := slow.recv(size)):
        size -= len(piece)
    return not size


def test_who_takes_slowly_is_waited_for() -> None:
    """All of a large answer comes, also where the kernel takes more of it in steps longer than our patience.

    The time passes at once; what the kernel has is waited for, as it comes without us.
    """

    async def run() -> None:
        async with serving(Limits()) as served:
            with socket.socket() as slow:
                slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2 * SLOWLY)
                slow.settimeout(60)
                slow.connect((HOST, served.port))
                slow.sendall(WHOLE.replace(b"GET /", b"GET /large"))
                while not select.select([slow], [], [], 0.01)[0]:  # noqa: ASYNC110  (the kernel tells nobody)
                    await asyncio.sleep(0)
                for taken in range(0, LARGE, SLOWLY):
                    assert took(slow, min(SLOWLY, LARGE - taken)), taken
                    await asyncio.sleep(1)

    at_once(run())


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    """It is refused with 408 and its connection ended, while a quick one beside it is taken."""

    async def refusing(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await sized(scope, receive, send)
        except HTTPException as error:
            headers = [
                (name.lower().encode(), value.encode()) for name, value in (error.headers or {}).items()
            ]
            headers.append((b"content-length", b"0"))
            await send({"type": "http.response.start", "status": error.status_code, "headers": headers})
            await send({"type": "http.response.body"})

    async def nobody(_scope: Scope) -> bool:
        return False

    app = BodyLimit(refusing, lambda _path, _kind: 1000, nobody, patience_seconds=0.2)

    async def run() -> None:
        async with serving(Limits(), app) as served:
            head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"
            slow, _ = await served.sent(head + b"x" * 9)
            quick, _ = await served.sent(head + b"x" * 10)
            assert await status_of(quick) == 200
            assert await status_of(slow) == 408
            assert b"connection: close" in (await slow.read()).lower()

    asyncio.run(run())


@contextmanager
def api_process(folder: Path) -> Iterator[tuple[int, psutil.Process]]:
    """The API with few descriptors: its port and its process."""
    database = Database(f"sqlite:///{folder}/arena.sqlite3")
    database.migrate()
    database.close()
    port = free_port(HOST)
    command = [
        "-m",
        "arena.web.server",
        HOST,
        str(port),
    ]
    limited = f'ulimit -n {DESCRIPTORS} && exec "$@"'
    environment = {**os.environ, "ARENA_DATA_DIR": str(folder), "PYTHONPATH": str(Path.cwd())}
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            ["/bin/sh", "-c", limited, "sh", sys.executable, *command],
            env=environment,
            cwd=folder,
            stdout=log,
            stderr=log,
        ) as process,
    ):
        try:
            eventually(lambda: is_served(port))
            yield port, psutil.Process(process.pid)
        finally:
            process.terminate()


def is_served(port: int) -> bool:
    """Whether somebody who reads is answered."""
    try:
        with urlopen(f"http://{HOST}:{port}/tournaments", timeout=60) as answer:
            return bool(answer.status == 200)
    except HTTPError:
        return False
    except OSError:
        return False


@pytest.mark.long
def test_half_requests_and_half_bodies_end_no_service(tmp_path: Path) -> None:
    """More half requests than descriptors keep no reader out, and half bodies take little memory."""
    with api_process(tmp_path) as (port, process), ExitStack() as held:

        def connected(data: bytes) -> None:
            connection = held.enter_context(socket.create_connection((HOST, port), 60))
            connection.settimeout(5)
            with suppress(OSError):  # it has been sent away, or has to wait
                connection.sendall(data)

        for number in range(1100):
            connected(HALF)
            if number % 100 == 99:
                assert is_served(port)
        assert process.num_fds() < DESCRIPTORS
        before = process.memory_info().rss
        head = b"POST /api/v1/tournaments HTTP/1.1\r\nHost: arena\r\nContent-Type: application/json\r\n"
        for _ in range(BODIES):
            connected(head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % (2 * HALF_BODY) + b" " * HALF_BODY)
        assert is_served(port)
        assert process.memory_info().rss - before < BODIES * HALF_BODY / 4
