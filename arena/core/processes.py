"""Processes of this machine: who is who, ending whole trees, and dying with one's parent."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import psutil

from workers.sandbox.kernel import die_with

MODULE = (sys.executable, "-P", "-m")
"""Runs a module of ours, whatever lies in the working folder under the same name, or one that it imports."""
_SAME_START_SECONDS = 2.0
_BOOT = Path("/proc/sys/kernel/random/boot_id")


def start_time(pid: int) -> float | None:
    """What tells that process from others that had or will have its pid; None when there is none."""
    try:
        return _started(psutil.Process(pid))
    except psutil.Error:
        return None


def _started(process: psutil.Process) -> float:
    """When a process started, in seconds since a moment that is another one for each start of the machine.

    Linux knows when a process started after the machine, and tells when that was by the clock as it is set
    now: the moment of the epoch changes with it.
    """
    since_epoch = process.create_time()
    try:
        boot = int(_BOOT.read_text()[:8], 16)
    except OSError:
        return since_epoch
    return boot + since_epoch - psutil.boot_time()


def same_process(pid: int | None, created: float | None) -> psutil.Process | None:
    """The process of that pid if it is still the one that started at `created`, else None."""
    if pid is None or created is None:
        return None
    try:
        process = psutil.Process(pid)
        told = _started(process), process.create_time()  # the latter is what earlier releases wrote
        if min(abs(each - created) for each in told) > _SAME_START_SECONDS:
            return None
        return None if process.status() == psutil.STATUS_ZOMBIE else process
    except psutil.Error:
        return None


def with_descendants(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Those processes and everything below them, as it is now."""
    family: list[psutil.Process] = []
    for process in processes:
        family.append(process)
        try:
            family += process.children(recursive=True)
        except psutil.Error:
            continue
    return family


def kill_all(processes: Iterable[psutil.Process], patience: float = 5.0) -> None:
    """SIGKILL each process and wait at most `patience` seconds until they are gone."""
    targets = list(processes)
    for process in targets:
        try:
            process.kill()
        except psutil.Error:
            continue
    psutil.wait_procs(targets, timeout=patience)


def end_trees(
    processes: Iterable[psutil.Process], grace: float, ending: signal.Signals = signal.SIGTERM
) -> None:
    """Ask each process to end, wait `grace` seconds, then kill what is left of it and of its descendants."""
    targets = list(processes)
    everything = with_descendants(targets)
    for process in targets:
        try:
            process.send_signal(ending)
        except psutil.Error:
            continue
    psutil.wait_procs(targets, timeout=grace)
    kill_all(process for process in everything if process.is_running())


def dying_with_parent(ending: signal.Signals) -> Callable[[], None]:
    """A function for a new child to call before its program: the kernel sends `ending` when the parent dies.

    On systems without that service nothing is sent; the next `arena up` cleans up there.
    """
    return partial(die_with, os.getpid(), ending)


def kill_strays(known: Iterable[int]) -> int:
    """Kill and reap this process's children that are not `known`: orphans it adopted. Returns how many."""
    keep = set(known)
    strays = [child for child in psutil.Process().children() if child.pid not in keep]
    kill_all(with_descendants(strays))
    return len(strays)
