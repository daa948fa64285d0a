"""A broker's address for redis-py."""

from __future__ import annotations

import pytest

from workers.core.redis_address import redis_url


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("redis+socket:///run/valkey.sock", "unix:///run/valkey.sock"),
        ("redis://host:6379/1", "redis://host:6379/1"),
        ("rediss://host/0", "rediss://host/0"),
    ],
)
def test_addresses_are_those_of_redis(url: str, told: str) -> None:
    """A socket's is written differently by Celery."""
    assert redis_url(url) == told


def test_another_broker_is_refused() -> None:
    """Its address is told with what would be one."""
    with pytest.raises(ValueError, match="Redis or Valkey"):
        redis_url("amqp://localhost")
