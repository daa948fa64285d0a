"""The user's own folders, where each system has them."""

from __future__ import annotations

import os
import sys
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

    It is where its variable says, on Windows excepted, if that is set to a whole path. Where there is nothing
    yet and what was there before is in the place of other systems, it is that one.
    """
    variable, usual = _XDG[kind]
    wished = Path(os.environ.get(variable, ""))
    if wished.is_absolute() and sys.platform != "win32":
        return wished / name
    before = Path.home() / usual / name
    found = _of_this_system(kind, name) or before
    return before if _is_there(before) and not _is_there(found) else found


def _of_this_system(kind: Kind, name: str) -> Path | None:
    """Where macOS and Windows have such a folder; None on other systems."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / ("Caches" if kind == "cache" else "Application Support") / name
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / name
        return local / "Cache" if kind == "cache" else local
    return None


def _is_there(path: Path) -> bool:
    """Whether that is there; what is in a folder that is closed to us is not."""
    try:
        return path.exists()
    except PermissionError:
        return False
