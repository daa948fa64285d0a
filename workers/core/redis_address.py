"""A broker's address as other libraries write it."""

from __future__ import annotations


def redis_url(url: str) -> str:
    """A broker's address as redis-py writes it.

    Raises:
        ValueError: it is no Redis or Valkey server.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "redis+socket":
        return f"unix://{rest}"
    if scheme in {"redis", "rediss"}:
        return url
    raise ValueError("the broker must be a Redis or Valkey server: redis://... or redis+socket://...")
