"""Folders for bots to write in: one for each bot, inside one of this process's own that it holds a lock on.

A process that is killed cannot remove its folder; the next one finds it by its free lock and does.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

PREFIX = "arena-bots-"
LOCK = ".lock"


def scratch_folder() -> Path:
    """A new, empty folder."""
    return Path(tempfile.mkdtemp(dir=_own_folder()))


@cache
def _own_folder() -> Path:
    _sweep(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    folder.chmod(0o711)  # bots under other users reach what is shown to them, and see nothing else
    fresh = folder / f"{LOCK}.new"
    lock = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)  # held until this process ends, however it does
    fresh.rename(folder / LOCK)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _sweep(parent: Path) -> None:
    """Remove what processes of this user left that do not run any more."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
