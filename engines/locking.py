"""An exclusive lock on an open file, which ends with the process at the latest, on any system."""

from __future__ import annotations

import importlib
import os
import time
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    _msvcrt: Any = importlib.import_module("msvcrt")
else:
    _msvcrt = None

PLACE = 2**30
"""The byte that is locked on Windows: one that no file has, as others could not read it."""
PAUSE_SECONDS = 0.05


def try_lock(descriptor: int) -> bool:
    """Take the lock if nobody else has it; whether that is so.

    Raises:
        OSError: the file cannot be locked at all.
    """
    if _msvcrt:
        return _lock_byte(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def lock(descriptor: int) -> None:
    """Take the lock, and wait for it while somebody else has it.

    Raises:
        OSError: the file cannot be locked at all.
    """
    if _msvcrt:
        while not _lock_byte(descriptor):
            time.sleep(PAUSE_SECONDS)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _lock_byte(descriptor: int) -> bool:
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, PLACE, os.SEEK_SET)
    try:
        _msvcrt.locking(descriptor, _msvcrt.LK_NBLCK, 1)
    except PermissionError:
        return False
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)
    return True
