"""Folders that belong to this user alone: for bots, which are gone with them, and for what a host keeps.

Those for bots lie in one of this process's own that it holds a lock on, whose name cannot be foreseen. A
process that is killed cannot remove its folder; the next one finds it by its free lock and does.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from workers.core.errors import ForeignFolderError

OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a folder is opened that may be used: itself, not what a link leads to."""
PREFIX = "arena-bots-"
LOCK = ".lock"
SLOTS = "slots"
"""Where a process keeps what it has noted of its bots; see `workers.sandbox.slots`."""


def scratch_folder() -> Path:
    """A new, empty folder that no other user can enter."""
    return Path(tempfile.mkdtemp(dir=own_folder()))


def work_folder() -> Path:
    """A new, empty folder for a program to write in, alone in a scratch folder; that is to be removed.

    Whatever the program does to its own folder, nobody gets there through the one around it.
    """
    folder = scratch_folder() / "work"
    folder.mkdir(mode=0o700)
    return folder


def is_work_folder(folder: Path) -> bool:
    """Whether `work_folder` has made it, in this process."""
    return folder.parent.parent == own_folder()


def close_folder(folder: Path) -> None:
    """Make a folder, or close one of ours, so that no other user can enter it.

    Raises:
        ForeignFolderError: it is somebody else's, who could change what is kept there.
        OSError: it cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid != os.geteuid():
        raise ForeignFolderError(
            f"{folder} belongs to the user numbered {status.st_uid}, who could change the bots that are kept "
            "there; name a folder of this user's own with ARENA_CACHE_DIR"
        )
    if status.st_mode & 0o077:
        folder.chmod(0o700)


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
def own_folder() -> Path:
    """The folder in which all others of this process are, which it holds a lock on until it ends."""
    for left in abandoned():
        if not (left / SLOTS).exists():
            remove_tree(left)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    if os.geteuid() == 0:
        folder.chmod(0o711)  # bots under other users reach what is theirs
    fresh = folder / f"{LOCK}.new"
    lock = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)  # held until this process ends, however it does
    fresh.rename(folder / LOCK)
    atexit.register(remove_tree, folder)
    return folder


def abandoned() -> Iterator[Path]:
    """What processes of this user left that do not run any more, each locked until the next is asked for.

    Those that have noted something of bots are cleared by `workers.sandbox.slots` before they are removed.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            status = folder.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            stack.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield folder
