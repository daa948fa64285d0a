"""Whose a program is that is started unconfined: this user's alone, with the folders that it lies in."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class ForeignProgramError(Exception):
    """Somebody else could change a program, or put another in its place; the message says what to do."""


def require_own(*paths: Path) -> None:
    """Refuse files and folders that belong to another user, or that their group or others may write.

    Raises:
        ForeignProgramError: one of them is so.
        OSError: one of them is not there, or cannot be looked at.
    """
    for path in paths:
        status = path.stat()
        if status.st_uid != os.geteuid():
            raise ForeignProgramError(
                f"{path} belongs to the user numbered {status.st_uid}, who could change the programs that are"
                " started there; name a folder of this user's own with ARENA_TABLES_DIR"
            )
        if status.st_mode & OTHERS_WRITE:
            raise ForeignProgramError(
                f"others than its owner may write {path}, and so change the programs that are started there;"
                f" run chmod go-w {path} and remove the programs that they may have changed, or name another"
                " folder with ARENA_TABLES_DIR"
            )
