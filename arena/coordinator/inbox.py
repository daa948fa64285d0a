"""Where reports wait for the recorder: lists in the broker that Celery writes and only the recorder reads."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import redis

from arena.coordinator.broker import HELD, TIMEOUT_SECONDS, redis_address
from workers.app import RESULTS, TALLIES

QUEUES = (RESULTS, TALLIES)
"""In the order in which they are looked into."""
LOOK_SECONDS = 0.1
"""So often the others are looked into while nothing waits in the first."""


class Delivery(NamedTuple):
    """A report as it waits in its queue: the task's name and what it is told; both empty in a broken one."""

    queue: str
    raw: bytes
    task: str
    told: dict[str, Any]


class Inbox:
    """The queues of reports. All methods raise `redis.RedisError` when the broker is away."""

    def __init__(self, url: str) -> None:
        self._redis: Any = redis.Redis.from_url(
            redis_address(url), socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
        )

    def wait(self) -> None:
        """Return when something waits in the first queue, or after a moment."""
        self._redis.blmove(QUEUES[0], QUEUES[0], LOOK_SECONDS, "RIGHT", "RIGHT")

    def oldest(self, most: int) -> list[Delivery]:
        """Up to so many that were put by, and so many of the first queue that has any; they stay there."""
        first, second = QUEUES
        asking = self._redis.pipeline(transaction=False)
        asking.lrange(HELD, -most, -1)
        asking.lrange(first, -most, -1)
        held, waiting = asking.execute()
        found = [_delivery(HELD, raw) for raw in reversed(held)]
        if waiting:
            return found + [_delivery(first, raw) for raw in reversed(waiting)]
        return found + [_delivery(second, raw) for raw in reversed(self._redis.lrange(second, -most, -1))]

    def remove(self, deliveries: Iterable[Delivery], held: Sequence[Delivery] = ()) -> None:
        """Forget these, but put those by that are `held`; those that are gone already do no harm.

        At no moment is one of the latter in neither list.
        """
        asking = self._redis.pipeline(transaction=bool(held))
        for delivery in deliveries:
            asking.lrem(delivery.queue, -1, delivery.raw)
        for delivery in held:
            asking.lpush(HELD, delivery.raw)
        asking.execute()

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()


def _delivery(queue: str, raw: bytes) -> Delivery:
    """What Celery wrote: a header with the task's name, and its arguments within the body."""
    try:
        message = json.loads(raw)
        _, told, _ = json.loads(b64decode(message["body"]))
        return Delivery(queue, raw, str(message["headers"]["task"]), dict(told))
    except (ValueError, TypeError, LookupError):
        return Delivery(queue, raw, "", {})
