"""Bots that go for other processes: the worker, the opponent, everybody."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import time
from collections.abc import Iterator

from tests.hostile.bots.kit import attack, given, note, refused
from tests.hostile.bots.system import call

F_SETOWN = 8
F_SETSIG = 10
F_SETOWN_EX = 15
PTRACE = {"attach": 16, "seize": 0x4206}
O_ASYNC = 0o20000


def targets() -> Iterator[int]:
    """The worker and those near to it. In a namespace these numbers mean nobody, or the bot's own init."""
    yield given("worker")
    yield given("neighbour")
    if os.getppid() > 1:
        yield os.getppid()


@attack()
def signals() -> None:
    """Signals the worker and a neighbour, in every way that there is."""
    for pid in targets():
        for number in (0, signal.SIGCONT, signal.SIGURG):
            refused(f"signal {number} to {pid}", os.kill, pid, number)
        refused(
            f"sigqueue to {pid}",
            call,
            "rt_sigqueueinfo",
            pid,
            signal.SIGCONT,
            struct.pack("iii", 0, 0, -1) + bytes(116),
        )
        refused(f"tgkill of {pid}", call, "tgkill", pid, pid, signal.SIGCONT)
        refused(f"pidfd of {pid}", call, "pidfd_open", pid, 0)
        refused(f"group of {pid}", os.killpg, pid, 0)


@attack()
def everybody() -> None:
    """Kills all that it may kill except itself."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for target in (-1, 0):
        try:
            os.kill(target, signal.SIGTERM)
        except OSError as error:
            note(f"refused {target}: {error}")
    note("asked everybody to go")


@attack()
def signals_by_file() -> None:
    """Has the kernel signal the worker whenever a pipe moves."""
    for pid in targets():
        for descriptor in (0, 1, 2):
            refused(f"F_SETOWN {pid}", fcntl.fcntl, descriptor, F_SETOWN, pid)
            refused(f"F_SETOWN_EX {pid}", fcntl.fcntl, descriptor, F_SETOWN_EX, struct.pack("ii", 1, pid))
            refused("F_SETSIG", fcntl.fcntl, descriptor, F_SETSIG, int(signal.SIGKILL))


@attack()
def ptrace() -> None:
    """Traces others, and reads and writes their memory."""
    for pid in targets():
        for name, number in PTRACE.items():
            refused(f"{name} {pid}", call, "ptrace", number, pid, 0, 0)
        vector = struct.pack("QQ", id(PTRACE), 8)
        for name in ("process_vm_readv", "process_vm_writev"):
            refused(f"{name} {pid}", call, name, pid, vector, 1, vector, 1, 0)
        refused(f"kcmp {pid}", call, "kcmp", os.getpid(), pid, 0, 0, 0)
        refused(f"/proc/{pid}/mem", os.open, f"/proc/{pid}/mem", os.O_RDWR)
    refused("being traced", call, "ptrace", 0, 0, 0, 0)


@attack()
def limits_of_others() -> None:
    """Changes the limits, the priority, the core and the memory of others."""
    for pid in targets():
        refused(f"prlimit {pid}", call, "prlimit64", pid, 7, struct.pack("QQ", 3, 3), 0)
        refused(f"prlimit of {pid}", call, "prlimit64", pid, 7, 0, bytes(16))
        refused(f"priority of {pid}", os.setpriority, os.PRIO_PROCESS, pid, 19)
        refused(f"core of {pid}", os.sched_setaffinity, pid, {0})
        refused(f"policy of {pid}", os.sched_setscheduler, pid, os.SCHED_IDLE, os.sched_param(0))
        refused(f"ioprio of {pid}", call, "ioprio_set", 1, pid, 3 << 13)
        refused(
            f"migrate_pages of {pid}", call, "migrate_pages", pid, 8, struct.pack("Q", 1), struct.pack("Q", 1)
        )
        refused(f"move_pages of {pid}", call, "move_pages", pid, 0, 0, 0, 0, 0)
    refused("priority of its user", os.setpriority, os.PRIO_USER, 0, 19)


@attack()
def descriptors_of_others() -> None:
    """Takes an open file out of another process."""
    for pid in targets():
        refused(f"pidfd_open {pid}", call, "pidfd_open", pid, 0)
        for number in (0, 1, 2, 3, 10):
            refused(f"descriptor {number} of {pid}", os.open, f"/proc/{pid}/fd/{number}", os.O_RDONLY)


@attack()
def moves_between_groups() -> None:
    """Joins the worker's process group and session."""
    refused("joining the worker's group", os.setpgid, 0, given("worker"))
    for path in ("/sys/fs/cgroup", "/proc/self/cgroup", "/proc/self/oom_score_adj", "/proc/self/uid_map"):
        refused(path, os.open, path, os.O_RDWR)


@attack()
def clocks_of_others() -> None:
    """Reads how much processor time others have used, which tells it what they do."""
    for pid in (given("worker"), given("neighbour")):
        refused(f"the clock of {pid}", time.clock_gettime, (~pid << 3) | 2)
    time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)
