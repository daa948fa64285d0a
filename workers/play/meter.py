"""Measures one bot's turns: its processor time, in its turn and between, and what kept it from running."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import NamedTuple

from workers.core.contract import NO_CPU_CONTENTION, CpuContention
from workers.play.pressure import FRESH_NS, Gauge, strain
from workers.sandbox.confinement import Confined


class Measured(NamedTuple):
    """One turn: processor time of the bot (None where it cannot be told), and the referee's own delay."""

    cpu_ns: int | None
    lag_ns: int
    strain: CpuContention


class Meter:
    """Follows one process of a bot. A turn is from `begin` to `end`; between turns it is to use nothing.

    What it uses nevertheless, from its answer on, adds up until its next turn. Until `fresh_until_ns` what
    was last read of the host's counters is as good as a new reading, and `schedstat` is the descriptor that
    says how long this thread has waited for a processor, or -1. It came to rest,
    after its last answer, when it had used `rested_ns`, and `owed_ns` of that since that answer.
    """

    def __init__(self, process: Confined) -> None:
        self._process = process
        self._gauge = Gauge(process.pid)
        self._delay = _RunDelay()
        self.schedstat = self._delay.descriptor
        self._answered_ns: int | None = None
        self.rested_ns: int | None = None
        self._last_seen_ns: int | None = None
        self.owed_ns = 0
        self.begin()
        self.counts = self._cpu_before is not None

    def begin_match(self) -> None:
        """A match begins, for a process of an earlier one: from now on it is on this thread's cores."""
        self._gauge = Gauge(self._process.pid)
        self.begin()

    def begin(self) -> int:
        """A turn begins; what the bot used since the last one, in nanoseconds."""
        self.renew()
        return self.began(self._process.cpu_ns(), self._delay.read())

    def renew(self) -> None:
        """Have the counters of the host fresh for a turn that begins."""
        self._before = self._gauge.read()
        self.fresh_until_ns = self._before.at_ns + FRESH_NS

    def began(self, cpu_ns: int | None, delay_ns: int) -> int:
        """As `begin`, where others have read these counters; those of the host are fresh."""
        self._delay_before = delay_ns
        self._cpu_before = cpu_ns
        off_turn = self.owed_ns + self._since_rest(cpu_ns)
        self.owed_ns = 0
        return off_turn

    def answered(self, cpu_ns: int | None = None) -> None:
        """The bot has answered, and computes still: its turn is over, but it is not at rest."""
        if self._answered_ns is None:
            self._answered_ns = self._seen() if cpu_ns is None else cpu_ns

    def ended(self, answered_ns: int, rested_ns: int) -> None:
        """As `end` of a short turn, where others have read the counters."""
        self.owed_ns += rested_ns - answered_ns
        self.rested_ns = rested_ns

    def _since_rest(self, now_ns: int | None) -> int:
        return 0 if now_ns is None or self.rested_ns is None else max(0, now_ns - self.rested_ns)

    def lost_ns(self, wall_ns: int) -> int:
        """How much of `wall_ns` since `begin` others had the processor that the bot was waiting for."""
        cpu = self._cpu_since(self._process.cpu_ns())
        after, waits = self._gauge.read(), self.waits()
        return strain(self._before, after, wall_ns, cpu, self._lag(), waits=waits).lost_ns

    def waits(self) -> bool:
        """Whether the bot runs, or could if it had a processor."""
        return self._gauge.waits()

    def end(self, wall_ns: int) -> Measured:
        """The bot is at rest, its turn over after `wall_ns`. Of a short one nothing is told of the host."""
        lag = self._lag()
        self.rested_ns = rested = self._seen()
        if self._answered_ns is not None and rested is not None:
            self.owed_ns += rested - self._answered_ns
            rested = self._answered_ns
        self._answered_ns = None
        cpu = self._cpu_since(rested)
        return Measured(
            cpu, lag, self._strain(wall_ns, cpu, lag) if wall_ns > FRESH_NS else NO_CPU_CONTENTION
        )

    def look(self) -> None:
        """Note what a process has used that has ended, while that can still be told."""
        self._last_seen_ns = self._seen()

    def close(self) -> None:
        """Give back what it holds open."""
        self._delay.close()

    def _seen(self) -> int | None:
        now = self._process.cpu_ns()
        return self._last_seen_ns if now is None else now

    def _cpu_since(self, now_ns: int | None) -> int | None:
        return None if now_ns is None or self._cpu_before is None else max(0, now_ns - self._cpu_before)

    def _lag(self) -> int:
        return self._delay.read() - self._delay_before

    def _strain(self, wall_ns: int, cpu_ns: int | None, lag_ns: int) -> CpuContention:
        return strain(self._before, self._gauge.read(), wall_ns, cpu_ns, lag_ns)


class _RunDelay:
    """How long this thread has waited for a processor, in nanoseconds since its start (Linux)."""

    def __init__(self) -> None:
        path = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self.descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC) if path.exists() else -1

    def read(self) -> int:
        return 0 if self.descriptor < 0 else int(os.pread(self.descriptor, 100, 0).split()[1])

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
