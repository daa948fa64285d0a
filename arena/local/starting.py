"""A starter written into a folder: a bot that plays legally at once, to begin with."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from arena.core.words import say
from arena.local.errors import InputError
from bots.starters import STARTERS
from bots.starters.writing import starter
from engines.games import find_game


def begin_bot(folder: Path, language: str, game: str) -> list[Path]:
    """Write the starter of `language` for `game` into `folder`, which is made; the files that were written.

    Raises:
        InputError: there is no such language, something is in the folder already, or it cannot be written.
        UnknownGameError: there is no such game.
    """
    if language not in STARTERS:
        raise InputError(
            say(
                "there is no starter for {language!r}; there are {languages}",
                language=language,
                languages=", ".join(STARTERS),
            )
        )
    written = starter(language, find_game(game).name)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(
                say(
                    "{folder} is there already, and not empty; name a folder that is not there yet",
                    folder=folder,
                )
            )
        _write(folder, written)
    except OSError as error:
        raise InputError(
            say("{folder} cannot be written: {strerror}", folder=folder, strerror=error.strerror)
        ) from None
    return [folder / name for name in written]


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all of them, or leave nothing behind.

    Raises:
        OSError: one cannot be written.
    """
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError:
        for each in folder.iterdir():  # which was empty
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        if made:
            folder.rmdir()
        raise
