"""Processes of this machine: who is who, ending whole trees, and dying with one's parent."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable
from functools import partial

import psutil

from workers.sandbox.kernel import die_with

MODULE = (sys.executable, "-P", "-m")
"""Runs a module of ours, whatever lies in the working folder under the same name, or one that it imports."""
_SAME_START_SECONDS = 2.0


def start_time(pid: int) -> float | None:
    """When that process started, in seconds of the epoch; None when there is none."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.Error:
        return None


def same_process(pid: int | None, created: float | None) -> psutil.Process | None:
    """The process of that pid if it is still the one that started at `created`, else None."""
    if pid is None or created is None:
        return None
    try:
        process = psutil.Process(pid)
        if abs(process.create_time() - created) > _SAME_START_SECONDS:
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
