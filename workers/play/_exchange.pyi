from typing import TypeAlias

from engines.game import Position, Seat
from workers.sandbox.probe import Probe

# sent_ns, heard_ns, taken, chunk, move, clock_ns, used_ns, answered_ns, rested_ns, rested_clock_ns,
# delay_ns, delayed_ns, asleep
Turn: TypeAlias = tuple[int, int, int, bytes, str | None, int, int, int, int, int, int, int, int]

def ask(
    stdin: int,
    watched: tuple[int, ...],
    probe: Probe | None,
    schedstat: int,
    looks: int,
    fresh_until_ns: int,
    line: bytes,
    number: int,
    wait_ms: int,
    /,
) -> Turn | None: ...
def move_of(line: bytes, number: int, /) -> str | None: ...

# stdin, watched, probe, schedstat, looks, fresh_until_ns, clock_ns, rested_ns, owed_ns, wall_left_ns,
# cpu_left_ns, output_left, last_ns, ledger
Side: TypeAlias = tuple[int, tuple[int, ...], Probe, int, int, int, int, int, int, int, int, int, int, bytes]
# seat, move, asked, wall_ns, cpu_ns, lag_ns, off_turn_ns
Row: TypeAlias = tuple[Seat, str, bool, int, int, int, int]
# plies, used_ns, delay_ns, answered_ns, rested_ns, rested_clock_ns, wall_ns, cpu_ns, output
SideTold: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]
Question: TypeAlias = tuple[int, bytes, Turn]

def run(
    rules: object,
    size: int,
    position: Position,
    ids: int,
    ply: int,
    history: bytes,
    limits: tuple[int, int, int, int],
    sides: tuple[Side, Side],
    /,
) -> tuple[list[Row], Position, int, tuple[SideTold, SideTold], Question | None]: ...
