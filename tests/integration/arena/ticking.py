"""A coordinator over a small world, and a clock that tests can turn."""

from __future__ import annotations

import datetime as dt

from arena.coordinator.loop import Coordinator
from arena.core.clock import utc_now
from tests.integration.arena.world import World

STEP_SECONDS = 4.0


class Later:
    """A clock that stands still but for `seconds`, and is `set_by` ahead where somebody set it.

    However busy the machine is, a tick takes no time.
    """

    def __init__(self) -> None:
        self.began = utc_now()
        self.seconds = 0.0
        self.set_by = 0.0

    def __call__(self) -> dt.datetime:
        return self.began + dt.timedelta(seconds=self.seconds + self.set_by)

    def monotonic(self) -> float:
        """The seconds that have passed, whatever the clock was set to."""
        return self.seconds


def coordinator_of(world: World, clock: Later | None = None, **changes: float) -> Coordinator:
    """A coordinator with some settings of its own."""
    settings = world.settings.model_copy(update=changes)
    clock = clock or Later()
    return Coordinator(world.database, world.broker, settings, clock, clock.monotonic)


def live(coordinator: Coordinator, clock: Later, seconds: float) -> None:
    """Let time pass with a coordinator that is there all the while."""
    until = clock.seconds + seconds
    while clock.seconds < until:
        clock.seconds = min(clock.seconds + STEP_SECONDS, until)
        coordinator.tick()
