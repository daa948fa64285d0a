"""The data folder of a command that reads settings."""

from __future__ import annotations

import os
from pathlib import Path

from arena.cli.shared.output import note
from arena.core.folder import DataFolder
from arena.core.words import say


def data_folder(named: Path | None) -> DataFolder:
    """That folder, else the usual one; a note tells of a file with settings there that is not read."""
    from workers.core.config_file import CONFIG_VARIABLE, NAME

    folder = DataFolder.at(named)
    path = folder.root / NAME
    if folder.found and CONFIG_VARIABLE not in os.environ and path.is_file():
        note(
            say(
                "{path} is not read, as nobody named its folder: if it is yours, add --data, or set "
                "ARENA_DATA_DIR",
                path=path,
            )
        )
    return folder
