"""The bell: a word to every process of the arena that there is something new in the database, and no more.

It goes through the broker's server, where worker hosts can write. So nothing is read from it: whoever hears
the bell looks into the database, at most so often, and looks there every few seconds without it as well.
"""

from __future__ import annotations

import time
from typing import Any

import redis
import structlog
from redis import asyncio as aioredis

from workers.core.redis_address import redis_url

CHANNEL = "arena.bell"
TIMEOUT_SECONDS = 0.5
MUTE_SECONDS = 5.0
"""After a broker did not take it, so long nobody tries: those who listen look by themselves."""
HEARD_AT_ONCE = 1000
"""So many words that have come meanwhile are one."""

log = structlog.get_logger()


class Bell:
    """Rings, from any thread."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            redis_url(url), socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
        )
        self._mute_until = 0.0

    def ring(self) -> None:
        """Tell all who listen; a broker that is away is passed over."""
        if time.monotonic() < self._mute_until:
            return
        try:
            self._redis.publish(CHANNEL, b"")
        except redis.RedisError as error:
            self._mute_until = time.monotonic() + MUTE_SECONDS
            log.warning("the bell was not rung", error=str(error))

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()


class Listener:
    """Hears the bell, in one thread. Every method raises `redis.RedisError` when the broker is away."""

    def __init__(self, url: str, timeout_seconds: float) -> None:
        self._redis = redis.Redis.from_url(
            redis_url(url), socket_timeout=timeout_seconds, socket_connect_timeout=timeout_seconds
        )
        self._channel: Any = self._redis.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]  # redis-py

    def heard(self, seconds: float) -> bool:
        """Whether the bell rings within so many seconds, or did since this was asked before."""
        if not self._channel.subscribed:
            self._channel.subscribe(CHANNEL)
            return True  # it may have rung before
        if self._channel.get_message(timeout=seconds) is None:
            return False
        for _ in range(HEARD_AT_ONCE):
            if self._channel.get_message(timeout=0) is None:
                break
        return True

    def close(self) -> None:
        """Close the connections."""
        self._channel.close()
        self._redis.close()


class AsyncListener:
    """Hears the bell in an event loop. Methods raise `redis.RedisError` when the broker is away."""

    def __init__(self, url: str) -> None:
        self._redis = aioredis.Redis.from_url(redis_url(url), socket_connect_timeout=TIMEOUT_SECONDS)
        self._channel = self._redis.pubsub(ignore_subscribe_messages=True)

    async def heard(self, seconds: float) -> bool:
        """Whether the bell rings within so many seconds, or did since this was asked before."""
        if not self._channel.subscribed:
            await self._channel.subscribe(CHANNEL)
            return True  # it may have rung before
        if await self._channel.get_message(timeout=seconds) is None:
            return False
        for _ in range(HEARD_AT_ONCE):
            if await self._channel.get_message(timeout=0) is None:
                break
        return True

    async def close(self) -> None:
        """Close the connections."""
        await self._channel.aclose()  # type: ignore[no-untyped-call]  # redis-py
        await self._redis.aclose()
