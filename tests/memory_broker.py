"""A broker in memory, for tests."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from arena.coordinator.messages import (
    AnyMessage,
    CheckMessage,
    ChunkMessage,
    LeafMessage,
    Message,
    MoveMessage,
    RepeatMessage,
    ReviewMessage,
    ScrimmageMessage,
    TrainingMessage,
)
from arena.core.errors import FullError, UnavailableError
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
)


class MemoryBroker:
    """Queues in memory that can be taken from, emptied, and switched off."""

    def __init__(self) -> None:
        self.queue: list[Message] = []
        self.checks: list[CheckMessage] = []
        self.moves: list[MoveMessage] = []
        self.repeats: list[RepeatMessage] = []
        self.reviews: list[ReviewMessage] = []
        self.scrimmages: list[ScrimmageMessage] = []
        self.chunks: list[ChunkMessage] = []
        self.leaves: list[LeafMessage] = []
        self.trainings: list[TrainingMessage] = []
        self.taken: set[str] = set()
        self.draining: set[str] = set()
        self.steps: dict[str, bytes] = {}
        self.reported, self.taken_in = 0, 0
        self.away = False
        self.full = False

    def know(self, environments: Collection[str]) -> None:
        """The lists here hold whatever is needed."""

    def publish(self, message: AnyMessage) -> None:
        """Append to the list of its kind."""
        self.ping()
        self._list(message.kind).append(message)

    def waiting_ids(self, kind: str = MATCHES) -> Collection[str]:
        """The tokens in the list of that kind."""
        self.ping()
        return {message.token for message in self._list(kind)}

    def taken_ids(self) -> Collection[str]:
        """What a test says is taken."""
        self.ping()
        return set(self.taken)

    def waiting(self, kind: str = MATCHES) -> int:
        """The length of the list of that kind."""
        return len(self.waiting_ids(kind))

    def withdraw(self, tokens: Collection[str], kind: str = MATCHES) -> None:
        """Remove from the list of that kind."""
        self.ping()
        waiting = self._list(kind)
        waiting[:] = [message for message in waiting if message.token not in tokens]

    def newest_report(self, kind: str = MATCHES) -> str | None:
        """Reports about anything have numbers: `reported` wait after those that were `taken_in`."""
        del kind
        self.ping()
        return str(self.taken_in + self.reported) if self.reported else None

    def report_waits(self, report: str, kind: str = MATCHES) -> bool:
        """Whether that number was not taken in."""
        del kind
        self.ping()
        return self.taken_in < int(report) <= self.taken_in + self.reported

    def backlog(self) -> int:
        """How many a test says wait."""
        self.ping()
        return self.reported

    def check_steps(self, token: str) -> bytes:
        """What a test says was told."""
        self.ping()
        return self.steps.get(token, b"")

    def drain(self, host: str, *, draining: bool) -> None:
        """Remember which hosts take nothing new."""
        self.ping()
        self.draining = self.draining | {host} if draining else self.draining - {host}

    def _list(self, kind: str) -> list[Any]:
        lists: dict[str, list[Any]] = {
            CHECKS: self.checks,
            MATCHES: self.queue,
            MOVES: self.moves,
            REPEATS: self.repeats,
            REVIEWS: self.reviews,
            SCRIMMAGES: self.scrimmages,
            SIMULATIONS: self.chunks,
            SOLVES: self.leaves,
            TRAININGS: self.trainings,
        }
        return lists[kind]

    def heard(self, seconds: float) -> bool:
        """Whatever is asked, there is something new."""
        del seconds
        self.ping()
        return True

    def ping(self) -> None:
        """Fail while `away` or `full`."""
        if self.away:
            raise UnavailableError("the broker does not answer")
        if self.full:
            raise FullError("the broker's memory is full")
