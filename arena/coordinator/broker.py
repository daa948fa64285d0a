"""The way to the workers: a narrow seam, the real broker behind it, and one in memory for tests."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple, Protocol

import kombu.exceptions
import redis

from arena.errors import InvalidError, UnavailableError
from workers.app import MATCHES, PLAY, RESULTS, create_app
from workers.contract import MatchSpec

INSPECTED = 10_000
TIMEOUT_S = 5


class Message(NamedTuple):
    """One attempt at one match, on its way to a worker."""

    spec: MatchSpec
    attempt: int
    token: str


class Broker(Protocol):
    """What the coordinator needs of a broker. All methods raise `UnavailableError` when it is away."""

    def publish(self, message: Message) -> None:
        """Put a message in the workers' queue."""

    def waiting_ids(self) -> Collection[str]:
        """The tokens of the messages that no worker has taken yet."""

    def waiting(self) -> int:
        """How many messages no worker has taken yet."""

    def withdraw(self, tokens: Collection[str]) -> None:
        """Remove the messages of these tokens that no worker has taken yet."""

    def reports(self) -> int:
        """How many reports the recorder has not taken in yet."""

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

    def publish(self, message: Message) -> None:
        """Send the task that plays the match; once, without trying again."""
        args = (message.spec.model_dump(mode="json"), message.attempt, message.token)
        try:
            self._app.send_task(PLAY, args=args, queue=MATCHES, task_id=message.token, retry=False)
        except (kombu.exceptions.OperationalError, redis.RedisError, OSError) as error:
            raise UnavailableError(f"the broker did not take a match: {error}") from error

    def waiting_ids(self) -> Collection[str]:
        """The ids of the tasks in the queue, looked up in the list that Celery keeps it in."""
        return {_token(message) for message in self._queued()}

    def waiting(self) -> int:
        """The length of the workers' list."""
        return self._length(MATCHES)

    def withdraw(self, tokens: Collection[str]) -> None:
        """Remove just these elements of the list; a worker that is faster keeps what it took."""
        stale = [message for message in self._queued() if _token(message) in tokens]
        try:
            for message in stale:
                self._redis.lrem(MATCHES, 1, message)
        except redis.RedisError as error:
            raise UnavailableError(f"the broker did not give back a match: {error}") from error

    def reports(self) -> int:
        """The length of the recorder's list."""
        return self._length(RESULTS)

    def _queued(self) -> list[str]:
        try:
            return [str(message) for message in self._redis.lrange(MATCHES, 0, INSPECTED - 1)]
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
    """A queue in memory that can be taken from, emptied, and switched off."""

    def __init__(self) -> None:
        self.queue: list[Message] = []
        self.reported = 0
        self.away = False

    def publish(self, message: Message) -> None:
        """Append to `queue`."""
        self.ping()
        self.queue.append(message)

    def waiting_ids(self) -> Collection[str]:
        """The tokens in `queue`."""
        self.ping()
        return {message.token for message in self.queue}

    def waiting(self) -> int:
        """The length of `queue`."""
        self.ping()
        return len(self.queue)

    def withdraw(self, tokens: Collection[str]) -> None:
        """Remove from `queue`."""
        self.ping()
        self.queue = [message for message in self.queue if message.token not in tokens]

    def reports(self) -> int:
        """As many as `reported` says."""
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
