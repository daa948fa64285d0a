"""Who is slow with a large body keeps nobody else out; the time passes at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import HTTPException
from starlette.types import Message, Receive, Scope, Send

from arena.web.http.body_limit import CARRIERS, FAIR_BYTES_A_SECOND, BodyLimit
from tests.waiting import at_once

KIB = 1024
SIZE = 2048 * KIB
STRANGERS = "/stranger"
"""Nobody knows who sends something there."""


class Reader:
    """Reads bodies, and then works on each; which were there, and when."""

    def __init__(self, works_seconds: float = 0.0) -> None:
        self.limit = BodyLimit(self, lambda _path, _kind: 2 * SIZE, _knows)
        self.works_seconds = works_seconds
        self.read: list[tuple[str, float]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read all, and work."""
        del send
        while (await receive())["more_body"]:
            pass
        self.read.append((scope["path"], asyncio.get_running_loop().time()))
        await asyncio.sleep(self.works_seconds)

    async def sent(self, path: str, bytes_a_second: float, *, announced: bool = True) -> int:
        """The status of what comes so fast, in pieces of a second's worth."""
        left = SIZE

        async def receive() -> Message:
            nonlocal left
            await asyncio.sleep(1.0)
            piece = min(left, int(bytes_a_second))
            left -= piece
            return {"type": "http.request", "body": b" " * piece, "more_body": left > 0}

        headers = [(b"content-length", str(SIZE).encode())] if announced else []
        scope: dict[str, Any] = {"type": "http", "path": path, "headers": headers}
        try:
            await self.limit(scope, receive, _nothing)
        except HTTPException as error:
            return error.status_code
        return 200


async def _knows(scope: Scope) -> bool:
    return str(scope["path"]) != STRANGERS


async def _nothing(_message: Message) -> None:
    """Nobody is answered."""


def test_the_slowest_gives_way_to_who_waits() -> None:
    """With 408, one for each who waits; the others of the slow ones go on."""

    async def run() -> None:
        reader = Reader()
        slow = [asyncio.create_task(reader.sent("slow", (20 + n) * KIB)) for n in range(CARRIERS)]
        await asyncio.sleep(0.5)
        assert await reader.sent("quick", SIZE) == 200
        assert reader.read[0][1] < 7
        assert await reader.sent("unannounced", SIZE, announced=False) == 200
        assert await asyncio.gather(*slow) == [408, *[200] * (CARRIERS - 1)]

    at_once(run())


def test_who_is_fast_enough_gives_way_to_nobody() -> None:
    """Who comes later waits for a place, and is told to come again when none is free in time."""

    async def run() -> None:
        reader = Reader()
        fair = [asyncio.create_task(reader.sent("fair", 1.5 * FAIR_BYTES_A_SECOND)) for _ in range(CARRIERS)]
        await asyncio.sleep(0.5)
        late = asyncio.create_task(reader.sent("late", SIZE))
        assert await late == 503
        assert await asyncio.gather(*fair) == [200] * CARRIERS

    at_once(run())


@pytest.mark.parametrize("works_seconds", [0.0, 1000.0])
def test_a_place_is_free_when_the_body_is_there(works_seconds: float) -> None:
    """However long the answer to it takes."""

    async def run() -> None:
        reader = Reader(works_seconds)
        asked = [asyncio.create_task(reader.sent("quick", SIZE)) for _ in range(3 * CARRIERS)]
        assert await asyncio.gather(*asked) == [200] * len(asked)
        assert max(at for _, at in reader.read) < 4

    at_once(run())


@pytest.mark.parametrize("announced", [True, False])
def test_who_is_not_known_sends_little(*, announced: bool) -> None:
    """With more they are refused as soon as that is seen, and nobody has read a piece of what is too much."""
    reader = Reader()

    async def run() -> None:
        for path, status in ((STRANGERS, 413), ("/somebody", 200)):
            assert await reader.sent(path, SIZE, announced=announced) == status

    at_once(run())
    assert [path for path, _ in reader.read] == ["/somebody"]
