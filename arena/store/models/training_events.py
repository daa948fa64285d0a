"""What the audit log can say of players that are learned on the workers."""

from __future__ import annotations

from typing import Any

from arena.core.terms import TrainingState
from arena.store.models.event_types import EventData, EventKind


class TrainingCreated(EventData, kind=EventKind.TRAINING_CREATED):
    """A player is to be learned."""

    training: int
    game: str


class TrainingLost(EventData, kind=EventKind.TRAINING_CHUNK_LOST):
    """Nothing came of an attempt at a chunk of a training."""

    training: int
    chunk: int
    attempt: int
    trouble: str


class TrainingMoved(EventData):
    """A training went over to that state; `trouble` says why, where nobody wanted it to."""

    state: TrainingState
    training: int
    trouble: str | None = None

    @property
    def kind(self) -> EventKind:
        """That of the state."""
        return EventKind(f"training.{self.state}")

    def kept(self) -> dict[str, Any]:
        """All but the state."""
        return {"training": self.training, "trouble": self.trouble}
