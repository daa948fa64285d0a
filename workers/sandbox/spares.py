"""Sandboxes that are built before they are needed: a match that begins finds them standing.

Nothing of the bot runs in one that waits, and it is for one program under one set of limits, as its files
and bounds belong to what is built. So it is built for whoever has just played, who will play again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

import structlog

from workers.core.contract import Limits
from workers.core.errors import LaunchError
from workers.sandbox.confinement import Confined, Confinement, Startable, Waiting

log = structlog.get_logger()


class Preparing(Confinement, Protocol):
    """A confinement that can build a sandbox without starting the bot."""

    def prepare(self, program: Startable, limits: Limits) -> Waiting | None:
        """A sandbox that waits for the bot; None where there is nothing to be gained by one.

        Raises:
            LaunchError: it cannot be built.
        """


class _Spare(NamedTuple):
    """What waits, for which program under which limits, and since when."""

    key: tuple[Startable, Limits]
    waiting: Waiting
    since: float


class Spares:
    """A confinement with at most `most` sandboxes that wait, each for `seconds`, in one thread's hands."""

    def __init__(
        self,
        confinement: Preparing,
        most: int,
        seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._confinement = confinement
        self._most = most
        self._seconds = seconds
        self._monotonic = monotonic
        self._spares: list[_Spare] = []
        self._started: list[tuple[Startable, Limits]] = []

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot; see `Confinement.launch`. It gets a sandbox that waits, if there is one for it."""
        if writable is not None:
            return self._confinement.launch(program, limits, writable=writable)
        self._started.append((program, limits))
        for spare in [spare for spare in self._spares if spare.key == (program, limits)]:
            self._spares.remove(spare)
            try:
                return spare.waiting.start()
            except LaunchError as error:
                log.warning("a sandbox did not wait for its bot", reason=str(error))
        return self._launch_in_the_room(program, limits)

    def _launch_in_the_room(self, program: Startable, limits: Limits) -> Confined:
        """Start one in a new sandbox; where there is no room for it, in that of those that wait."""
        try:
            return self._confinement.launch(program, limits)
        except LaunchError:
            if not self._spares:
                raise
            self.close()
            return self._confinement.launch(program, limits)

    def replenish(self) -> None:
        """Build a sandbox for each bot that was started since the last time, as far as there is room."""
        started, self._started = self._started, []
        for program, limits in started[: self._most - len(self._spares)]:
            try:
                waiting = self._confinement.prepare(program, limits)
            except (LaunchError, OSError) as error:  # whoever needs it will find out, and say so
                log.warning("no sandbox is built in advance", reason=str(error))
                return
            if waiting is not None:
                self._spares.append(_Spare((program, limits), waiting, self._monotonic()))

    def tidy(self) -> None:
        """Remove what has waited for too long."""
        oldest = self._monotonic() - self._seconds
        self._end([spare for spare in self._spares if spare.since < oldest])

    def close(self) -> None:
        """Remove all that waits."""
        self._end(list(self._spares))

    def _end(self, ended: list[_Spare]) -> None:
        for spare in ended:
            self._spares.remove(spare)
            spare.waiting.destroy()
