"""From an upload to a canonical zip, which is known by its hash.

An upload is hostile until proven otherwise. Only zip is taken (or one file, which becomes a zip); names may
not leave the folder, nothing but plain files may be inside, and sizes are counted while reading, never
believed.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import stat
import struct
import tokenize
import unicodedata
import zipfile
import zlib
from pathlib import PurePosixPath

from workers.core.errors import ArchiveError, Flaw
from workers.programs.runtimes.detection import ELF, Source, find_source
from workers.programs.runtimes.languages import JAVA, LANGUAGES, PYTHON, STATIC

MAX_UPLOAD_BYTES = 4 * 1024 * 1024
MAX_UNPACKED_BYTES = 32 * 1024 * 1024
MAX_FILES = 500
MAX_RATIO = 100
MAX_PATH_BYTES = 1000
MAX_PART_BYTES = 255
MAX_DEPTH = 20
CHUNK = 64 * 1024
EPOCH = (1980, 1, 1, 0, 0, 0)
LITTER = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", "__pycache__", ".git"}
"""What systems and tools leave in folders, and no bot needs."""
SKIPPED = LITTER | {".venv", ".mypy_cache", ".ruff_cache", "node_modules", "target"}
"""What of a folder is not put into a zip; in a zip that somebody made there may be reasons for it."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)
WINDOWS = 0
"""The system of a zip's entry where that is MS-DOS or Windows."""
METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""Only what can be unpacked a bounded piece at a time; the others may swell a few bytes to gigabytes."""
OF_NAMES = {"idna", "punycode"}
"""Codecs of Python's that are meant for a name on the net; to read a whole file by one takes an hour."""


def canonical_archive(filename: str, data: bytes) -> bytes:
    """The upload as a zip that depends on nothing but the names and contents of its files.

    A single source gets the name by which its language starts a bot; a folder that holds everything else is
    stripped.

    Raises:
        ArchiveError: the upload breaks a rule.
    """
    if not data:
        raise ArchiveError(
            "the upload is empty; send one source file, or a .zip of your bot's files", Flaw.EMPTY
        )
    if len(data) > MAX_UPLOAD_BYTES:
        raise ArchiveError(
            f"the upload has {len(data)} bytes; at most {MAX_UPLOAD_BYTES} are taken", Flaw.TOO_LARGE
        )
    if PurePosixPath(filename.lower()).suffix == ".zip":
        files = _without_wrapper(_read_zip(data))
    else:
        files = {_single_name(filename, data): data}
    source = find_source(files)
    if source.language is PYTHON:
        _check_text(source.entry, files[source.entry])
    return _write_zip(files)


def _single_name(filename: str, data: bytes) -> str:
    """What a file that is sent alone is called in its archive. Java's names its class, and stays."""
    path = PurePosixPath(filename)
    for language in LANGUAGES.values():
        if path.suffix.lower() in language.suffixes:
            return path.name if language is JAVA and path.stem.isidentifier() else language.entries[0]
    if data.startswith(ELF):
        return STATIC.entries[0]
    raise ArchiveError(
        f"{filename[:80]!r} is neither a .zip nor a source file; the languages are "
        f"{', '.join(language.title for language in LANGUAGES.values())}",
        Flaw.UNKNOWN,
    )


def source_of(archive: bytes) -> Source:
    """What the files of a canonical archive are.

    Raises:
        ArchiveError: they are no bot.
    """
    return find_source(files_of(archive))


def files_of(archive: bytes) -> dict[str, bytes]:
    """The files in a canonical archive, by their names."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {info.filename: opened.read(info) for info in opened.infolist()}


def _check_text(name: str, source: bytes) -> None:
    """Refuse what no Python could read as source, before it loses every match."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        readable = codecs.lookup(encoding).name not in OF_NAMES and "\0" not in source.decode(encoding)
    except (SyntaxError, LookupError, ValueError):  # there are codecs of Python's that are for no text
        readable = False
    if not readable:
        raise ArchiveError(
            f"{name} is not Python source: it is no text in UTF-8 or in the encoding it names", Flaw.NO_TEXT
        )


def _write_zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            info.create_system = 3
            archive.writestr(info, files[name])
    return buffer.getvalue()


def _read_zip(data: bytes) -> dict[str, bytes]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # noqa: BLE001  (hostile bytes make the parser fail in more ways than it says)
        raise ArchiveError(f"the file is not a readable zip: {error}", Flaw.ZIP) from None
    with archive:
        entries = archive.infolist()
        if len(entries) > MAX_FILES:
            raise ArchiveError(
                f"the zip has {len(entries)} entries; at most {MAX_FILES} are taken", Flaw.TOO_LARGE
            )
        files: dict[str, bytes] = {}
        seen: set[str] = set()
        room = min(MAX_UNPACKED_BYTES, max(len(data), CHUNK) * MAX_RATIO)
        for info in entries:
            name = _name_in_zip(info)
            check_entry(info, name)
            if name.endswith("/") or LITTER & set(PurePosixPath(name).parts):
                continue
            if _folded(name) in seen:
                raise ArchiveError(
                    f"the zip holds {name!r} twice, or names that some systems take for the same",
                    Flaw.NAME,
                )
            seen.add(_folded(name))
            files[name] = read_entry(archive, info, room)
            room -= len(files[name])
    return files


def _name_in_zip(info: zipfile.ZipInfo) -> str:
    r"""What an entry is called; some programs on Windows write `\` between folders."""
    windows = info.create_system == WINDOWS
    return info.orig_filename.replace("\\", "/") if windows else info.orig_filename


def check_entry(info: zipfile.ZipInfo, name: str) -> None:
    """Let pass what is a plain file or folder by a plain name.

    Raises:
        ArchiveError: it is not.
    """
    path = PurePosixPath(name)
    mode = info.external_attr >> 16
    unsafe = path.is_absolute() or not path.parts or ".." in path.parts or "\\" in name or ":" in name
    if unsafe or not name.isprintable() or path.as_posix() != name.rstrip("/"):
        raise ArchiveError(f"the zip has the name {name[:80]!r}; use plain relative names with /", Flaw.NAME)
    _check_length(path)
    if mode and stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise ArchiveError(
            f"the zip has {name!r}, which is a link or a device; only files are taken", Flaw.ZIP
        )
    if info.flag_bits & 0x1:
        raise ArchiveError(f"the zip has {name!r} encrypted; send it without a password", Flaw.ZIP)
    if info.compress_type not in METHODS:
        raise ArchiveError(
            f"the zip has {name!r} compressed in a rare way; use the usual one (deflate)", Flaw.ZIP
        )


def _check_length(path: PurePosixPath) -> None:
    """Refuse what some file system could not hold, so that every stored archive can be unpacked anywhere."""
    size = len(str(path).encode())
    longest = max(len(part.encode()) for part in path.parts)
    if size > MAX_PATH_BYTES or longest > MAX_PART_BYTES or len(path.parts) > MAX_DEPTH:
        raise ArchiveError(
            f"the zip has the name {str(path)[:80]!r}…, which is too long: at most {MAX_PART_BYTES} bytes "
            f"of UTF-8 for a file or folder, {MAX_PATH_BYTES} for the whole path, {MAX_DEPTH} names in it",
            Flaw.NAME,
        )


def _folded(name: str) -> str:
    """What names share that a file system may take for the same (Unicode's canonical caseless match)."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


def read_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: int) -> bytes:
    """What an entry unpacks to, which is at most `room` bytes, whatever it says of itself.

    Raises:
        ArchiveError: it is more, or cannot be read.
    """
    content = bytearray()
    try:
        with archive.open(info) as stream:
            while chunk := stream.read(CHUNK):
                content += chunk
                if len(content) > room:
                    raise ArchiveError(
                        f"the zip unpacks to more than is taken ({MAX_UNPACKED_BYTES} bytes, and at most "
                        f"{MAX_RATIO} times its own size)",
                        Flaw.TOO_LARGE,
                    )
    except UNREADABLE as error:
        raise ArchiveError(f"the zip's entry {info.filename!r} cannot be read: {error}", Flaw.ZIP) from None
    return bytes(content)


def _without_wrapper(files: dict[str, bytes]) -> dict[str, bytes]:
    tops = {PurePosixPath(name).parts[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files):
        files = {name.partition("/")[2]: content for name, content in files.items()}
    taken = {_folded(name) for name in files}
    for name in files:
        if any(_folded(parent.as_posix()) in taken for parent in PurePosixPath(name).parents):
            raise ArchiveError(f"the zip uses a part of {name!r} both as a file and as a folder", Flaw.NAME)
    return files


def content_hash(archive: bytes) -> str:
    """The SHA-256 by which an archive is stored, in hexadecimal."""
    return hashlib.sha256(archive).hexdigest()
