"""Where reports wait for the recorder: lists in the broker that Celery writes and only the recorder reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import redis

from arena.coordinator.broker import HELD, TIMEOUT_SECONDS, redis_address
from workers.app import RESULTS, ROUTES, TALLIES
from workers.core.poison import MAX_BYTES, PoisonError, read, told_in

QUEUES = (RESULTS, TALLIES)
"""In the order in which they are looked into."""
PIECE, LONG_BYTES, MAX_BATCH_BYTES = 4, 2**20, 4 * MAX_BYTES
"""So many elements are read at once, and after a long one they are read one by one, until all have so many
bytes: anybody may put long ones there, and how long they are the server does not tell before."""
LOOK_SECONDS = 0.1
"""So often the others are looked into while nothing waits in the first."""


class Delivery(NamedTuple):
    """A report as it waits in its queue: the task's name, its body, and the public key that signed it.

    All are empty where it is `poison`.
    """

    queue: str
    raw: bytes
    task: str
    body: str
    signer: str | None = None
    poison: PoisonError | None = None

    @property
    def told(self) -> dict[str, Any]:
        """What the task is told, for whoever knows the signer.

        Raises:
            PoisonError: the body holds something else.
        """
        return told_in(self.body)


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
        found = self._look(HELD, most)
        return found + (self._look(first, most) or self._look(second, most))

    def _look(self, queue: str, most: int) -> list[Delivery]:
        """Up to so many of one queue, the oldest first."""
        found: list[bytes] = []
        while len(found) < most and sum(map(len, found)) < MAX_BATCH_BYTES:
            until, long = -1 - len(found), any(len(each) > LONG_BYTES for each in found)
            asked = 1 if long else min(PIECE, most - len(found))
            piece = self._redis.lrange(queue, until + 1 - asked, until)
            found.extend(reversed(piece))
            if len(piece) < asked:
                break
        return [_delivery(queue, raw) for raw in found]

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
    try:
        order = read(raw)
    except PoisonError as error:  # a new one: this has in its traceback all that was read
        return Delivery(queue, raw, "", "", poison=PoisonError(error.why, str(error)))
    signed_for = ROUTES.get(order.task, {}).get("queue", queue)  # also where it was put by
    return Delivery(queue, raw, order.task, order.body, order.signer(signed_for))
