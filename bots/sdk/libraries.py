"""The rules of games as small libraries, one file each, that are copied beside a bot and searched with.

A game's row names the folder: `libraries` is ``package:folder``, with a folder in it for each language.
"""

from __future__ import annotations

from importlib.resources import files

from engines.games import find_row

LANGUAGES = {"python": "Python", "cpp": "C++", "javascript": "JavaScript"}
"""The folders that are looked for, and how their languages are written."""


def library(game: str, language: str) -> dict[str, bytes]:
    """The files to copy beside a bot in that language, by name; none where the game brings none for it.

    Raises:
        UnknownGameError: there is no game of that name.
    """
    named = find_row(game).libraries
    if not named or language not in LANGUAGES:
        return {}
    package, _, folder = named.partition(":")
    place = files(package).joinpath(folder, language)
    if not place.is_dir():
        return {}
    return {each.name: each.read_bytes() for each in place.iterdir() if each.is_file()}
