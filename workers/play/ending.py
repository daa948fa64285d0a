"""How a bot's process ended that hung up."""

from __future__ import annotations

import os
import time

from workers.core.halt import Halt
from workers.play.meter import Meter
from workers.sandbox.confinement import Confined

EXIT_SECONDS, MAX_EXIT_SECONDS = 0.5, 30.0
"""How long a bot that hung up is waited for to end, and how long one that computes, or waits to do so."""


def exit_descriptor(pid: int) -> int | None:
    """A descriptor that is ready once the process has ended, whoever else holds its pipes (Linux)."""
    return os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None


def status_of(process: Confined, meter: Meter, halt: Halt | None) -> int | None:
    """The status of a process, once it has one; None if it only hung up.

    On a busy host a process is not gone as soon as its pipes are closed: it must be let run for that.

    Raises:
        HaltError: `halt` ended the wait.
    """
    until = time.monotonic() + MAX_EXIT_SECONDS
    status = process.wait(EXIT_SECONDS)
    while status is None and meter.waits() and time.monotonic() < until:
        if halt:
            halt.check()
        status = process.wait(EXIT_SECONDS)
    return status
