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
    """Follows one process of a bot. A turn is from `begin` to `end`; between turns it is to use nothing."""

    def __init__(self, process: Confined) -> None:
        self._process = process
        self._gauge = Gauge(process.pid)
        self._delay = _RunDelay()
        self._rested_ns: int | None = None
        self._last_seen_ns: int | None = None
        self.begin()

    def begin(self) -> int:
        """A turn begins; what the bot used since the last one, in nanoseconds."""
        self._before = self._gauge.read()
        self._delay_before = self._delay.read()
        self._cpu_before = self._process.cpu_ns()
        if self._cpu_before is None or self._rested_ns is None:
            return 0
        return max(0, self._cpu_before - self._rested_ns)

    def lost_ns(self, wall_ns: int) -> int:
        """How much of `wall_ns` since `begin` others had the processor that the bot was waiting for."""
        cpu = self._cpu_since(self._process.cpu_ns())
        after, waits = self._gauge.read(), self.waits()
        return strain(self._before, after, wall_ns, cpu, self._lag(), waits=waits).lost_ns

    def waits(self) -> bool:
        """Whether the bot runs, or could if it had a processor."""
        return self._gauge.waits()

    def end(self, wall_ns: int) -> Measured:
        """The turn is over, after `wall_ns`. Of one that was too short nothing about the host is told."""
        lag = self._lag()
        self._rested_ns = self._seen()
        cpu = self._cpu_since(self._rested_ns)
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
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC) if path.exists() else None

    def read(self) -> int:
        return 0 if self._file is None else int(os.pread(self._file, 100, 0).split()[1])

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
