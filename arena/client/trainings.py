"""A client's requests about players that the workers learn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from arena.client.connection import LONG, Connection
from arena.client.watching import FINAL_STATES, again_and_again
from arena.core.terms import TrainingState
from arena.schemas.paging import Page
from arena.schemas.trainings import TrainingOut


class TrainingsClient(Connection):
    """Asks for trainings, and follows them."""

    def create_training(self, plan: Mapping[str, Any]) -> TrainingOut:
        """Have the workers learn a player, from now on."""
        return self._ask(TrainingOut, "POST", "/trainings", json=dict(plan), timeout=LONG)

    def trainings(self) -> Iterator[TrainingOut]:
        """All trainings, newest first."""
        return self._pages(Page[TrainingOut], "/trainings")

    def training(self, number: int) -> TrainingOut:
        """One training and how far it is."""
        return self._ask(TrainingOut, "GET", f"/trainings/{number}")

    def act_on_training(self, number: int, act: Literal["pause", "resume", "cancel"]) -> TrainingOut:
        """Have a training give nothing more out, go on, or end."""
        return self._ask(TrainingOut, "POST", f"/trainings/{number}/{act}")

    def training_parts(self, number: int) -> Iterator[bytes]:
        """The plan, then all that is done of it, in pieces as they arrive."""
        return self._stream(f"/trainings/{number}/parts")

    def watch_training(
        self, number: int, pause: float = 1.0, patience: float = 30.0
    ) -> Iterator[TrainingOut]:
        """The training again and again until it is over or paused."""
        return again_and_again(
            lambda: self.training(number), pause, patience, FINAL_STATES | {TrainingState.PAUSED}
        )
