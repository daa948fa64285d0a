"""From the files that a form sends to what is submitted: a file as it is, several as one zip."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from arena.core.games import UploadError
from arena.core.names import name_of_file
from workers.core.errors import ArchiveError, Flaw
from workers.programs.archives import SKIPPED, canonical_archive, source_of
from workers.programs.runtimes.languages import LANGUAGES

USUAL_STEMS = {PurePosixPath(entry).stem.lower() for each in LANGUAGES.values() for entry in each.entries}


class File(NamedTuple):
    """A file by its name, with folders where one was sent, and its content."""

    name: str
    data: bytes


def bundled(files: Sequence[File]) -> File:
    """The one file to be submitted. What systems leave in folders does not count; empty where nothing is.

    Raises:
        UploadError: two have the same name.
    """
    kept = [File(_name(each.name), each.data) for each in files if each.name]
    kept = [each for each in kept if not SKIPPED.intersection(PurePosixPath(each.name).parts)]
    if len(kept) == 1:
        return File(PurePosixPath(kept[0].name).name, kept[0].data)
    if not kept:
        return File("", b"")
    folder = PurePosixPath(kept[0].name).parts[0] if "/" in kept[0].name else "bot"
    return File(f"{folder}.zip", zipped(kept))


def zipped(files: Sequence[File]) -> bytes:
    """A zip of these files under their names.

    Raises:
        UploadError: two have the same name.
    """
    twice = next((name for name, count in Counter(each.name for each in files).items() if count > 1), None)
    if twice is not None:
        raise UploadError(f"{twice[:80]!r} was sent twice; send each file once", Flaw.NAME)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for each in files:
            archive.writestr(zipfile.ZipInfo(each.name), each.data)
    return buffer.getvalue()


def suggested_name(file: File, team: str) -> str:
    """What a bot is called whose name nobody said: by its `bot.toml`, else by its file or folder.

    Where that is what every bot's file is called, it has its team's name.
    """
    try:
        named = source_of(canonical_archive(file.name, file.data)).manifest.name
    except ArchiveError:
        named = None
    stem = name_of_file(PurePosixPath(file.name).stem)
    return named or (team if stem in USUAL_STEMS else stem)


def _name(name: str) -> str:
    """The name with `/` between folders, as no system has a file with a backslash in a bot's name."""
    return name.replace("\\", "/")
