"""Keeps a bot from computing between its turns, at next to no cost where it sleeps by itself.

A bot that has come to wait for its next line need not be stopped: nothing but a timer of its own wakes it.
Any other is frozen at once. In a turn of its opponent that becomes a long one it is stopped too, and a moment
later frozen with all that it started, so that a timer gains it two milliseconds at the most; and one that
used its processor although it had been asleep is never again left to sleep. Whatever it uses after its answer
is charged to its next turn (`workers.play.meter`).
"""

from __future__ import annotations

import os
import time

from workers.play.meter import Meter
from workers.sandbox.confinement import Confined
from workers.sandbox.probe import NOTHING, Probe, own_ns, sleeps

LONG_TURN_NS = 1_000_000
"""A turn of so long is long enough for stopping the other bot to cost nothing beside it, and one of twice
that for seeing whether it stands still."""
FALLS_ASLEEP_NS, LOOKS = 200_000, 3
"""How long after its answer a bot may take to come to wait for a line, and how often it may run for that."""
MAX_STRAYED_NS = 1_000_000
"""Who computes longer than that between two of its turns is frozen at once from then on."""


class Rest:
    """The rest of one bot's process between its turns.

    `asleep` says that it rests without being frozen, since the clock of its process stood at `clock_ns`, and
    `probe` how that is seen; None once it is not to be.
    """

    def __init__(self, process: Confined, meter: Meter) -> None:
        self.asleep = False
        self.probe = process.probe() if meter.counts else None
        self._process = process
        self._meter = meter
        self.clock_ns: int | None = None
        self._may_fork = False

    def begin(self) -> None:
        """The bot has answered: see that it computes no more."""
        if self.probe is not None:
            asleep = sleeps(self.probe)
            if asleep is None:
                self._meter.answered()
                asleep = _await_sleep(self.probe)
            if asleep:
                self.fell_asleep(own_ns(self.probe))
                return
        self._process.freeze()

    def fell_asleep(self, clock_ns: int | None) -> None:
        """The bot sleeps, and the clock of its process stands at `clock_ns`."""
        self.asleep = True
        self.clock_ns = clock_ns

    def stop(self) -> None:
        """Stop the bot if it rests without being frozen: what it could do now would last.

        That is on the clock of its opponent, so who still sleeps is not waited for.
        """
        if self.asleep:
            self.asleep = False
            self.judge(None)
            if self.probe is None:
                self._process.freeze()
            else:
                self._process.stop()
                self._may_fork = True

    def stand_still(self) -> None:
        """Freeze the bot if it rests without being frozen, with all that it has started.

        A timer may have woken it just before it was stopped. What it was forking then is not stopped, nor
        counted before the fork is over, and its clock need not tell of that yet.
        """
        self.stop()
        if self._may_fork:
            self._may_fork = False
            self._process.freeze()

    def end(self, strayed_ns: int = 0, clock_ns: int | None = None) -> None:
        """Let the bot go on: its turn begins. It has used `strayed_ns` since its last one, all in all."""
        if self.asleep:
            self.judge(clock_ns)
        else:
            self._process.thaw()
        if strayed_ns > MAX_STRAYED_NS:
            self.probe = None
        self.over()

    def over(self) -> None:
        """The bot rests no more."""
        self.asleep = self._may_fork = False

    def judge(self, clock_ns: int | None) -> None:
        """Trust a bot no longer that was left to sleep if its clock, now at `clock_ns`, has gone on."""
        probe = self.probe
        if probe is None or probe.call == NOTHING:  # who is taken to sleep is trusted
            return
        if (clock_ns or own_ns(probe)) != self.clock_ns:
            self.probe = None


def _await_sleep(probe: Probe) -> bool:
    until, looks, asleep = time.monotonic_ns() + FALLS_ASLEEP_NS, 0, None
    while asleep is None and (looks < LOOKS or time.monotonic_ns() < until):
        os.sched_yield()
        asleep, looks = sleeps(probe), looks + 1
    return bool(asleep)
