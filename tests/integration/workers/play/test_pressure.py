"""What of its time a bot lost to others, worked out from what the host counts."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.odd_names import ODDLY_NAMED
from tests.waiting import eventually
from workers.play.pressure import FRESH_NS, Gauge, Reading, Task, strain

MS = 1_000_000
LINUX = pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="needs Linux's counters")
ZERO = Reading(0, {}, 0, 0, 0, 0)


def reading(
    waited: int | None,
    busy: int | None,
    steal: int | None = 0,
    *,
    own: int = 0,
    pressure: int | None = 0,
    tasks: tuple[tuple[int, int], ...] = (),
) -> Reading:
    """Counters in milliseconds, some time after `ZERO`: of `tasks`, or of one that alone `waited`."""
    pressure, busy, steal = (None if value is None else value * MS for value in (pressure, busy, steal))
    counted = tasks if waited is None or tasks else ((100, waited),)
    named = {str(number): Task(ran * MS, late * MS) for number, (ran, late) in enumerate(counted)}
    return Reading(1, named or None, pressure, busy, steal, own * MS)


def crowded(*tasks: tuple[int, int]) -> Reading:
    """Of several tasks, how long each ran and waited; by its ticks the host was busy all the time."""
    return reading(None, 100, tasks=tasks)


@pytest.mark.parametrize(
    ("after", "cpu", "lag", "lost"),
    [
        (reading(waited=50, busy=100), 50, 0, 50),  # a hog had the other half
        (reading(waited=0, busy=100), 0, 0, 0),  # the bot slept while a hog was busy
        (reading(waited=90, busy=100), 100, 0, 0),  # two threads of the bot in each other's way
        (reading(waited=40, busy=60), 55, 0, 5),  # most of the waiting was for itself
        (reading(waited=50, busy=100, own=30), 50, 0, 20),  # the referee was busy, not a stranger
        (reading(waited=0, busy=100, steal=30), 70, 0, 30),  # the host of a virtual machine took it
        (reading(waited=10, busy=100), 50, 20, 30),  # the referee could not run to hear the answer
        (reading(waited=500, busy=100), 20, 0, 80),  # never more than it did not run
        (crowded((33, 66), (33, 66)), 66, 0, 33),  # two threads of the bot and a hog, in turns
        (crowded((10, 40), (10, 40), (10, 40), (10, 40)), 40, 0, 10),  # mostly in each other's way
        (crowded((0, 40), (1, 39), (0, 39)), 40, 0, 0),  # a thread that has ended had the time
        (reading(waited=None, busy=100), 20, 0, 0),
        (reading(waited=50, busy=None), 20, 0, 0),
        (reading(waited=50, busy=100), None, 0, 0),
    ],
)
def test_lost_is_what_others_had_while_the_bot_waited(
    after: Reading, cpu: int | None, lag: int, lost: int
) -> None:
    """Of 100 ms a bot lost what it waited for others, and nothing where that is not known."""
    found = strain(ZERO, after, 100 * MS, None if cpu is None else cpu * MS, lag * MS)
    assert found.lost_ns == lost * MS


@pytest.mark.parametrize(("busy", "cpu", "lost"), [(100, 20, 80), (50, 20, 30), (100, 100, 0)])
def test_a_wait_that_is_not_over_is_lost_too(busy: int, cpu: int, lost: int) -> None:
    """The kernel has not counted it yet: it is bounded by what others had, and by what the bot had not."""
    found = strain(ZERO, reading(waited=0, busy=busy), 100 * MS, cpu * MS, 0, waits=True)
    assert found.lost_ns == lost * MS


def test_who_sleeps_beside_a_bot_takes_no_wait_from_it() -> None:
    """A sandbox has processes of its own that do nothing; a bot that got nothing at all may have, too."""
    for after in (crowded((20, 0), (0, 0), (0, 0)), crowded((0, 0), (0, 0))):
        assert strain(ZERO, after, 100 * MS, 20 * MS, 0, waits=True).lost_ns == 80 * MS


def test_of_several_tasks_the_wait_that_is_not_over_is_no_others_fault() -> None:
    """One of them nearly always waits, and for another of the same bot."""
    after = crowded((5, 1), (5, 1), (5, 1))
    assert strain(ZERO, after, 100 * MS, 15 * MS, 0, waits=True).lost_ns == 0


@LINUX
def test_a_task_that_could_run_is_told_from_one_that_sleeps() -> None:
    """Whoever reads the gauge runs; one that waits for its input does not want to."""
    assert Gauge(os.getpid()).waits()
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as idle:
        eventually(lambda: not Gauge(idle.pid).waits())


@LINUX
def test_a_name_does_not_make_a_task_that_sleeps_one_that_could_run() -> None:
    """Who calls itself as the kernel describes one that waits for a processor has no more time for that."""
    with subprocess.Popen([sys.executable, "-c", ODDLY_NAMED], stdin=subprocess.PIPE) as idle:
        eventually(lambda: b") R " in Path(f"/proc/{idle.pid}/comm").read_bytes())
        eventually(lambda: not Gauge(idle.pid).waits())


def test_what_a_host_does_not_tell_is_not_made_up() -> None:
    """Unknown counters stay unknown, and one that went back (a task that ended) counts as nothing."""
    found = strain(reading(5, 9, steal=None), reading(2, None, steal=None, pressure=None), MS, MS, 0)
    assert (found.waited_ns, found.pressure_ns, found.steal_ns) == (0, None, None)


@pytest.fixture
def crowd() -> Iterator[psutil.Process]:
    """A process with two children, all busy on one core."""
    core = max(os.sched_getaffinity(0))
    code = "import os\nfor _ in range(2):\n    if not os.fork():\n        break\nwhile True: pass"
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    process = subprocess.Popen([sys.executable, "-c", code])
    os.sched_setaffinity(0, before)
    tree = psutil.Process(process.pid)
    try:
        eventually(lambda: len(tree.children()) == 2)
        yield tree
    finally:
        for each in [*tree.children(), tree]:
            each.kill()
        process.wait()


@LINUX
def test_all_tasks_below_a_process_are_counted(crowd: psutil.Process) -> None:
    """Three processes that share a core wait twice as long as it works, which no single one could."""
    gauge = Gauge(crowd.pid)
    before = gauge.read()

    def wait_longer_than_one_could() -> bool:
        after = gauge.read()
        waited = strain(before, after, 0, 0, 0).waited_ns or 0
        return after.at_ns - before.at_ns > 10**9 and waited > 1.2 * (after.at_ns - before.at_ns)

    assert before.tasks is not None
    eventually(wait_longer_than_one_could)


@LINUX
def test_readings_are_taken_anew_only_when_old() -> None:
    """Within a few milliseconds the same reading serves again, later a new one is taken."""
    gauge = Gauge(os.getpid())
    first = gauge.read()
    gauge._last = first._replace(at_ns=time.monotonic_ns())
    assert gauge.read() is gauge._last
    gauge._last = first._replace(at_ns=time.monotonic_ns() - 2 * FRESH_NS)
    assert gauge.read() is not first


@LINUX
def test_a_process_that_has_ended_tells_nothing() -> None:
    """There is nothing to wait for, and nothing is raised."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert Gauge(process.pid).read().tasks is None
