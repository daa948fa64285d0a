"""Bots of many teams in one upload, taken apart: a part for each sender, by the names of files and folders.

Three ways of sending are known: a file, a zip or a folder for each team; what Moodle exports; and what Canvas
exports, which is also NTU COOL. An upload is as hostile as a single bot is, and is read by the same rules.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count
from pathlib import PurePosixPath

from arena.core.games import UploadError
from arena.submissions.uploads import File, bundled, zipped
from workers.core.errors import ArchiveError, Flaw
from workers.programs.archives import (
    MAX_DEPTH,
    MAX_PATH_BYTES,
    MAX_RATIO,
    MAX_UNPACKED_BYTES,
    SKIPPED,
    WINDOWS,
    check_entry,
    read_entry,
)
from workers.programs.runtimes.languages import LANGUAGES
from workers.programs.runtimes.manifest import FILE

MAX_BATCH_BYTES = 32 * 1024 * 1024
MAX_BATCH_UNPACKED = 128 * 1024 * 1024
MAX_BATCH_FILES = 5000
MAX_PARTS = 200
MAX_HEADERS = 100_000
"""Entries of a zip and of the zips in it that are stored plainly: the reader makes an object of each."""
HEADER = b"PK\x01\x02"
LABEL_CHARS = 120
MAX_NAME_CHARS, MAX_FOLDERS = 2 * MAX_PATH_BYTES, 2 * MAX_DEPTH
"""Of an entry: what a bot may have, and as much around it."""
MAX_CUTS = 10
"""So many hyphens of a name may be where the group's ends."""
MIN_ROOM = 64 * 1024

MOODLE = re.compile(r"(?P<name>.+)_(?P<id>[0-9]+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?")
"""`Group-Full name_ID_assignsubmission_file_`: a folder, or what stands before the name of a file."""
CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>[0-9]+)_[0-9]+_(?P<file>.+)")
"""`familygiven_USER_ATTACHMENT_file.zip`, with `_LATE` after the name of who was late."""
BEGINNINGS = {FILE, *(entry for each in LANGUAGES.values() for entry in each.entries if "." in entry)}
"""Where one of these lies, a bot begins."""
UTF8_FLAG = 0x800
UNICODE_PATH = 0x7075
"""The extra field of Info-ZIP in which WinRAR and others put a name in UTF-8."""
USUAL, OLD_WINDOWS, OLD_DOS = "utf-8", "cp950", "cp437"
"""How names are written by those who do not say: by most; by Windows in Taiwan, which is Big5; by nobody."""


@dataclass(frozen=True)
class _Entry:
    """A file of the upload by its whole name, or what is wrong with it."""

    name: str
    read: Callable[[int], bytes]
    flaw: UploadError | None = None

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return PurePosixPath(self.name).parts


@dataclass
class Part:
    """What one sender sent: `label` is how it stands in the upload, `names` whose it may be, best first."""

    label: str
    names: tuple[str, ...]
    entries: list[_Entry] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many files it has."""
        return len(self.entries)

    @property
    def file_names(self) -> tuple[str, ...]:
        """What its files are called, without their folders and endings."""
        return tuple(dict.fromkeys(PurePosixPath(each.name).stem for each in self.entries))

    def file(self) -> File:
        """What would have been sent, had it been sent alone.

        Raises:
            UploadError: something in it cannot be read, or must not be there.
        """
        room, files = MAX_UNPACKED_BYTES, list[File]()
        for entry in self._meant():
            if entry.flaw is not None:
                raise entry.flaw
            files.append(File(entry.name, entry.read(room)))
            room -= len(files[-1].data)
        bundle = bundled(files)
        return bundle if len(files) == 1 else File(f"{self.label}.zip", bundle.data)

    def _meant(self) -> list[_Entry]:
        """The files without those beside a zip that is the bot, and without the folders around all."""
        zips = [each for each in self.entries if _is_zip(each.name)]
        begins = any(each.parts[-1] in BEGINNINGS for each in self.entries)
        if len(zips) == 1 and not begins:
            return zips
        depth = _wrapping(self.entries)
        return [_renamed(each, "/".join(each.parts[depth:])) for each in self.entries]


class _Room:
    """What may still be unpacked of an upload."""

    def __init__(self, size: int) -> None:
        self._left = min(MAX_BATCH_UNPACKED, max(size, MIN_ROOM) * MAX_RATIO)

    def read(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
        """An entry's content.

        Raises:
            UploadError: it cannot be read, or is too much.
        """
        try:
            content = read_entry(archive, info, min(most, self._left))
        except ArchiveError as error:
            if error.flaw is Flaw.TOO_LARGE:
                self._left -= min(most, self._left)
            raise UploadError(str(error), error.flaw) from None
        self._left -= len(content)
        return content


def pack(files: Sequence[File]) -> bytes:
    """What a form sent as the one zip that is looked at, and kept until it is handed in.

    Raises:
        UploadError: there is nothing, too much, or something twice.
    """
    kept = [File(each.name.replace("\\", "/"), each.data) for each in files if each.name]
    kept = [each for each in kept if not _is_litter(each.name)]
    if not kept:
        raise UploadError("nothing was sent; send a zip or a folder with the bots of a class", Flaw.EMPTY)
    size = sum(len(each.data) for each in kept)
    if size > MAX_BATCH_BYTES:
        raise UploadError(f"the upload has {size} bytes; at most {MAX_BATCH_BYTES} are taken", Flaw.TOO_LARGE)
    if len(kept) == 1 and _is_zip(kept[0].name) and not _is_one_bot(kept[0].data):
        return kept[0].data
    return zipped(kept)


def take_apart(data: bytes, known: Callable[[str], bool]) -> list[Part]:
    """The parts of an upload in the order of their labels; `known` tells whether a team is called so.

    Raises:
        UploadError: it is no zip, or too much.
    """
    entries = _entries(data)
    depth, tops = 0, {each.parts[0] for each in entries}
    while len(tops) == 1 and _is_wrapper(entries, depth, known):
        depth += 1
        tops = {each.parts[depth] for each in entries}
    parts: dict[str, Part] = {}
    for entry in entries:
        _sort_in(parts, _renamed(entry, "/".join(entry.parts[depth:])))
        if len(parts) > MAX_PARTS:
            raise UploadError(
                f"the upload has more than {MAX_PARTS} parts, the most bots that are handed in at once",
                Flaw.TOO_LARGE,
            )
    if not parts:
        raise UploadError("there is nothing in the upload that could be a bot", Flaw.EMPTY)
    return [parts[key] for key in sorted(parts)]


def _sort_in(parts: dict[str, Part], entry: _Entry) -> None:
    """Put an entry into the part of its sender, under the name that it has there."""
    top, *inner = entry.parts
    if found := MOODLE.fullmatch(top):
        if found["kind"] != "file":
            return  # what was typed into a box, or comments
        inside = [found["file"], *inner] if found["file"] else inner
        key, names = f"{found['name']}_{found['id']}", _moodle_names(found["name"])
    elif not inner and (found := CANVAS.fullmatch(top)):
        inside, key = [found["file"]], f"{found['name']}_{found['id']}"
        names = (found["name"], PurePosixPath(top).stem)
    else:
        inside, key = inner or [top], top
        names = (top,) if inner else (PurePosixPath(top).stem,)
    if key not in parts:
        parts[key] = Part(_label(key, parts), names)
    parts[key].entries.append(_renamed(entry, "/".join(inside)))


def _moodle_names(name: str) -> tuple[str, ...]:
    """Of work in groups the group stands before the name of whoever sent it."""
    cuts = [at for at, sign in enumerate(name) if sign == "-"][:MAX_CUTS]
    return (name, *(name[:at] for at in cuts), *(name[at + 1 :] for at in cuts))


def _label(key: str, parts: dict[str, Part]) -> str:
    """What a part is called, which can be seen and is not too long, and no other part is."""
    seen = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in key)[:LABEL_CHARS]
    taken = {each.label for each in parts.values()}
    others = (f"{seen} ({number})" for number in count(2))
    return next(name for name in chain([seen], others) if name not in taken)


def _renamed(entry: _Entry, name: str) -> _Entry:
    return _Entry(name, entry.read, entry.flaw)


def _is_zip(name: str) -> bool:
    return PurePosixPath(name.lower()).suffix == ".zip"


def _is_litter(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(SKIPPED.intersection(parts)) or any(part.startswith("._") for part in parts)


def _is_wrapper(entries: Sequence[_Entry], depth: int, known: Callable[[str], bool]) -> bool:
    """Whether the one folder around all is neither a team's nor a bot."""
    if any(len(each.parts) < depth + 2 for each in entries):
        return False
    top = entries[0].parts[depth]
    inside = {each.parts[depth + 1] for each in entries if len(each.parts) == depth + 2}
    return not (known(top) or MOODLE.fullmatch(top) or BEGINNINGS & inside)


def _wrapping(entries: Sequence[_Entry]) -> int:
    """How many folders lie around all of a bot's files."""
    depth = 0
    while all(len(each.parts) > depth + 1 for each in entries):
        if len({each.parts[depth] for each in entries}) > 1:
            break
        depth += 1
    return depth


def _is_one_bot(data: bytes) -> bool:
    """Whether a zip is the bot of one team: it begins at the top, and there is one."""
    try:
        return any(each.name in BEGINNINGS for each in _entries(data))
    except UploadError:
        return False


def _entries(data: bytes) -> list[_Entry]:
    """The files of a zip besides litter.

    Raises:
        UploadError: it is none, or has too many.
    """
    if data.count(HEADER) > MAX_HEADERS:
        raise _too_many(MAX_HEADERS)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # noqa: BLE001  (hostile bytes make the parser fail in more ways than it says)
        raise UploadError(f"the upload is not a readable zip: {error}", Flaw.ZIP) from None
    infos = archive.infolist()
    if any(_is_endless(info.orig_filename) for info in infos):
        raise UploadError("the upload has a file whose name is too long, or in too many folders", Flaw.NAME)
    room = _Room(len(data))
    entries = [_entry(archive, info, name, room) for info, name in zip(infos, _names(infos), strict=True)]
    kept = [each for each in entries if each is not None]
    if len(kept) > MAX_BATCH_FILES:
        raise _too_many(MAX_BATCH_FILES)
    return kept


def _is_endless(name: str) -> bool:
    return len(name) > MAX_NAME_CHARS or name.count("/") + name.count("\\") > MAX_FOLDERS


def _too_many(most: int) -> UploadError:
    return UploadError(f"the upload has too many files; at most {most} are taken at once", Flaw.TOO_LARGE)


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, room: _Room) -> _Entry | None:
    """An entry of a zip; nothing where it is a folder, or litter."""
    if name.endswith("/") or not name or _is_litter(name):
        return None
    flaw = None
    try:
        check_entry(info, name)
    except ArchiveError as error:
        flaw = UploadError(str(error), error.flaw)
    inside = [part for part in PurePosixPath(name).parts if part not in {"/", ".."}]
    return _Entry("/".join(inside) or "?", lambda most: room.read(archive, info, most), flaw)


def _names(infos: Sequence[zipfile.ZipInfo]) -> Iterable[str]:
    r"""What entries are called; some programs on Windows write `\` between folders.

    That is looked for in the text, as a byte of a character in Big5 may be the same.
    """
    encoding = _encoding_of([_raw(info) for info in infos if not info.flag_bits & UTF8_FLAG])
    for info in infos:
        told = info.flag_bits & UTF8_FLAG
        name = info.orig_filename if told else _told_apart(info) or _raw(info).decode(encoding)
        yield name.replace("\\", "/") if info.create_system == WINDOWS else name


def _raw(info: zipfile.ZipInfo) -> bytes:
    return info.orig_filename.encode(OLD_DOS)  # as the reader has taken it, for want of a word about it


def _encoding_of(names: Sequence[bytes]) -> str:
    """The first encoding that all of the names can be in."""
    for encoding in (USUAL, OLD_WINDOWS):
        try:
            for name in names:
                name.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return OLD_DOS


def _told_apart(info: zipfile.ZipInfo) -> str | None:
    """The name in UTF-8 that stands in a field of its own, if it is of the same name."""
    extra, at = info.extra, 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        if kind == UNICODE_PATH and size > 5 and at + 9 <= len(extra):
            (crc,) = struct.unpack_from("<I", extra, at + 5)
            is_its_own = crc == zlib.crc32(_raw(info))
            return extra[at + 9 : at + 4 + size].decode(USUAL, "replace") if is_its_own else None
        at += 4 + size
    return None
