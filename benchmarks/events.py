"""Following an arena: what readers of many events cost and how late they hear; a coordinator without work.

Beside the arena's process runs, in turns, a bare server of the same kind that writes as many lines as often
to as many connections, without a database: what cannot be had for less with this server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import redis

from arena.core.settings import read
from arena.events.bell import CHANNEL, Bell
from arena.store import events
from arena.store.database import Database
from arena.store.models.event_types import Announced
from benchmarks.serving import Server, cpu, running, served, valkey
from workers.core.redis_address import redis_url
from workers.core.signing import read_or_make_key

WARM_SECONDS = 5.0
BARE = """
import asyncio, json, time
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.routing import Route
news, told = asyncio.Event(), b""
async def stream(request):
    async def body():
        while True:
            await news.wait()
            yield told
    return EventSourceResponse(body(), ping=15)
async def tick():
    global news, told
    while True:
        await asyncio.sleep(1 / RATE)
        data = json.dumps({"data": {"text": repr(time.time())}})
        told = f"event: announcement\\ndata: {data}\\n\\n".encode()
        news.set()
        news = asyncio.Event()
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        app.ticking = asyncio.create_task(tick())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    await site(scope, receive, send)
site = Starlette(routes=[Route("/api/v1/events", stream)])
"""


class Readers:
    """Many connections that read a stream, and how late each event came to each."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.counting = False
        self.connected = 0

    async def read(self, url: str) -> None:
        """Follow until cancelled."""
        address = urlsplit(url)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        writer.write(f"GET /api/v1/events HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
        try:
            await reader.readline()
            self.connected += 1
            while line := await reader.readline():
                if line.startswith(b"data:") and self.counting:
                    written = float(json.loads(line[5:])["data"]["text"])
                    self.late.append(time.time() - written)
        finally:
            writer.close()


def await_listener(url: str) -> None:
    """Return when somebody listens to the bell."""
    with redis.Redis.from_url(redis_url(url)) as client:
        while True:
            with contextlib.suppress(redis.ConnectionError):
                if client.pubsub_numsub(CHANNEL)[0][1]:
                    return
            time.sleep(0.1)


async def follow(
    server: Server, asked: argparse.Namespace, database: Database | None
) -> tuple[list[float], float]:
    """How late events came to all readers, and the server's share of a core; written here if at all."""
    told = Readers()
    tasks = [asyncio.create_task(told.read(server.url)) for _ in range(asked.readers)]
    stop = threading.Event()
    writing = asyncio.create_task(asyncio.to_thread(_write, database, asked.rate, stop))
    while told.connected < asked.readers:  # noqa: ASYNC110  (the readers count)
        await asyncio.sleep(0.1)
    await asyncio.sleep(WARM_SECONDS)
    told.counting, before, began = True, cpu(server.process), time.monotonic()
    await asyncio.sleep(asked.seconds)
    told.counting = False
    used = (cpu(server.process) - before) / (time.monotonic() - began)
    stop.set()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await writing
    return sorted(told.late), used


def _write(database: Database | None, rate: float, stop: threading.Event) -> None:
    while database is not None and not stop.wait(1 / rate):
        with database.transaction() as session:
            events.log(session, Announced(repr(time.time())))


def report(what: str, late: list[float], used: float, asked: argparse.Namespace) -> None:
    """A line of figures."""
    readers, seconds = asked.readers, asked.seconds
    median, last = late[len(late) // 2], late[int(len(late) * 0.99)]
    print(
        f"{what}: {len(late) / readers:.0f} events to each of {readers}, median {1000 * median:.0f} ms, "
        f"99 % within {1000 * last:.0f} ms; {100 * used:.0f} % of a core, "
        f"{1e6 * used * seconds / len(late):.0f} µs for each event and reader"
    )


def idle(folder: Path, environment: dict[str, str], seconds: float) -> None:
    """Print what a coordinator takes that has nothing to do."""
    read_or_make_key(folder / "signing-key")
    with running([sys.executable, "-m", "arena.coordinator"], environment, folder) as process:
        await_listener(environment["ARENA_BROKER_URL"])
        time.sleep(WARM_SECONDS)
        before, began = cpu(process), time.monotonic()
        time.sleep(seconds)
        used = (cpu(process) - before) / (time.monotonic() - began)
    print(f"an idle coordinator: {100 * used:.2f} % of a core")


def main() -> None:
    """Print the figures of one run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--readers", type=int, default=500)
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, address = Path(name), Path(name) / "valkey.sock"
        (folder / "bare.py").write_text(BARE.replace("RATE", str(asked.rate)))
        os.environ |= {"ARENA_DATA_DIR": name, "ARENA_BROKER_URL": f"redis+socket://{address}"}
        environment = dict(os.environ)
        bell = Bell(os.environ["ARENA_BROKER_URL"])
        database = Database(read().database_url, on_news=bell.ring)
        database.migrate()
        with valkey(folder):
            idle(folder, environment, asked.seconds)
            for _ in range(asked.rounds):
                for what, target in (("bare", "bare:app"), ("arena", "arena.web.app:create_app")):
                    with served(target, environment, folder, factory=what == "arena") as server:
                        into = database if what == "arena" else None
                        late, used = asyncio.run(follow(server, asked, into))
                    report(what, late, used, asked)
        database.close()
        bell.close()


if __name__ == "__main__":
    main()
