"""Moves of matches that are being played, as workers write them to the broker's server.

Anybody on the broker may write there. So a match is looked for only while the database says that it is
played, under the name that follows from its present token; lines are read a bounded piece at a time, each is
checked for its form, and the first that no worker would write ends what is told of that match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import structlog
from redis import asyncio as aioredis

from arena.events.bell import TIMEOUT_SECONDS
from arena.schemas.events import LiveMove, LiveMoves
from arena.store.event_log import Running
from workers.core.live import MAX_BYTES, MAX_LINE_BYTES, place, ply_of
from workers.core.redis_address import redis_url

PIECE_BYTES = 16 * 1024
"""So much of a match is read at a look."""
MAX_TOTAL_BYTES = 4 * 2**20
"""So much is kept of all matches together, of each an equal part; of the longer ones no more is told then."""

log = structlog.get_logger()


class _Match:
    """What is known of one attempt: `moves` are those read so far."""

    def __init__(self, running: Running) -> None:
        self.running = running
        self.place = place(running.token)
        self.moves: list[LiveMove] = []
        self.read = 0
        self.broken = False

    def take(self, piece: bytes) -> list[LiveMove]:
        """The moves in whole lines of a piece that follows what was read."""
        whole = piece[: piece.rfind(b"\n") + 1]
        new: list[LiveMove] = []
        if not whole and len(piece) > MAX_LINE_BYTES:
            self._break("a line without end")
        for line in whole.splitlines():
            try:
                ply = ply_of(line)
            except ValueError as error:
                self._break(str(error))
                break
            new.append(LiveMove(ply=len(self.moves) + len(new), **ply._asdict()))
        self.read += len(whole)
        self.moves += new
        return new

    def _break(self, why: str) -> None:
        self.broken = True
        log.warning("moves are not told", match=self.running.match_id, reason=why)

    def told(self, moves: Sequence[LiveMove]) -> LiveMoves:
        """Some of the moves, as others are told."""
        running = self.running
        return LiveMoves(
            tournament=running.tournament, match=running.match, attempt=running.attempt, moves=list(moves)
        )


class LiveReader:
    """The matches that somebody watches, and their moves so far; asks the broker in an event loop."""

    def __init__(self, url: str) -> None:
        self._redis: Any = aioredis.Redis.from_url(
            redis_url(url), socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
        )
        self._matches: dict[str, _Match] = {}

    def __bool__(self) -> bool:
        return bool(self._matches)

    def watch(self, running: Collection[Running]) -> None:
        """Follow these matches from now on and no others."""
        self._matches = {each.token: self._matches.get(each.token) or _Match(each) for each in running}

    def so_far(self) -> Iterator[tuple[Running, LiveMoves]]:
        """All moves of every match that has any."""
        for match in self._matches.values():
            if match.moves:
                yield match.running, match.told(match.moves)

    async def news(self) -> list[tuple[Running, LiveMoves]]:
        """The moves that were made since this was asked before.

        Raises:
            redis.RedisError: the broker is away.
        """
        part = min(MAX_BYTES, MAX_TOTAL_BYTES // max(1, len(self._matches)))
        asked = [each for each in list(self._matches.values()) if not each.broken and each.read < part]
        if not asked:
            return []
        asking = self._redis.pipeline(transaction=False)
        for match in asked:
            asking.getrange(match.place, match.read, min(match.read + PIECE_BYTES, part) - 1)
        pieces: list[bytes] = await asking.execute(raise_on_error=False)
        found = []
        for match, piece in zip(asked, pieces, strict=True):
            if isinstance(piece, bytes) and piece and (new := match.take(piece)):
                found.append((match.running, match.told(new)))
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()
