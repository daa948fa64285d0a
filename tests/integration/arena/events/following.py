"""Whoever reads a stream of the feed, and what its tests are given."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from arena.events.channels import Scope
from arena.events.feed import Feed
from workers.core.contract import MoveRecord
from workers.core.live import line_of

Server = tuple[Path, subprocess.Popen[bytes]]
Run = Callable[[Callable[[Feed], Awaitable[None]]], None]
Announce = Callable[..., None]
ARENA = Scope(None, None, moves=False, staff=False)
PATIENCE_SECONDS = 300.0
BEGINS = re.compile(rb"^id: ([0-9]+)\n: here begins the present\n\n", re.MULTILINE)


class Follower:
    """Reads a stream, piece by piece, into events."""

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        self._pieces = pieces
        self._events: list[tuple[int | None, str, Any]] = []

    async def _read(self) -> bytes:
        piece = await asyncio.wait_for(anext(self._pieces), PATIENCE_SECONDS)
        self._events += _events(piece)
        return piece

    async def present(self) -> int:
        """Wait until what happens from now on is told; the number after which that is."""
        while not (begins := BEGINS.search(await self._read())):
            pass
        return int(begins[1])

    async def next(self) -> tuple[int | None, str, Any]:
        """The next event: its number, its kind and its data."""
        while not self._events:
            await self._read()
        return self._events.pop(0)

    async def of_kind(self, kind: str) -> Any:
        """The data of the next event of a kind."""
        while True:
            _, found, data = await self.next()
            if found == kind:
                return data

    async def close(self) -> None:
        """Go away."""
        await self._pieces.aclose()  # type: ignore[attr-defined]  # it is a generator


def _events(piece: bytes) -> list[tuple[int | None, str, Any]]:
    found = []
    for block in piece.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":") and line)
        if "data" in fields:
            number = int(fields["id"]) if "id" in fields else None
            found.append((number, fields["event"], json.loads(fields["data"])))
    return found


def moves_of(*texts: str) -> bytes:
    """As a worker writes moves that are made one after another."""
    return b"".join(line_of(MoveRecord(ply=ply, seat=0, move=text)) for ply, text in enumerate(texts))
