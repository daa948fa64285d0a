"""What is read of a bot at every turn: its processor time, and whether it sleeps until it is asked.

A process of one thread that waits in `read` of its stdin goes on when a line comes, or when a timer of its
own interrupts it; nobody but the worker and itself can wake it. So nothing needs to be done to keep it from
computing. Linux tells it (``/proc/PID/syscall``); elsewhere, and where a bot may not be looked at, no bot is
known to sleep.
"""

from __future__ import annotations

import contextlib
import os
import platform
import time
from typing import NamedTuple

NOTHING = -1
READS_STDIN = {"x86_64": b"0 0x0 ", "aarch64": b"63 0x0 "}.get(platform.machine())
"""How the kernel writes that a process waits in the call `read` of its descriptor 0."""
RUNS = b"running"
LINKS_OF_ONE = 3
"""Of the folder of a process's threads, if there is one."""


class Probe(NamedTuple):
    """Where a bot is looked at: descriptors that stay open, or `NOTHING` where there is none.

    Its processor time is the number at place `word` of the file `usage`, in units of `unit` ns, or else what
    `clock` shows, the CPU clock of its first process. `call` says what that process waits for, `threads` is
    the folder of its threads, `children` names the processes that it has started, and `tasks` is how many
    processes and threads there are in all, at `least` so many. Without `call` it is taken to sleep.
    """

    clock: int = 0
    usage: int = NOTHING
    word: int = 0
    unit: int = 1
    call: int = NOTHING
    threads: int = NOTHING
    children: int = NOTHING
    tasks: int = NOTHING
    least: int = 0


def clock_of(pid: int) -> int:
    """The CPU clock of a whole process (Linux)."""
    return (~pid << 3) | 2


def looking_at(probe: Probe, pid: int, *, alone: bool) -> Probe | None:
    """`probe` with the descriptors by which process `pid` is looked at; None where it cannot be.

    Only for one that is not `alone` for another reason it is looked at whether it has started others.
    """
    if READS_STDIN is None:
        return None
    opened: list[int] = []
    try:
        names = ("syscall", "task") if alone else ("syscall", "task", f"task/{pid}/children")
        opened.extend(os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in names)
    except OSError:
        for descriptor in opened:
            os.close(descriptor)
        return None
    return probe._replace(call=opened[0], threads=opened[1], children=NOTHING if alone else opened[2])


def close(probe: Probe) -> None:
    """Give back what `looking_at` has opened."""
    for descriptor in (probe.call, probe.threads, probe.children):
        if descriptor != NOTHING:
            os.close(descriptor)


def own_ns(probe: Probe) -> int | None:
    """The processor time of the first process alone, in nanoseconds; None where that cannot be told."""
    with contextlib.suppress(OSError):
        return time.clock_gettime_ns(probe.clock)
    return None


def used_ns(probe: Probe) -> int | None:
    """The processor time so far, in nanoseconds; None where that cannot be told."""
    if probe.usage == NOTHING:
        return own_ns(probe)
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(os.pread(probe.usage, 64, 0).split()[probe.word]) * probe.unit
    return None


def sleeps(probe: Probe) -> bool | None:
    """Whether all there is of the bot is one thread that waits for a line; None if that one still runs."""
    if probe.call == NOTHING:
        return True
    try:
        doing = os.pread(probe.call, 16, 0)
        if not doing.startswith(READS_STDIN or RUNS):
            return None if doing.startswith(RUNS) else False
    except OSError:  # it has ended
        return False
    return is_alone(probe)


def is_alone(probe: Probe) -> bool:
    """Whether the bot is one process of one thread."""
    try:
        if probe.tasks != NOTHING:
            return int(os.pread(probe.tasks, 64, 0)) == probe.least
        if os.fstat(probe.threads).st_nlink != LINKS_OF_ONE:
            return False
        return probe.children == NOTHING or not os.pread(probe.children, 1, 0)
    except (OSError, ValueError):
        return False
