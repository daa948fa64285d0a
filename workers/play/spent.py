"""What one bot has used of the limits of its match."""

from __future__ import annotations

from workers.core.contract import Limits
from workers.play.faults import NS_PER_S, exhausted
from workers.play.player import Fault


class Spent:
    """Counts what a bot has written in its match, in bytes, and its wall and processor time."""

    def __init__(self, limits: Limits) -> None:
        self.output = self.wall_ns = self.cpu_ns = 0
        self._limits = limits

    def fits(self, size: int) -> bool:
        """Whether a line of that size is not too long, nor all that was written in the match."""
        return size <= self._limits.line_bytes and self.output <= self._limits.output_bytes

    def fault(self) -> Fault | None:
        """That its time for the match is used up, if it is."""
        return exhausted(self._limits, self.cpu_ns, self.wall_ns)

    def wait_ns(self, allowed_ns: int) -> int:
        """How long an answer is waited for, where `allowed_ns` of its time are left."""
        return min(allowed_ns, self.left()[0])

    def left(self) -> tuple[int, int, int]:
        """What is left of wall time, of processor time, and of its output."""
        wall_ns, cpu_ns = self._limits.wall_seconds * NS_PER_S, self._limits.cpu_seconds * NS_PER_S
        return wall_ns - self.wall_ns, cpu_ns - self.cpu_ns, self._limits.output_bytes - self.output
