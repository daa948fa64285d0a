"""From a path to what is uploaded, refused here by the same rules as there."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import NamedTuple

from arena.core.names import name_of_file
from arena.core.sayings import said
from arena.core.words import say
from arena.local.errors import InputError
from bots.adapters import PROTOCOLS, recognised
from workers.core.errors import ArchiveError
from workers.programs.archives import SKIPPED, canonical_archive, files_of, source_of
from workers.programs.runtimes.detection import Source


class Submission(NamedTuple):
    """A bot as it would be uploaded: the file, the archive that becomes of it, what it is, and its name."""

    filename: str
    data: bytes
    archive: bytes
    source: Source
    name: str


def read_submission(path: Path) -> Submission:
    """The file to upload: a folder becomes a zip of its files.

    Raises:
        InputError: there is nothing at `path` that could be a bot.
    """
    try:
        filename, data = _read(path)
        archive = canonical_archive(filename, data)
        source = source_of(archive)
    except OSError as error:
        raise InputError(
            say("{path} cannot be read: {strerror}", path=path, strerror=error.strerror)
        ) from None
    except ArchiveError as error:
        raise InputError(say("{path} is no bot: {error}", path=path, error=said(str(error)))) from None
    stem = path.resolve().name.removesuffix(path.suffix)
    return Submission(filename, data, archive, source, source.manifest.name or name_of_file(stem))


def protocol_hint(argument: str) -> str:
    """How a bot that did not get ready may say which other protocol it speaks; empty where that is not it.

    `argument` is what was typed for it: only of a file or a folder its files are known.
    """
    try:
        submission = read_submission(Path(argument).expanduser())
    except (InputError, RuntimeError):  # it is a command, a program, or @name
        return ""
    source = submission.source
    if source.manifest.protocol or not (name := recognised(files_of(submission.archive), source.entry)):
        return ""
    return say(
        'it looks like a bot for {title}: with a bot.toml that says protocol = "{name}" an arena plays it as '
        "it is (docs/adapters.md)",
        title=PROTOCOLS[name].title,
        name=name,
    )


def _read(path: Path) -> tuple[str, bytes]:
    if path.is_dir():
        return f"{path.resolve().name}.zip", _zipped(path)
    return path.name, path.read_bytes()


def read_batch(path: Path) -> bytes:
    """The zip to upload with the bots of a class: as it is, or of all that is in a folder.

    Raises:
        InputError: there is neither at `path`.
    """
    try:
        if path.is_dir():
            return _zipped(path)
        if path.suffix.lower() == ".zip":
            return path.read_bytes()
    except OSError as error:
        raise InputError(
            say("{path} cannot be read: {strerror}", path=path, strerror=error.strerror)
        ) from None
    raise InputError(say("{path} is neither a folder nor a .zip with something for each team", path=path))


def _zipped(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            if SKIPPED.intersection(inside.parts):
                continue
            if path.is_symlink():
                raise InputError(
                    say("{path} is a link; put the file itself there, links are not taken", path=path)
                )
            if path.is_file():
                archive.writestr(zipfile.ZipInfo(inside.as_posix()), path.read_bytes())
    return buffer.getvalue()
