"""What the referee knows of a player: it gets ready, answers requests, and is told how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from bots.protocol.messages import Answer, Ready
from workers.core.contract import NO_CPU_CONTENTION, CpuContention, FaultCode
from workers.core.stderr import Stderr


class Fault(NamedTuple):
    """What a bot did wrong; `received` are the bytes that it sent instead of a good answer.

    Where it is late `strain` says what lay on the host, and `excused` whether that explains it.
    """

    code: FaultCode
    detail: str
    received: bytes = b""
    strain: CpuContention = NO_CPU_CONTENTION
    excused: bool = False


class Reply(NamedTuple):
    """What came of a request: an answer or a fault, and what it took.

    `wall_ns` is counted from the moment the last byte of the request was accepted, `cpu_ns` is the
    process's own CPU time (None where it cannot be measured), `lag_ns` is how long the referee itself waited
    for a processor meanwhile, and `off_turn_ns` the CPU time that the bot used between its turns. `received`
    is the line that an answer was read from.
    """

    outcome: Answer | Fault
    wall_ns: int
    cpu_ns: int | None = None
    lag_ns: int = 0
    off_turn_ns: int = 0
    strain: CpuContention = NO_CPU_CONTENTION
    received: bytes = b""


class Player(Protocol):
    """One side of a match."""

    def begin(self, hello: Mapping[str, Any]) -> None:
        """Send `hello` without waiting for the answer."""

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        """The answer to `hello`, due `startup_ms` after the start, and the nanoseconds that it took."""

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        """The answer to a request for a move, waiting at most `allowed_ns`."""

    def end(self, message: Mapping[str, Any]) -> None:
        """Tell the player how the match ended, without waiting."""

    def stderr(self) -> Stderr:
        """What the player wrote to its stderr so far."""
