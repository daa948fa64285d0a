"""A busy host for a test: programs that want every core for themselves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SPIN = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


@contextmanager
def hogs(cores: set[int], each: int) -> Iterator[None]:
    """So many programs on each of these cores, for as long as the block runs."""
    started = [
        subprocess.Popen([sys.executable, "-c", SPIN, str(core)], start_new_session=True)
        for core in cores
        for _ in range(each)
    ]
    try:
        yield
    finally:
        for hog in started:
            hog.kill()
            hog.wait()
