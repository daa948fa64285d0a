"""Folders for bots to write in: one for each bot, inside one of this process's own that it holds a lock on.

A process that is killed cannot remove its folder; the next one finds it by its free lock and does.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

PREFIX = "arena-bots-"
LOCK = ".lock"


def scratch_folder() -> Path:
    """A new, empty folder."""
    return Path(tempfile.mkdtemp(dir=_own_folder()))


def remove_tree(folder: Path) -> None:
    """Remove a folder and all in it, however deep and whatever its modes; nothing if it is not there."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except (OSError, RecursionError):
        for command in (("chmod", "-R", "u+rwX"), ("rm", "-rf")):
            subprocess.run([*command, "--", folder], capture_output=True, check=False)


@cache
def _own_folder() -> Path:
    _sweep(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    folder.chmod(0o711)  # bots under other users reach what is shown to them, and see nothing else
    fresh = folder / f"{LOCK}.new"
    lock = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)  # held until this process ends, however it does
    fresh.rename(folder / LOCK)
    atexit.register(remove_tree, folder)
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
                remove_tree(folder)
            finally:
                os.close(lock)
