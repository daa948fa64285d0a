"""What the audit log can say of experiments, and of games that are solved on the workers."""

from __future__ import annotations

from typing import Any

from arena.core.terms import ExperimentState, SolveState
from arena.store.models.event_types import EventData, EventKind


class ExperimentCreated(EventData, kind=EventKind.EXPERIMENT_CREATED):
    """A simulation was asked for."""

    experiment: int
    digest: str


class ChunkLost(EventData, kind=EventKind.EXPERIMENT_CHUNK_LOST):
    """Nothing more was heard of an attempt at a chunk."""

    experiment: int
    start: int
    attempt: int
    trouble: str


class ExperimentOver(EventData):
    """A simulation ended in that state, with so many games."""

    state: ExperimentState
    experiment: int
    games: int

    @property
    def kind(self) -> EventKind:
        """That of the state."""
        return EventKind(f"experiment.{self.state}")

    def kept(self) -> dict[str, Any]:
        """All but the state."""
        return {"experiment": self.experiment, "games": self.games}


class SolveCreated(EventData, kind=EventKind.SOLVE_CREATED):
    """A game is to be solved from its start."""

    solve: int
    game: str


class LeafLost(EventData, kind=EventKind.SOLVE_LEAF_LOST):
    """Nothing came of an attempt at a position of a solve."""

    solve: int
    leaf: int
    attempt: int
    trouble: str


class SolveMoved(EventData):
    """A solve went over to that state; `trouble` says why, where nobody wanted it to."""

    state: SolveState
    solve: int
    trouble: str | None = None

    @property
    def kind(self) -> EventKind:
        """That of the state."""
        return EventKind(f"solve.{self.state}")

    def kept(self) -> dict[str, Any]:
        """All but the state."""
        return {"solve": self.solve, "trouble": self.trouble}
