"""What workers are given: one attempt at some work, of each kind."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from workers.app import CHECK, MOVE, PLAY, REPEAT, REVIEW, SCRIMMAGE, SIMULATE, SOLVE, TRAIN
from workers.checks.contract import CheckSpec
from workers.core import tracing
from workers.core.contract import MatchSpec, Seat
from workers.programs.serving import (
    CHECKS,
    MATCHES,
    MOVES,
    NAMED_BY,
    REPEATS,
    REVIEWS,
    SCRIMMAGES,
    SIMULATIONS,
    SOLVES,
    TRAININGS,
    named,
)
from workers.simulation.contract import RowOf, SimulationSpec
from workers.solving.contract import LeafSpec
from workers.training.contract import TrainingSpec


class AnyMessage(ABC):
    """One attempt at some work, on its way to a worker that can serve its needs."""

    kind: ClassVar[str]
    """What kind of work it is."""
    task: ClassVar[str]
    """The name of the task that does it."""
    spec: MatchSpec | CheckSpec | SimulationSpec | LeafSpec | TrainingSpec
    attempt: int
    token: str
    needs: str

    def needing(self, needs: str) -> Self:
        """The same message for a host of these needs."""
        return replace(self, needs=needs)  # type: ignore[type-var]  # all that are sent are dataclasses

    @property
    def about(self) -> dict[str, str]:
        """What the work is known by in logs and traces."""
        spec = self.spec
        if isinstance(spec, MatchSpec | CheckSpec):
            return {NAMED_BY[self.kind][0]: spec.match if isinstance(spec, MatchSpec) else spec.check}
        return named(self.kind, vars(self))

    def issue(self, publish: Callable[[AnyMessage], None]) -> None:
        """Have it published, which is what the attempt's trace begins with."""
        about, place = self.about, tracing.Place(self.token, root=True)
        with tracing.span(f"issue {next(iter(about))}", {**about, "attempt": self.attempt}, place):
            publish(self)

    @property
    def arguments(self) -> dict[str, Any]:
        """What the task is given, as JSON values.

        Defaults are left out, so that a worker of an older version reads what asks for nothing newer than it.
        """
        told = {key: value for key, value in vars(self).items() if key != "needs"}
        spec = self.spec.model_dump(mode="json", exclude_defaults=True)
        return {**told, "spec": {"format": self.spec.format, **spec}}


@dataclass(frozen=True)
class _GameMessage(AnyMessage):
    """One attempt at a game from its beginning to its end."""

    spec: MatchSpec
    attempt: int
    token: str
    needs: str


class Message(_GameMessage):
    """One attempt at one match."""

    kind = MATCHES
    task = PLAY


class ScrimmageMessage(_GameMessage):
    """One attempt at one game of a scrimmage."""

    kind = SCRIMMAGES
    task = SCRIMMAGE


class RepeatMessage(_GameMessage):
    """One attempt at a match that a laboratory PC has played."""

    kind = REPEATS
    task = REPEAT


@dataclass(frozen=True)
class MoveMessage(AnyMessage):
    """One attempt at a turn of the bot at `seat`, or with None at a hint."""

    kind = MOVES
    task = MOVE
    spec: MatchSpec
    seat: Seat | None
    attempt: int
    token: str
    needs: str


@dataclass(frozen=True)
class ReviewMessage(AnyMessage):
    """One attempt at the analysis of a match, whose game is the opening of `spec`."""

    kind = REVIEWS
    task = REVIEW
    spec: MatchSpec
    attempt: int
    token: str
    needs: str = ""


@dataclass(frozen=True)
class CheckMessage(AnyMessage):
    """One attempt at a submission check."""

    kind = CHECKS
    task = CHECK
    spec: CheckSpec
    attempt: int
    token: str
    needs: str


@dataclass(frozen=True)
class ChunkMessage(AnyMessage):
    """One attempt at a chunk of an experiment, to come back in blocks that end at multiples of `cut`.

    With `columns` its games are written to the store of recordings.
    """

    kind = SIMULATIONS
    task = SIMULATE
    spec: SimulationSpec
    experiment: int
    start: int
    count: int
    cut: int
    attempt: int
    token: str
    needs: str
    columns: RowOf | None = None


@dataclass(frozen=True)
class LeafMessage(AnyMessage):
    """One attempt at the position with the number `leaf` of a solve."""

    kind = SOLVES
    task = SOLVE
    spec: LeafSpec
    solve: int
    leaf: int
    attempt: int
    token: str
    needs: str = ""


@dataclass(frozen=True)
class TrainingMessage(AnyMessage):
    """One attempt at the chunk with that number of a training."""

    kind = TRAININGS
    task = TRAIN
    spec: TrainingSpec
    training: int
    chunk: int
    attempt: int
    token: str
    needs: str = ""
