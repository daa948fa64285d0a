"""The way to the workers: a narrow seam, the real broker behind it, and one in memory for tests."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import kombu.exceptions
import redis

from arena.errors import InvalidError, UnavailableError
from workers.app import (
    CHECK,
    CHECKS,
    MATCHES,
    PLAY,
    RESULTS,
    SIMULATE,
    SIMULATIONS,
    TALLIES,
    create_app,
)
from workers.check_contract import CheckSpec
from workers.contract import MatchSpec
from workers.serving import queue_name, queue_names
from workers.simulation.contract import SimulationSpec

INSPECTED = 10_000
TIMEOUT_S = 5


REPORTS = {CHECKS: RESULTS, MATCHES: RESULTS, SIMULATIONS: TALLIES}
"""Where what becomes of the messages of each kind is reported."""


class Message(NamedTuple):
    """One attempt at one match, on its way to a worker that can serve its needs."""

    spec: MatchSpec
    attempt: int
    token: str
    needs: str

    @property
    def kind(self) -> str:
        """What kind of work it is."""
        return MATCHES

    @property
    def task(self) -> str:
        """The name of the task that plays the match."""
        return PLAY

    @property
    def arguments(self) -> dict[str, Any]:
        """What the task is given, as JSON values."""
        return {"spec": self.spec.model_dump(mode="json"), "attempt": self.attempt, "token": self.token}


class CheckMessage(NamedTuple):
    """One attempt at a submission check."""

    spec: CheckSpec
    attempt: int
    token: str
    needs: str

    @property
    def kind(self) -> str:
        """What kind of work it is."""
        return CHECKS

    @property
    def task(self) -> str:
        """The name of the task that does the check."""
        return CHECK

    @property
    def arguments(self) -> dict[str, Any]:
        """What the task is given, as JSON values."""
        return {"spec": self.spec.model_dump(mode="json"), "attempt": self.attempt, "token": self.token}


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
    needs: str

    @property
    def kind(self) -> str:
        """What kind of work it is."""
        return SIMULATIONS

    @property
    def task(self) -> str:
        """The name of the task that plays the chunk."""
        return SIMULATE

    @property
    def arguments(self) -> dict[str, Any]:
        """What the task is given, as JSON values."""
        told = {key: value for key, value in vars(self).items() if key != "needs"}
        return {**told, "spec": self.spec.model_dump(mode="json")}


AnyMessage = Message | CheckMessage | ChunkMessage


class Broker(Protocol):
    """What the coordinator needs of a broker. All methods raise `UnavailableError` when it is away.

    Checks, matches and chunks of experiments are three kinds of work. Each has a queue for every need (see
    `workers.serving`), and one for its reports.
    """

    def publish(self, message: AnyMessage) -> None:
        """Put a message in the queue of its kind and its needs."""

    def waiting_ids(self, kind: str = MATCHES) -> Collection[str]:
        """The tokens of the messages that no worker has taken yet."""

    def waiting(self, kind: str = MATCHES) -> int:
        """How many messages no worker has taken yet."""

    def withdraw(self, tokens: Collection[str], kind: str = MATCHES) -> None:
        """Remove the messages of these tokens that no worker has taken yet."""

    def reports(self, kind: str = MATCHES) -> int:
        """How many reports about that kind the recorder has not taken in yet."""

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

    def publish(self, message: AnyMessage) -> None:
        """Send the task; once, without trying again."""
        try:
            self._app.send_task(
                message.task,
                kwargs=message.arguments,
                task_id=message.token,
                queue=queue_name(message.kind, message.needs),
                retry=False,
            )
        except (kombu.exceptions.OperationalError, redis.RedisError, OSError) as error:
            raise UnavailableError(f"the broker did not take a message: {error}") from error

    def waiting_ids(self, kind: str = MATCHES) -> Collection[str]:
        """The ids of the tasks in the queues, looked up in the lists that Celery keeps them in."""
        return {_token(message) for _, message in self._queued(kind)}

    def waiting(self, kind: str = MATCHES) -> int:
        """The length of the queues' lists."""
        return self._length(queue_names(kind))

    def withdraw(self, tokens: Collection[str], kind: str = MATCHES) -> None:
        """Remove just these elements of the lists; a worker that is faster keeps what it took."""
        stale = [(queue, message) for queue, message in self._queued(kind) if _token(message) in tokens]
        try:
            for queue, message in stale:
                self._redis.lrem(queue, 1, message)
        except redis.RedisError as error:
            raise UnavailableError(f"the broker did not give back a message: {error}") from error

    def reports(self, kind: str = MATCHES) -> int:
        """The length of the recorder's list."""
        return self._length([REPORTS[kind]])

    def _queued(self, kind: str) -> list[tuple[str, str]]:
        """The messages of a kind, each with its queue."""
        queues = queue_names(kind)
        asking = self._redis.pipeline(transaction=False)
        for queue in queues:
            asking.lrange(queue, 0, INSPECTED - 1)
        try:
            found = asking.execute()
        except redis.RedisError as error:
            raise UnavailableError(f"the broker's queues cannot be read: {error}") from error
        return [
            (queue, str(each)) for queue, messages in zip(queues, found, strict=True) for each in messages
        ]

    def _length(self, queues: Collection[str]) -> int:
        """The messages in these lists together; mostly there are none, which a single question tells."""
        try:
            if not self._redis.exists(*queues):
                return 0
            asking = self._redis.pipeline(transaction=False)
            for queue in queues:
                asking.llen(queue)
            return sum(map(int, asking.execute()))
        except redis.RedisError as error:
            raise UnavailableError(f"the broker's queues cannot be measured: {error}") from error

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
        self.checks: list[CheckMessage] = []
        self.chunks: list[ChunkMessage] = []
        self.reported = 0
        self.away = False

    def publish(self, message: AnyMessage) -> None:
        """Append to the list of its kind."""
        self.ping()
        self._list(message.kind).append(message)

    def waiting_ids(self, kind: str = MATCHES) -> Collection[str]:
        """The tokens in the list of that kind."""
        self.ping()
        return {message.token for message in self._list(kind)}

    def waiting(self, kind: str = MATCHES) -> int:
        """The length of the list of that kind."""
        return len(self.waiting_ids(kind))

    def withdraw(self, tokens: Collection[str], kind: str = MATCHES) -> None:
        """Remove from the list of that kind."""
        self.ping()
        found = self._list(kind)
        found[:] = [message for message in found if message.token not in tokens]

    def reports(self, kind: str = MATCHES) -> int:
        """As many as `reported` says, about anything."""
        del kind
        self.ping()
        return self.reported

    def _list(self, kind: str) -> list[Any]:
        lists: dict[str, list[Any]] = {MATCHES: self.queue, CHECKS: self.checks, SIMULATIONS: self.chunks}
        return lists[kind]

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
