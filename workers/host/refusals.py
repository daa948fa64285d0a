"""Whom the trusted side listens to no more, told through the broker to workers that have no database.

A sign of life of an attempt that was cancelled or given out anew is refused, and the refusal is kept under
the attempt's token for a while. A worker asks for it after each sign of life, so that it works for nothing
no longer than until the next one.
"""

from __future__ import annotations

import redis

from workers.core.redis_address import redis_url

TIMEOUT_SECONDS = 5
KEPT_SECONDS = 3600
LONGEST_TOKEN = 100


class Refusals:
    """The refusals that a broker keeps. Both methods raise `redis.RedisError` when it is away."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            redis_url(url), socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
        )

    def refuse(self, token: str) -> None:
        """Let whoever works under that token know."""
        if len(token) <= LONGEST_TOKEN:
            self._redis.set(key_of(token), 1, ex=KEPT_SECONDS)

    def refused(self, token: str) -> bool:
        """Whether what is done under that token is of no use."""
        return bool(self._redis.exists(key_of(token)))

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()


def key_of(token: str) -> str:
    """Below which key the broker keeps that an attempt was refused."""
    return f"arena.refused.{token}"
