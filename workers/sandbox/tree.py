"""Processes and what they started, as `/proc` shows them; elsewhere than on Linux there is nothing to see.

A process is called there what it likes, which need be no text; `) R ` looks like what follows the name.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

STILL = (b"T", b"t", b"D", b"Z", b"X")
"""A thread that is stopped, that waits for what nothing but the kernel can give it, or that has ended."""

leaders: set[int] = set()
"""The bots that this process has started and not yet destroyed."""


def children(pid: int | str = "self") -> set[int]:
    """The processes that a process started, and those that it adopted, as they are now."""
    pids: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  (read at every turn: half the cost)
            pids.update(_read_pids(f"/proc/{pid}/task/{thread}/children"))
    return pids


def _read_pids(path: str) -> list[int]:
    with contextlib.suppress(OSError), open(path, "rb", buffering=0) as file:  # noqa: PTH123  (likewise)
        return [int(word) for word in file.read(65536).split()]
    return []


def descendants(pid: int) -> set[int]:
    """Everything below that process, as it is now."""
    pids: set[int] = set()
    fresh = children(pid)
    while fresh - pids:
        pids |= fresh
        fresh = {child for parent in fresh for child in children(parent)}
    return pids


def start_of(pid: int) -> int:
    """When the process was started, in clock ticks since the machine was; 0 where that cannot be told."""
    words = _stat(pid)
    return int(words[19]) if words else 0


def sleeps(pid: int) -> bool:
    """Whether the process waits for something that a signal could interrupt."""
    return _stat(pid)[:1] == [b"S"]


def _stat(pid: int) -> list[bytes]:
    """What the kernel says of a process, from its state on; nothing where there is no such process."""
    with contextlib.suppress(OSError):
        return after_name(Path(f"/proc/{pid}/stat").read_bytes()).split()
    return []


def peak_memory(pid: int) -> int | None:
    """The most memory that one process has had in use at once, in bytes; None where that cannot be told."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return 1024 * int(Path(f"/proc/{pid}/status").read_bytes().split(b"\nVmHWM:")[1].split()[0])
    return None


def count_of(uid: int) -> int:
    """How many processes and threads a user has."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_uid == uid:
                count += len(os.listdir(folder / "task"))  # noqa: PTH208  (only their number is wanted)
    return count


def await_standstill(pid: int, seconds: float) -> None:
    """Wait until every thread of a process that was sent SIGSTOP has taken it in; at most so long.

    Until then it is still where it was, for example in a queue of those who wait to be woken by others.
    """
    until = time.monotonic() + seconds
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  (after every turn: half the cost)
            path = f"/proc/{pid}/task/{thread}/stat"
            while _state(path) not in STILL and time.monotonic() < until:
                os.sched_yield()


def _state(path: str) -> bytes:
    """The letter for what a thread does; of one that is gone, that for having ended."""
    with contextlib.suppress(OSError), open(path, "rb", buffering=0) as file:  # noqa: PTH123  (likewise)
        return after_name(file.read(512))[:1]
    return b"X"


def after_name(stat: bytes) -> bytes:
    """What follows the name in the kernel's line on a task: the letter for what it does, and numbers."""
    return stat.rpartition(b") ")[2]


def signal_tree(pid: int, number: signal.Signals, *, alone: bool) -> None:
    """Send a signal to the group that `pid` leads, and unless it is `alone` to what it started elsewhere."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)
    for below in () if alone else descendants(pid):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(below, number)


def keep_beside(pid: int) -> bool:
    """Keep every thread of a process on the cores that this thread is kept on; nothing where none is kept.

    Whether it is there: not if it has ended, nor if it runs elsewhere, under another user, and this process
    may not move it.
    """
    if not hasattr(os, "sched_setaffinity"):
        return True
    cores = os.sched_getaffinity(0)
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  (at every match's begin: half the cost)
            if os.sched_getaffinity(int(thread)) != cores:
                os.sched_setaffinity(int(thread), cores)
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False
    return True


def kill_orphans(since: int) -> None:
    """Kill and collect what outlived its parents, and so became this process's child.

    Whatever is younger than the bot, which was started at `since`, and no bot itself was started by bots:
    this process starts nothing else while a match is played.
    """
    while strays := [pid for pid in children() - leaders if start_of(pid) >= since]:
        for pid in strays:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
