"""The way to the workers: a narrow seam, the real broker behind it, and one in memory for tests."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import kombu.exceptions
import redis

from arena.errors import InvalidError, UnavailableError
from workers.app import MATCHES, PLAY, RESULTS, SIMULATE, SIMULATIONS, TALLIES, create_app
from workers.contract import MatchSpec
from workers.simulation.contract import SimulationSpec

INSPECTED = 10_000
TIMEOUT_S = 5


REPORTS = {MATCHES: RESULTS, SIMULATIONS: TALLIES}
"""Where what becomes of a queue's messages is reported."""


class Message(NamedTuple):
    """One attempt at one match, on its way to a worker."""

    spec: MatchSpec
    attempt: int
    token: str

    @property
    def task(self) -> str:
        """The name of the task that plays the match."""
        return PLAY

    @property
    def arguments(self) -> dict[str, Any]:
        """What the task is given, as JSON values."""
        return {**self._asdict(), "spec": self.spec.model_dump(mode="json")}


@dataclass(frozen=True)
class ChunkMessage:
    """One attempt at a chunk of an experiment, to come back in blocks that end at multiples of `cut`."""

    spec: SimulationSpec
    experiment: int
    start: int
    count: int
    cut: int
    attempt: int
    token: str

    @property
    def task(self) -> str:
        """The name of the task that plays the chunk."""
        return SIMULATE

    @property
    def arguments(self) -> dict[str, Any]:
        """What the task is given, as JSON values."""
        return {**vars(self), "spec": self.spec.model_dump(mode="json")}


class Broker(Protocol):
    """What the coordinator needs of a broker. All methods raise `UnavailableError` when it is away.

    Matches and chunks of experiments have a queue each, and their reports another one.
    """

    def publish(self, message: Message | ChunkMessage) -> None:
        """Put a message in its queue."""

    def waiting_ids(self, queue: str = MATCHES) -> Collection[str]:
        """The tokens of the messages that no worker has taken yet."""

    def waiting(self, queue: str = MATCHES) -> int:
        """How many messages no worker has taken yet."""

    def withdraw(self, tokens: Collection[str], queue: str = MATCHES) -> None:
        """Remove the messages of these tokens that no worker has taken yet."""

    def reports(self, queue: str = MATCHES) -> int:
        """How many reports about the queue's messages the recorder has not taken in yet."""

    def ping(self) -> None:
        """Return if the broker answers."""


class CeleryBroker:
    """A Redis or Valkey server, through Celery; the token of a message is its task's id."""

    def __init__(self, url: str) -> None:
        self._app = create_app("coordinator", url)
        self._redis = redis.Redis.from_url(
            _redis_url(url),
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            decode_responses=True,
        )

    def publish(self, message: Message | ChunkMessage) -> None:
        """Send the task; once, without trying again."""
        try:
            self._app.send_task(message.task, kwargs=message.arguments, task_id=message.token, retry=False)
        except (kombu.exceptions.OperationalError, redis.RedisError, OSError) as error:
            raise UnavailableError(f"the broker did not take a message: {error}") from error

    def waiting_ids(self, queue: str = MATCHES) -> Collection[str]:
        """The ids of the tasks in the queue, looked up in the list that Celery keeps it in."""
        return {_token(message) for message in self._queued(queue)}

    def waiting(self, queue: str = MATCHES) -> int:
        """The length of the queue's list."""
        return self._length(queue)

    def withdraw(self, tokens: Collection[str], queue: str = MATCHES) -> None:
        """Remove just these elements of the list; a worker that is faster keeps what it took."""
        stale = [message for message in self._queued(queue) if _token(message) in tokens]
        try:
            for message in stale:
                self._redis.lrem(queue, 1, message)
        except redis.RedisError as error:
            raise UnavailableError(f"the broker did not give back a message: {error}") from error

    def reports(self, queue: str = MATCHES) -> int:
        """The length of the recorder's list."""
        return self._length(REPORTS[queue])

    def _queued(self, queue: str) -> list[str]:
        try:
            return [str(message) for message in self._redis.lrange(queue, 0, INSPECTED - 1)]
        except redis.RedisError as error:
            raise UnavailableError(f"the broker's queue cannot be read: {error}") from error

    def _length(self, queue: str) -> int:
        try:
            return int(self._redis.llen(queue))
        except redis.RedisError as error:
            raise UnavailableError(f"the broker's queue cannot be measured: {error}") from error

    def ping(self) -> None:
        """Ask the server for an answer."""
        try:
            self._redis.ping()
        except redis.RedisError as error:
            raise UnavailableError(f"the broker does not answer: {error}") from error

    def close(self) -> None:
        """Close the connections."""
        self._app.close()
        self._redis.close()


class MemoryBroker:
    """Queues in memory that can be taken from, emptied, and switched off."""

    def __init__(self) -> None:
        self.queue: list[Message] = []
        self.chunks: list[ChunkMessage] = []
        self.reported = 0
        self.away = False

    def publish(self, message: Message | ChunkMessage) -> None:
        """Append to `queue` or to `chunks`."""
        self.ping()
        if isinstance(message, Message):
            self.queue.append(message)
        else:
            self.chunks.append(message)

    def waiting_ids(self, queue: str = MATCHES) -> Collection[str]:
        """The tokens in `queue` or `chunks`."""
        self.ping()
        return {message.token for message in (self.queue if queue == MATCHES else self.chunks)}

    def waiting(self, queue: str = MATCHES) -> int:
        """The length of `queue` or `chunks`."""
        return len(self.waiting_ids(queue))

    def withdraw(self, tokens: Collection[str], queue: str = MATCHES) -> None:
        """Remove from `queue` or `chunks`."""
        self.ping()
        if queue == MATCHES:
            self.queue = [message for message in self.queue if message.token not in tokens]
        else:
            self.chunks = [message for message in self.chunks if message.token not in tokens]

    def reports(self, queue: str = MATCHES) -> int:
        """As many as `reported` says, about anything."""
        del queue
        self.ping()
        return self.reported

    def ping(self) -> None:
        """Fail while `away`."""
        if self.away:
            raise UnavailableError("the broker does not answer")


def _token(message: str) -> str:
    return str(json.loads(message)["headers"]["id"])


def _redis_url(url: str) -> str:
    scheme, _, rest = url.partition("://")
    if scheme == "redis+socket":
        return f"unix://{rest}"
    if scheme in {"redis", "rediss"}:
        return url
    raise InvalidError(
        f"the broker must be a Redis or Valkey server: redis://... or redis+socket://..., not {url!r}"
    )
