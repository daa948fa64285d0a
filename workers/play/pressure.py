"""How much others wanted the processors that a bot runs on, and what that cost the bot.

Linux tells it: how long each task waited for a processor (``/proc/PID/task/TID/schedstat``), how long
anything on the host did (pressure stall information, ``/proc/pressure/cpu``), what each processor did, and
what the host of a virtual machine kept of it (steal, ``/proc/stat``, counted in ticks). Elsewhere nothing is
known, and nothing is excused.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from workers.core.contract import CpuContention
from workers.sandbox.tree import after_name

FRESH_NS = 5_000_000
"""A reading so young is as good as a new one: a tick of ``/proc/stat`` is longer."""
BUSY_COLUMNS = (0, 1, 2, 5, 6, 7)
"""Of a processor's line: user, nice, system, irq, softirq and steal; not idle and waiting for a disk."""
STEAL_COLUMN = 7
LIST_BYTES = 65_536


class Task(NamedTuple):
    """How long a task has run since its start, and how long it has waited for a processor, in nanoseconds."""

    ran_ns: int
    waited_ns: int


class Reading(NamedTuple):
    """Counters since the start of host, tasks and process, in nanoseconds; None where they are unknown.

    `tasks` are the bot's, `busy_ns` and `steal_ns` are of the processors that it may run on, and `own_ns` is
    this process's processor time.
    """

    at_ns: int
    tasks: Mapping[str, Task] | None
    pressure_ns: int | None
    busy_ns: int | None
    steal_ns: int | None
    own_ns: int


class Gauge:
    """Reads the counters for one bot, whose processes are `pid` and all below it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._cores = _usable_cores()
        self._last: Reading | None = None

    def read(self) -> Reading:
        """The counters as they are now, or were at most `FRESH_NS` ago."""
        now = time.monotonic_ns()
        if self._last is None or now - self._last.at_ns > FRESH_NS:
            busy, steal = _processors(self._cores)
            tasks = _counted(self._pid)
            self._last = Reading(now, tasks, _pressure(), busy, steal, time.process_time_ns())
        return self._last

    def waits(self) -> bool:
        """Whether a task of the bot could run now; how long it has waited for that is not counted yet."""
        return any(after_name(_read(f"{path}/stat") or b"")[:1] == b"R" for path in _tasks(self._pid))


def strain(
    before: Reading,
    after: Reading,
    wall_ns: int,
    cpu_ns: int | None,
    lag_ns: int,
    *,
    waits: bool = False,
) -> CpuContention:
    """What lay on the host between two readings, around a wait of `wall_ns` in which the bot used `cpu_ns`.

    The bot lost what it, or for `lag_ns` the referee that was to hear it, waited for a processor that others
    had: not more than the time in which it did not run, and not more than what others than the bot and this
    process had of the processors meanwhile. What others had is counted in ticks, and a bot can see to it that
    its own tasks run whenever one ends. So of several tasks the one counts that waited longest, less what all
    others of the bot ran: threads of a bot that are in each other's way lose nothing, nor does a bot that
    sleeps on a busy host. What a virtual machine's host kept counts whole within these bounds, as nobody
    knows whose it was.

    The kernel counts a wait when it is over: of a bot that `waits` still, and of which no more than one task
    has been busy, no more is known than those bounds. Of several busy ones one nearly always waits, for
    another.
    """
    spans = _spans(before.tasks, after.tasks)
    steal = _between(before.steal_ns, after.steal_ns)
    busy = _between(before.busy_ns, after.busy_ns)
    lost = 0
    if spans is not None and busy is not None and cpu_ns is not None:
        others = busy - cpu_ns - (after.own_ns - before.own_ns)
        alone = sum(each != Task(0, 0) for each in spans) <= 1
        waited = max((each.waited_ns - max(0, cpu_ns - each.ran_ns) for each in spans), default=0)
        delayed = wall_ns if waits and alone else max(0, waited) + lag_ns + (steal or 0)
        lost = max(0, min(delayed, wall_ns - cpu_ns, others))
    return CpuContention(
        waited_ns=None if spans is None else sum(each.waited_ns for each in spans),
        pressure_ns=_between(before.pressure_ns, after.pressure_ns),
        steal_ns=steal,
        lost_ns=lost,
    )


def _spans(before: Mapping[str, Task] | None, after: Mapping[str, Task] | None) -> list[Task] | None:
    """What each task that is still there has run and waited between two readings."""
    if before is None or after is None:
        return None
    pairs = ((before.get(name, Task(0, 0)), task) for name, task in after.items())
    return [Task(*(max(0, new - old) for old, new in zip(*pair, strict=True))) for pair in pairs]


def _between(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else max(0, after - before)


def _usable_cores() -> frozenset[int]:
    return frozenset(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ())


def _read(path: str) -> bytes | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(file, LIST_BYTES)
    except OSError:  # the task has ended since
        return None
    finally:
        os.close(file)


def _pressure() -> int | None:
    """How long at least one task of the host was waiting for a processor."""
    content = _read("/proc/pressure/cpu")
    if not content:
        return None
    some = content.split(b"\n", 1)[0]
    return int(some.rpartition(b"total=")[2]) * 1000


def _processors(cores: frozenset[int]) -> tuple[int | None, int | None]:
    """How long those processors were not idle, and how long stolen of that."""
    content = _read("/proc/stat")
    if not content or not cores:
        return None, None
    tick = 10**9 // os.sysconf("SC_CLK_TCK")
    names = {b"cpu%d" % core for core in cores}
    lines = [line.split() for line in content.split(b"\n") if line.startswith(b"cpu")]
    counts = [[int(word) for word in words[1:]] for words in lines if words[0] in names]
    busy = sum(count[column] for count in counts for column in BUSY_COLUMNS)
    return busy * tick, sum(count[STEAL_COLUMN] for count in counts) * tick


def _counted(pid: int) -> dict[str, Task] | None:
    """How long each task of a process and of all below it has run and waited; None where none is told of."""
    schedstats = {path: words for path in _tasks(pid) if (words := _read(f"{path}/schedstat"))}
    return {path: Task(*map(int, words.split()[:2])) for path, words in schedstats.items()} or None


def _tasks(pid: int) -> Iterator[str]:
    rest = [pid]
    while rest:
        folder = f"/proc/{rest.pop()}/task"
        try:
            threads = os.listdir(folder)  # noqa: PTH208  (read within a match: half the cost)
        except OSError:
            continue
        for thread in threads:
            path = f"{folder}/{thread}"
            yield path
            rest += map(int, (_read(f"{path}/children") or b"").split())
