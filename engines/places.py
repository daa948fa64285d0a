"""The user's own folders, where each system has them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

Kind = Literal["config", "state", "cache", "data"]
_XDG = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "state": ("XDG_STATE_HOME", ".local/state"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "data": ("XDG_DATA_HOME", ".local/share"),
}
"""Where they were on every system before, and are on Linux."""


def user_folder(kind: Kind, name: str) -> Path:
    """The user's folder for such things, below which is ours; nothing is made.

    Where there is nothing yet and what was there before is in the place of other systems, it is that one.
    So it is for a packed bot, which has the standard library alone.
    """
    variable, usual = _XDG[kind]
    before = Path(os.environ.get(variable) or Path.home() / usual) / name
    try:
        from platformdirs import PlatformDirs  # noqa: PLC0415  (for who looks for one)
    except ModuleNotFoundError:
        return before
    found = Path(getattr(PlatformDirs(name, appauthor=False), f"user_{kind}_dir"))
    return before if _is_there(before) and not _is_there(found) else found


def _is_there(path: Path) -> bool:
    """Whether that is there; what is in a folder that is closed to us is not."""
    try:
        return path.exists()
    except PermissionError:
        return False
