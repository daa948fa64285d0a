from typing import TypeAlias

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
