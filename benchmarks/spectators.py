"""Spectators of one live tournament: `python -m benchmarks.spectators --spectators 500 --rate 20`.

Starts an arena whose bots play, and looks at it as many browsers do: each reads a page, follows the stream
that it names, and reads the page again when its revision has changed, at most once a second; one in five has
the projector's page, with moves. What matches do not tell is made up with announcements, so that so many
events a second come in all. Prints how late each event came to each, how many did not come, what became of
the pages and of questions about health, and what the worker takes for a match then and else.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import json
import os
import random
import re
import tempfile
import threading
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.client.http import ArenaClient
from arena.core.folder import DataFolder
from arena.core.running import ArenaState, read_state
from arena.core.settings import read
from arena.events.bell import Bell
from arena.events.visible import event_of
from arena.store import event_log, events, tournaments
from arena.store.database import Database
from arena.store.models.event_types import Announced
from arena.supervisor.launch import free_port, start, stop
from benchmarks.readers import NAME, Answer, asking_health, begin, played, told
from benchmarks.serving import cpu

PAGE = f"/tournaments/{NAME}"
FOLLOWED = re.compile(rb'<meta name="live" content="([^"]+)" data-revision="(\d+)"')
HEAD_BYTES = 4096
"""So much of a page says what it follows."""
MIN_SECONDS = SPREAD_SECONDS = 1.0
"""As `live.js` has it."""
SETTLING_SECONDS = 5.0
GZIP = 16 + zlib.MAX_WBITS


class Spectator:
    """A browser at a page.

    `late` is how late events came, by their numbers, after `from_number`; `reads` are the page's answers.
    """

    def __init__(self, url: str, path: str) -> None:
        self.late: dict[int, float] = {}
        self.reads: list[Answer] = []
        self.from_number: int | None = None
        self._address = urlsplit(url)
        self._path = path
        self._revision = 0
        self._stale = asyncio.Event()

    async def watch(self) -> None:
        """Look until cancelled."""
        reader, writer = await self._connect()
        try:
            stream = await self._read(reader, writer)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._follow(stream))
                both.create_task(self._keep_true(reader, writer))
        finally:
            writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self._address.hostname, self._address.port)

    def _ask(self, writer: asyncio.StreamWriter, path: str) -> None:
        head = f"GET {path} HTTP/1.1\r\nHost: {self._address.netloc}\r\nAccept-Encoding: gzip\r\n\r\n"
        writer.write(head.encode())

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        """Read the page by a connection that stays open; the stream that it names."""
        began = time.perf_counter()
        self._ask(writer, self._path)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await reader.readexactly(int(head.partition(b"content-length:")[2].split()[0]))
        self.reads.append(Answer(head.split(b" ", 2)[1].decode(), time.perf_counter() - began))
        if b"content-encoding: gzip" in head:
            body = zlib.decompressobj(GZIP).decompress(body, HEAD_BYTES)
        found = FOLLOWED.search(body)
        if found is None:
            raise SystemExit(f"the page {self._path} follows nothing: {head.decode()}")
        self._revision = int(found[2])
        return found[1].decode()

    async def _follow(self, stream: str) -> None:
        reader, writer = await self._connect()
        self._ask(writer, stream)
        kind = b""
        try:
            while line := await reader.readline():
                if line.startswith(b"event:"):
                    kind = line[6:].strip()
                elif line.startswith(b"id:") and self.from_number is None:
                    self.from_number = int(line[3:])
                elif line.startswith(b"data:") and kind != b"moves":
                    self._take(kind, json.loads(line[5:]))
        finally:
            writer.close()

    def _take(self, kind: bytes, data: dict[str, Any]) -> None:
        if kind != b"progress":
            self.late[data["number"]] = time.time() - dt.datetime.fromisoformat(data["at"]).timestamp()
        elif data["revision"] != self._revision:
            self._stale.set()

    async def _keep_true(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await self._stale.wait()
            await asyncio.sleep(random.uniform(0, SPREAD_SECONDS))
            self._stale.clear()
            began = time.monotonic()
            await self._read(reader, writer)
            await asyncio.sleep(max(0.0, began + MIN_SECONDS - time.monotonic()))


class Measured(NamedTuple):
    """What matches took for a while: how many there were, and the worker's processor time for each."""

    matches: int
    milliseconds: float
    api: float

    def __str__(self) -> str:
        worker = f"{self.milliseconds:.2f} ms of the worker each"
        return f"{self.matches} matches, {worker}, API {100 * self.api:.0f} % of a core"


class Playing:
    """An arena that plays, and what its processes take."""

    def __init__(self, client: ArenaClient, state: ArenaState, data: DataFolder) -> None:
        self.client = client
        os.environ |= {"ARENA_DATA_DIR": str(data.root), "ARENA_BROKER_URL": state.broker_url}
        self._bell = Bell(state.broker_url)
        self._database = Database(read().database_url, on_news=self._bell.ring)
        now = read_state(data) or state
        self._pids = {child.name: child.pid for child in now.children if child.pid}
        self._before = (0, 0.0, 0.0, 0.0)

    def close(self) -> None:
        """Close what is open."""
        self._database.close()
        self._bell.close()

    def begin(self) -> None:
        """Measure from now on."""
        self._before = self._now()

    def end(self) -> Measured:
        """What was used since then."""
        (matches, worker, api, at), before = self._now(), self._before
        done = matches - before[0]
        return Measured(done, 1000 * (worker - before[1]) / done, (api - before[2]) / (at - before[3]))

    def _now(self) -> tuple[int, float, float, float]:
        worker, api = (
            sum(cpu(pid) for name, pid in self._pids.items() if name.startswith(kind))
            for kind in ("worker", "api")
        )
        return played(self.client), worker, api, time.monotonic()

    def last_number(self) -> int:
        """The number of the last event so far."""
        with self._database.reading() as session:
            return event_log.last_number(session)

    def numbers(self, after: int, last: int) -> set[int]:
        """The numbers of the events of the tournament in a range that all may see, as the log has them."""
        with self._database.reading() as session:
            tournament = tournaments.by_name(session, NAME)
            assert tournament is not None
            lines = event_log.after(session, after, last - after, up_to=last, tournament=tournament.id)
        return {line.number for line in lines if event_of(line, staff=False)}

    def announce(self, rate: float, stop_: threading.Event) -> None:
        """Tell something so often that so many events a second come in all."""
        before, began, told_ = self.last_number(), time.monotonic(), 0
        while not stop_.wait(0.5 / rate):
            if self.last_number() - before < rate * (time.monotonic() - began):
                with self._database.transaction() as session:
                    tournament = tournaments.by_name(session, NAME)
                    told_ += 1
                    events.log(session, Announced(f"announcement {told_}"), tournament=tournament)


async def watched(playing: Playing, asked: argparse.Namespace) -> None:
    """Have spectators look for a while, and print what they saw."""
    url = playing.client.url
    paths = [PAGE + ("/present" if number % 5 == 4 else "") for number in range(asked.spectators)]
    spectators = [Spectator(url, path) for path in paths]
    tasks = [asyncio.create_task(each.watch()) for each in spectators]
    enough = threading.Event()
    announcing = asyncio.create_task(asyncio.to_thread(playing.announce, asked.rate, enough))
    while any(each.from_number is None for each in spectators):
        await asyncio.sleep(0.1)
        await _fail_early(tasks)
    await asyncio.sleep(SETTLING_SECONDS)
    reads = [len(each.reads) for each in spectators]
    first, began = await asyncio.to_thread(playing.last_number), time.monotonic()
    await asyncio.to_thread(playing.begin)
    async with asking_health(url) as health:
        await asyncio.sleep(asked.seconds)
    last, seconds = await asyncio.to_thread(playing.last_number), time.monotonic() - began
    used = await asyncio.to_thread(playing.end)
    await asyncio.sleep(SETTLING_SECONDS)
    enough.set()
    await announcing
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    wanted = playing.numbers(first, last)
    print(f"{len(spectators)} spectators for {seconds:.0f} s: {used}")
    print(_events(spectators, wanted, seconds))
    print(
        told(
            "  pages read again",
            [each for s, n in zip(spectators, reads, strict=True) for each in s.reads[n:]],
        )
    )
    print(told("  health meanwhile", health))


async def _fail_early(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            await task


def _events(spectators: Sequence[Spectator], wanted: set[int], seconds: float) -> str:
    late = sorted(each.late[number] for each in spectators for number in wanted & each.late.keys())
    missing = sum(len(wanted - each.late.keys()) for each in spectators)
    median, most = late[len(late) // 2], late[int(len(late) * 0.99)]
    return (
        f"  {len(wanted) / seconds:.1f} events a second, {missing} of {len(wanted) * len(spectators)} did "
        f"not come; median {median:.3f} s, 99 % within {most:.3f} s, longest {late[-1]:.3f} s"
    )


def main() -> None:
    """Start an arena, and print what its spectators see and what they cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = DataFolder.at(Path(folder) / "arena")
        state = start(data, "127.0.0.1", free_port("127.0.0.1"), asked.workers, lambda _: None)
        try:
            with ArenaClient(state.url, data.admin_token.read_text().strip()) as client:
                begin(client)
                playing = Playing(client, state, data)
                playing.begin()
                time.sleep(asked.seconds)
                print(f"nobody looks for {asked.seconds:g} s: {playing.end()}")
                asyncio.run(watched(playing, asked))
                playing.close()
        finally:
            stop(data)


if __name__ == "__main__":
    main()
