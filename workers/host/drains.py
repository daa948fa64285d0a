"""Which hosts are to take nothing new, kept by the broker for workers that have no database."""

from __future__ import annotations

import redis

from workers.core.redis_address import redis_url

TIMEOUT_SECONDS = 2


class Drains:
    """What a broker keeps of hosts that are to take nothing new. All methods raise `redis.RedisError`."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            redis_url(url), socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
        )

    def tell(self, host: str, *, draining: bool) -> None:
        """Let the processes of a host know."""
        if draining:
            self._redis.set(key_of(host), 1)
        else:
            self._redis.delete(key_of(host))

    def asked(self, host: str) -> bool:
        """Whether that host is to take nothing new."""
        return bool(self._redis.exists(key_of(host)))

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()


def key_of(host: str) -> str:
    """Below which key the broker keeps that a host is to take nothing new."""
    return f"arena.draining.{host}"
