"""Folders that belong to this user alone: for bots, which are gone with them, and for what a host keeps.

Those for bots lie in one of this process's own that it holds a lock on, whose name cannot be foreseen. A
process that is killed cannot remove its folder; the next one finds it by its free lock and does.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from engines.locking import lock, try_lock
from workers.core.errors import ForeignFolderError

NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
OPEN_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | NO_LINK
"""How a folder is opened that may be used: itself, not what a link leads to."""
WINDOWS: Final = not hasattr(os, "geteuid")
PREFIX = "arena-bots-"
LOCK = ".lock"
SLOTS = "slots"
"""Where a process keeps what it has noted of its bots; see `workers.sandbox.slots`."""


def user_id() -> int:
    """The number of this process's user; where users have none, 0, as whose all files are shown."""
    return 0 if WINDOWS else os.geteuid()


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
    if status.st_uid != user_id():
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
        if WINDOWS:  # what somebody has open there stays
            shutil.rmtree(folder, ignore_errors=True)
            return
        for command in (("chmod", "-R", "u+rwX"), ("rm", "-rf")):
            subprocess.run([*command, "--", folder], capture_output=True, check=False)


def own_folder() -> Path:
    """The folder in which all others of this process are, which it holds a lock on until it ends.

    Where somebody has cleared away what programs keep for a time, it is made anew.
    """
    if not _is_ours(folder := _own_folder()):
        _own_folder.cache_clear()
        folder = _own_folder()
    return folder


@cache
def _own_folder() -> Path:
    for left in list(abandoned()) if WINDOWS else abandoned():  # there no open file can be removed
        if not (left / SLOTS).exists():
            remove_tree(left)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    if user_id() == 0:
        folder.chmod(0o711)  # bots under other users reach what is theirs
    fresh = folder / (LOCK if WINDOWS else f"{LOCK}.new")
    held = os.open(fresh, os.O_RDWR | os.O_CREAT, 0o600)
    lock(held)  # until this process ends, however it does
    if not WINDOWS:  # where an open file keeps its name
        fresh.rename(folder / LOCK)
    atexit.register(_remove_own, folder, held)
    return folder


def _is_ours(folder: Path) -> bool:
    """Whether that is a folder of this user's, and there."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == user_id()


def _remove_own(folder: Path, held: int) -> None:
    os.close(held)  # an open file cannot be removed everywhere
    if _is_ours(folder):
        remove_tree(folder)


def abandoned() -> Iterator[Path]:
    """What processes of this user left that do not run any more, each locked until the next is asked for.

    Those that have noted something of bots are cleared by `workers.sandbox.slots` before they are removed.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            if not _is_ours(folder):
                continue
            held = os.open(folder / LOCK, os.O_RDWR | NO_LINK)
            stack.callback(os.close, held)
            if try_lock(held):
                yield folder
