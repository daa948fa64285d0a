"""Results in which a bot was late, for reasons of its own or of its host."""

from __future__ import annotations

from tests.integration.arena.world import play
from workers.core.contract import CpuContention, FaultCode, MatchResult, MatchSpec, Seat

WAITED = CpuContention(
    waited_ns=800_000_000, pressure_ns=900_000_000, steal_ns=10_000_000, lost_ns=700_000_000
)
WORDS = "what only the owner sees"


def late(spec: MatchSpec, seat: Seat = 0, *, excused: bool = True) -> MatchResult:
    """A result of `spec` in which that seat was late; `excused` by the pressure on its host."""
    result = play(spec, forfeits=[seat])
    told = {"code": FaultCode.TIMEOUT, "excused": excused, "strain": WAITED if excused else CpuContention()}
    words = {"received": WORDS, "request": WORDS, "clock_ns": 1_300_000_000, "cpu_ns": 400_000_000}
    forfeit = result.forfeits[0].model_copy(update=told | words)
    return result.model_copy(update={"reason": "timeout", "forfeits": (forfeit,)})
