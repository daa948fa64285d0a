"""The way to the workers: a narrow seam, the real broker behind it, and one in memory for tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any, Protocol

import kombu.exceptions
import redis
from redis.client import NEVER_DECODE

from arena.coordinator.messages import AnyMessage
from arena.core.errors import FullError, InvalidError, UnavailableError
from arena.events.bell import Listener
from workers.app import (
    RESULTS,
    TALLIES,
    create_app,
    send,
)
from workers.core.live import steps_place
from workers.core.redis_address import redis_url
from workers.core.signing import SigningKey
from workers.host.drains import Drains
from workers.programs.runtimes.languages import ADAPTERS, LANGUAGES
from workers.programs.serving import (
    CHECKS,
    MATCHES,
    MOVES,
    REPEATS,
    REVIEWS,
    SCRIMMAGES,
    SIMULATIONS,
    SOLVES,
    TRAININGS,
    queue_name,
    queue_names,
)

INSPECTED = 10_000
TIMEOUT_SECONDS = 5
UNACKNOWLEDGED = "unacked"
"""The broker's table of messages that were taken and not acknowledged."""
PROBE, PROBE_BYTES, PROBE_SECONDS = "arena.probe", 10_000, 60
"""What is written to see whether the broker takes something as long as a message, and how long it stays."""

MAX_STEPS_BYTES = 64 * 1024

REPORTS = {
    CHECKS: RESULTS,
    MATCHES: RESULTS,
    MOVES: RESULTS,
    REPEATS: RESULTS,
    REVIEWS: RESULTS,
    SCRIMMAGES: RESULTS,
    SIMULATIONS: TALLIES,
    SOLVES: TALLIES,
    TRAININGS: TALLIES,
}
"""Where what becomes of the messages of each kind is reported."""

HELD = "results.held"
"""Where reports are put by that are about what somebody else has locked; the recorder tries them again."""


class Broker(Protocol):
    """What the coordinator needs of a broker. All methods raise `UnavailableError` when it is away.

    Checks, matches, turns against people, analyses, games of scrimmages, chunks, leaves and what is learned
    are kinds of work. Each has a queue for every need (see `workers.programs.serving`), and one for its
    reports.
    """

    def know(self, environments: Collection[str]) -> None:
        """Look also for what may have been given out with these environments."""

    def publish(self, message: AnyMessage) -> None:
        """Put a message in the queue of its kind and its needs."""

    def waiting_ids(self, kind: str = MATCHES) -> Collection[str]:
        """The tokens of the messages that no worker has taken yet."""

    def taken_ids(self) -> Collection[str]:
        """The tokens of the messages that workers have taken and are not done with."""

    def waiting(self, kind: str = MATCHES) -> int:
        """How many messages no worker has taken yet."""

    def withdraw(self, tokens: Collection[str], kind: str = MATCHES) -> None:
        """Remove the messages of these tokens that no worker has taken yet."""

    def newest_report(self, kind: str = MATCHES) -> str | None:
        """The report about that kind that was sent last, None where none waits, nor any that was put by."""

    def report_waits(self, report: str, kind: str = MATCHES) -> bool:
        """Whether the recorder has not taken in that report yet, or one that it has put by."""

    def backlog(self) -> int:
        """How many reports the recorder has not taken in yet."""

    def check_steps(self, token: str) -> bytes:
        """What the worker that does a check has told of it so far; anybody may write there."""

    def drain(self, host: str, *, draining: bool) -> None:
        """Tell the processes of a host whether they are to take nothing new."""

    def ping(self) -> None:
        """Return if the broker takes what it is given; `FullError` when it has no room."""

    def heard(self, seconds: float) -> bool:
        """Whether word comes within so many seconds, or came since, that there is something new."""


class CeleryBroker:
    """A Redis or Valkey server, through Celery; the token of a message is its task's id."""

    def __init__(self, url: str, signer: Callable[[], SigningKey] | None = None) -> None:
        self._app = create_app("coordinator", url, signer=signer)
        self._redis = redis.Redis.from_url(
            redis_address(url),
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            decode_responses=True,
            encoding_errors="surrogateescape",  # whatever stands in a queue comes back as it is
        )
        self._drains = Drains(url)
        self._languages = {*LANGUAGES, ADAPTERS}
        self._bell = Listener(url, TIMEOUT_SECONDS)

    def know(self, environments: Collection[str]) -> None:
        """Each makes some queues more."""
        self._languages |= {*environments}

    def publish(self, message: AnyMessage) -> None:
        """Send the task; once, without trying again."""
        try:
            queue = queue_name(message.kind, message.needs)
            send(self._app, message.task, message.arguments, task_id=message.token, queue=queue)
        except (kombu.exceptions.OperationalError, redis.RedisError, OSError) as error:
            raise UnavailableError(f"the broker did not take a message: {error}") from error

    def waiting_ids(self, kind: str = MATCHES) -> Collection[str]:
        """The ids of the tasks in the queues, looked up in the lists that Celery keeps them in."""
        return {token for _, message in self._queued(kind) if (token := _token(message))}

    def taken_ids(self) -> Collection[str]:
        """The ids in the table in which Celery keeps what is not acknowledged, as nothing is before its end.

        What a worker held that was killed stays there too.
        """
        try:
            taken = [_token(str(each), taken=True) for each in self._redis.hvals(UNACKNOWLEDGED)]
            return {token for token in taken if token}
        except redis.RedisError as error:
            raise UnavailableError(f"the broker does not tell what is taken: {error}") from error

    def waiting(self, kind: str = MATCHES) -> int:
        """The length of the queues' lists."""
        return self._length(queue_names(kind, self._languages))

    def withdraw(self, tokens: Collection[str], kind: str = MATCHES) -> None:
        """Remove just these elements of the lists; a worker that is faster keeps what it took."""
        stale = [(queue, message) for queue, message in self._queued(kind) if _token(message) in tokens]
        try:
            for queue, message in stale:
                self._redis.lrem(queue, 1, message)
        except redis.RedisError as error:
            raise UnavailableError(f"the broker did not give back a message: {error}") from error

    def newest_report(self, kind: str = MATCHES) -> str | None:
        """The head of the recorder's list, which is taken from at its other end, or of what was put by.

        The recorder moves reports from the former to the latter.
        """
        try:
            newest: Any = self._redis.lindex(REPORTS[kind], 0) or self._redis.lindex(HELD, 0)
        except redis.RedisError as error:
            raise UnavailableError(f"the broker's reports cannot be read: {error}") from error
        return None if newest is None else str(newest)

    def report_waits(self, report: str, kind: str = MATCHES) -> bool:
        """Whether the list has just this element, or anything is put by: it may have been sent before."""
        try:
            return self._redis.lpos(REPORTS[kind], report) is not None or bool(self._redis.exists(HELD))
        except redis.RedisError as error:
            raise UnavailableError(f"the broker's reports cannot be read: {error}") from error

    def backlog(self) -> int:
        """The length of the lists of reports, with what was put by."""
        return self._length((RESULTS, TALLIES, HELD))

    def check_steps(self, token: str) -> bytes:
        """The text under the name that follows from the token, not more of it than a check can fill."""
        try:
            asked = ("GETRANGE", steps_place(token), 0, MAX_STEPS_BYTES - 1)
            server: Any = self._redis
            told = server.execute_command(*asked, **{NEVER_DECODE: True})
        except redis.RedisError as error:
            raise UnavailableError(f"the broker does not tell how far a check is: {error}") from error
        return bytes(told)

    def drain(self, host: str, *, draining: bool) -> None:
        """Write it down where they look."""
        try:
            self._drains.tell(host, draining=draining)
        except redis.RedisError as error:
            raise UnavailableError(f"the host cannot be told: {error}") from error

    def _queued(self, kind: str) -> list[tuple[str, str]]:
        """The messages of a kind, each with its queue."""
        queues = queue_names(kind, self._languages)
        asking = self._redis.pipeline(transaction=False)
        for queue in queues:
            asking.lrange(queue, 0, INSPECTED - 1)
        try:
            lists = asking.execute()
        except redis.RedisError as error:
            raise UnavailableError(f"the broker's queues cannot be read: {error}") from error
        return [
            (queue, str(each)) for queue, messages in zip(queues, lists, strict=True) for each in messages
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
        """Write something that means nothing: a server whose memory is full still answers."""
        try:
            self._redis.set(PROBE, bytes(PROBE_BYTES), ex=PROBE_SECONDS)
        except redis.OutOfMemoryError as error:
            raise FullError(f"the broker's memory is full: {error}") from error
        except redis.RedisError as error:
            raise UnavailableError(f"the broker does not answer: {error}") from error

    def heard(self, seconds: float) -> bool:
        """Listen for the bell."""
        try:
            return self._bell.heard(seconds)
        except redis.RedisError as error:
            raise UnavailableError(f"the broker does not let us listen: {error}") from error

    def close(self) -> None:
        """Close the connections."""
        self._bell.close()
        self._drains.close()
        self._app.close()
        self._redis.close()


def _token(message: str, *, taken: bool = False) -> str | None:
    """The token of a message, in a row of Celery's table if it is `taken`; None for what is no message."""
    try:
        told = json.loads(message)[0] if taken else json.loads(message)
        return str(told["headers"]["id"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def redis_address(url: str) -> str:
    """A broker's address as redis-py writes it.

    Raises:
        InvalidError: it is no Redis or Valkey server.
    """
    try:
        return redis_url(url)
    except ValueError as error:
        raise InvalidError(str(error)) from None
