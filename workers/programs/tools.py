"""A short program run to its end in the sandbox, such as a compiler: how it ended and what it said."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path
from typing import NamedTuple

from workers.core.contract import Limits
from workers.core.halt import Halt
from workers.core.stderr import Stderr, StderrTap
from workers.sandbox.confinement import Confined, Confinement, Program

PAUSE_MS = 50
BLOCK = 4096
LOOK_SECONDS = 0.5
"""How often the size of the folder is looked at that a program writes to."""
MIN_FREE = 2 << 30
"""How much room on its disk is left alone, in bytes: files that are open need no name that could be found."""


class Ran(NamedTuple):
    """What became of a program. `status` is negative for a signal, and None when it was stopped by us.

    `stopped` then says why.
    """

    status: int | None
    stdout: Stderr
    stderr: Stderr
    stopped: str = ""


def run_to_end(
    confinement: Confinement,
    program: Program,
    limits: Limits,
    seconds: float,
    *,
    writable: Path | None = None,
    most_bytes: int = 0,
    halt: Halt | None = None,
) -> Ran:
    """Run `program` for at most `seconds`, and until what it writes to `writable` is more than `most_bytes`.

    Raises:
        LaunchError: it cannot be started.
        HaltError: `halt` broke it off.
    """
    process = confinement.launch(program, limits, writable=writable)
    try:
        process.close_stdin()
        return _Watch(process, writable, most_bytes, halt).until(time.monotonic() + seconds, seconds)
    finally:
        process.destroy()


class _Watch:
    """Takes in what a process says while it runs."""

    def __init__(self, process: Confined, writable: Path | None, most_bytes: int, halt: Halt | None) -> None:
        self._process = process
        self._halt = halt
        self._writable = writable
        self._most_bytes = most_bytes
        self._looked = time.monotonic()
        self._free = _free(writable) if writable else 0
        self._poller = select.poll()
        self._taps = (StderrTap(self._poller), StderrTap(self._poller))
        for tap, descriptor in zip(self._taps, (process.stdout, process.stderr), strict=True):
            os.set_blocking(descriptor, False)
            tap.open(descriptor)

    def until(self, deadline: float, seconds: float) -> Ran:
        stopped = ""
        while (status := self._process.wait(0)) is None and not stopped:
            self._poller.poll(PAUSE_MS)
            self._drain()
            if self._halt:
                self._halt.check()
            if time.monotonic() > deadline:
                stopped = f"it took more than {seconds:g} s"
            elif self._too_large():
                stopped = f"it wrote more than {self._most_bytes} bytes"
        self._drain()
        stdout, stderr = (tap.kept() for tap in self._taps)
        return Ran(status, stdout, stderr, stopped)

    def _drain(self) -> None:
        for tap in self._taps:
            tap.drain()

    def _too_large(self) -> bool:
        if self._writable is None or time.monotonic() < self._looked + LOOK_SECONDS:
            return False
        self._looked = time.monotonic()
        free = _free(self._writable)
        full = free < MIN_FREE and self._free - free > self._most_bytes
        return full or is_larger(self._writable, self._most_bytes)


def _free(folder: Path) -> int:
    """How many bytes the disk of `folder` still has room for."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def is_larger(folder: Path, most_bytes: int) -> bool:
    """Whether the files below `folder` take more than that, none less than a block.

    No more is looked at than shows it, as programs could add faster than somebody counts. What vanishes
    meanwhile counts nothing, and a tree too deep to be walked more than there is.
    """
    total = 0
    try:
        for top, folders, names in os.walk(folder):
            total += BLOCK * len(folders) + sum(_size(top, name) for name in names)
            if total > most_bytes:
                return True
    except RecursionError:
        return True
    return False


def _size(top: str, name: str) -> int:
    try:
        return max(BLOCK, os.lstat(os.path.join(top, name)).st_size)  # noqa: PTH118  (walked while it changes)
    except OSError:
        return 0
