"""An exclusive lock on an open file, which ends with the process at the latest, on any system."""

from __future__ import annotations

import sys
import time

if sys.platform == "win32":
    import msvcrt
    import os

    PLACE = 2**30
    """The byte that is locked: one that no file has, as others could not read it."""
    PAUSE_SECONDS = 0.05

    def try_lock(descriptor: int) -> bool:
        """Take the lock if nobody else has it; whether that is so."""
        before = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, before, os.SEEK_SET)
        return True

    def lock(descriptor: int) -> None:
        """Take the lock, and wait for it while somebody else has it."""
        while not try_lock(descriptor):
            time.sleep(PAUSE_SECONDS)

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Take the lock if nobody else has it; whether that is so."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def lock(descriptor: int) -> None:
        """Take the lock, and wait for it while somebody else has it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)
