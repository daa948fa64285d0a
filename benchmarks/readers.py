"""A class that looks at its tournament at once: `python -m benchmarks.readers --readers 500 --seconds 60`.

Starts an arena on this machine, whose bots play, and counts what becomes of the readers' requests: of all at
once, and of as many pages as refresh themselves. Beside it stand the matches played with nobody looking.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.client.http import ArenaClient
from arena.core.folder import DataFolder
from arena.core.terms import MatchState
from arena.supervisor.launch import free_port, start, stop
from arena.web.pages.following import REFRESH_SECONDS
from bots.reference.pack import archive

TIMEOUT_SECONDS = 300.0
"""What browsers wait for an answer."""
HEALTH = "/api/v1/health"
HEALTH_SECONDS = 0.5
NAME = "class"
PLAN: dict[str, Any] = {
    "name": NAME,
    "game": "reversed_reversi",
    "params": {"size": 6},
    "format": "double_round_robin",
    "time": {"move_ms": 20_000},
    "openings": 20,
    "opening_plies": 4,
    "seed": 1,
}
BOTS = 8
PAGES = (*("",) * 8, "/crosstable", "/matches")
"""What ten readers look at."""


class Answer(NamedTuple):
    """What became of a request: its status, or a word where there is none; and the seconds that it took.

    `asked` and `answered` are when the request was out and when the answer was in.
    """

    status: str
    seconds: float
    retry_after: bool = False
    asked: float = 0.0
    answered: float = 0.0

    def overtook(self, others: Sequence[Answer]) -> int:
        """How many of the others were asked before this, and answered after it."""
        return sum(other.asked < self.asked and other.answered > self.answered for other in others)


async def ask(url: str, path: str) -> Answer:
    """Ask for a page, by a connection of its own."""
    address = urlsplit(url)
    began = time.perf_counter()
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n".encode()
            )
            asked = time.perf_counter()
            try:
                told = await reader.read()
            finally:
                writer.close()
                await writer.wait_closed()
    except (TimeoutError, OSError) as error:
        return Answer(type(error).__name__, time.perf_counter() - began)
    answered = time.perf_counter()
    head = told.partition(b"\r\n\r\n")[0].lower()
    status = head.split(b" ", 2)[1].decode() if head else "nothing"
    return Answer(status, answered - began, b"\r\nretry-after:" in head, asked, answered)


async def burst(url: str, paths: Sequence[str]) -> tuple[list[Answer], list[Answer]]:
    """What becomes of requests that are all made at once, and of questions about health meanwhile."""
    async with asking_health(url) as health:
        found = await asyncio.gather(*(ask(url, path) for path in paths))
    return list(found), health


async def refreshing(url: str, paths: Sequence[str], seconds: float) -> tuple[list[Answer], list[Answer]]:
    """What becomes of pages that refresh themselves for a while, and of questions about health."""
    async with asking_health(url) as health:
        readers = (
            _reader(url, path, REFRESH_SECONDS * number / len(paths), seconds)
            for number, path in enumerate(paths)
        )
        found = await asyncio.gather(*readers)
    return [answer for answers in found for answer in answers], health


async def _reader(url: str, path: str, delay: float, seconds: float) -> list[Answer]:
    until = time.monotonic() + seconds
    await asyncio.sleep(delay)
    answers = []
    while time.monotonic() < until:
        answers.append(await ask(url, path))
        await asyncio.sleep(REFRESH_SECONDS)
    return answers


@asynccontextmanager
async def asking_health(url: str) -> AsyncIterator[list[Answer]]:
    """Ask about health again and again meanwhile; the answers so far."""
    answers: list[Answer] = []

    async def go_on_asking() -> None:
        while True:
            answers.append(await ask(url, HEALTH))
            await asyncio.sleep(HEALTH_SECONDS)

    asking = asyncio.create_task(go_on_asking())
    try:
        yield answers
    finally:
        asking.cancel()


def told(what: str, answers: Sequence[Answer]) -> str:
    """A line of figures."""
    seconds = sorted(answer.seconds for answer in answers)
    late = seconds[int(len(seconds) * 0.99)]
    statuses = ", ".join(
        f"{count} of {status}" for status, count in Counter(a.status for a in answers).items()
    )
    return (
        f"{what}: {statuses}; median {statistics.median(seconds):.2f} s, 99 % within {late:.2f} s, "
        f"longest {seconds[-1]:.2f} s"
    )


def begin(client: ArenaClient) -> None:
    """Have eight bots play a long tournament."""
    client.create_tournament(PLAN)
    client.change(NAME, "open")
    for number in range(BOTS):
        client.submit(f"bot-{number}", "bot.zip", archive("random"), games=[PLAN["game"]])
    for number in range(BOTS):
        client.await_check(f"bot-{number}", 1)
        client.enter(NAME, f"bot-{number}")
    client.change(NAME, "start")


def played(client: ArenaClient) -> int:
    """How many matches are recorded."""
    return client.tournament(NAME).matches.get(MatchState.FINISHED, 0)


def main() -> None:
    """Start an arena, and print what becomes of its readers and of its matches."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--readers", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    paths = [f"/tournaments/{NAME}{PAGES[number % len(PAGES)]}" for number in range(asked.readers)]
    with tempfile.TemporaryDirectory() as folder:
        data = DataFolder.at(Path(folder) / "arena")
        state = start(data, "127.0.0.1", free_port("127.0.0.1"), asked.workers, lambda _: None)
        try:
            with ArenaClient(state.url, data.admin_token.read_text().strip()) as client:
                begin(client)
                _measure(client, paths, asked.seconds)
        finally:
            stop(data)


def _measure(client: ArenaClient, paths: Sequence[str], seconds: float) -> None:
    before = played(client)
    time.sleep(seconds)
    alone = played(client) - before
    for what, each in (("one page", paths[:1] * len(paths)), ("each a page of its own", _distinct(paths))):
        found, health = asyncio.run(burst(client.url, each))
        print(told(f"{len(paths)} at once, {what}", found))
        print(told("  health meanwhile", health))
    before, began = played(client), time.monotonic()
    found, health = asyncio.run(refreshing(client.url, paths, seconds))
    beside = (played(client) - before) * seconds / (time.monotonic() - began)
    print(told(f"{len(paths)} that refresh every {REFRESH_SECONDS} s for {seconds:g} s", found))
    print(told("  health meanwhile", health))
    print(f"matches in {seconds:g} s: {alone} with nobody looking, {beside:.0f} beside the readers")


def _distinct(paths: Sequence[str]) -> list[str]:
    return [f"{path}?reader={number}" for number, path in enumerate(paths)]


if __name__ == "__main__":
    main()
