"""A backup in one file: a zip with a list of all that is in it, which is written last and read first.

What cannot be read as it was written is told by its name, so that nothing is ever made of a part of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from arena.core.errors import UnusableError

FORMAT = 1
MANIFEST = "manifest.json"
TABLES = "tables"
PIECE_BYTES = 1 << 20
LEVEL = 3
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
"""What reading a member raises that is not as it was written."""


class TableEntry(BaseModel):
    """What the list says of a table: the columns in the order of a row's values, and how many rows it has."""

    model_config = ConfigDict(frozen=True)

    name: str
    columns: tuple[str, ...]
    rows: int


class FileEntry(BaseModel):
    """What the list says of a file in the backup."""

    model_config = ConfigDict(frozen=True)

    size: int
    sha256: str


class Manifest(BaseModel):
    """What is in a backup: of which version, which tables, and every file by its name.

    `missing` are the archives, by their hashes, that the arena refers to and that were not in its store, or
    not whole, and the parts of recordings that were gone, or broke off; `left_out` are the kinds of files
    that were not asked for.
    """

    model_config = ConfigDict(frozen=True)

    format: int
    arena: str
    revision: str
    database: str
    taken_at: str
    tables: tuple[TableEntry, ...]
    members: dict[str, FileEntry]
    missing: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


class BundleWriter:
    """Adds files to a backup that is being written."""

    def __init__(self, archive: zipfile.ZipFile, folder: Path) -> None:
        self._archive = archive
        self._folder = folder
        self.members: dict[str, FileEntry] = {}

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Add a file in pieces."""
        digest, size = hashlib.sha256(), 0
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        with self._archive.open(info, "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                digest.update(piece)
                size += len(piece)
        self.members[name] = FileEntry(size=size, sha256=digest.hexdigest())

    def add_whole(self, name: str, pieces: Iterable[bytes]) -> None:
        """Add a file in pieces once all of them are there: of one that breaks off nothing is added."""
        with tempfile.TemporaryFile(dir=self._folder) as whole:
            whole.writelines(pieces)
            whole.seek(0)
            self.add(name, iter(partial(whole.read, PIECE_BYTES), b""))

    def add_table(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> TableEntry:
        """Add a table, a line of JSON a row."""
        count = 0

        def lines() -> Iterator[bytes]:
            nonlocal count
            for row in rows:
                count += 1
                yield json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

        self.add(_table(name), lines())
        return TableEntry(name=name, columns=tuple(columns), rows=count)

    def finish(self, manifest: Manifest) -> None:
        """Add the list of all that is in it."""
        self._archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))


@contextmanager
def writing(target: Path, *, force: bool) -> Iterator[BundleWriter]:
    """A backup that only its owner may read, and that appears when it is whole.

    Raises:
        UnusableError: there is something at that place already, or nothing can be written there.
        OSError: there is no room for all of it.
    """
    require_free(target, force=force)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise UnusableError(f"{target} cannot be written ({error.strerror}); name another file") from None
    fresh = Path(name)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123  (a descriptor, opened privately)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
                yield BundleWriter(archive, target.parent)
            file.flush()
            os.fsync(file.fileno())
        require_free(target, force=force)
        fresh.replace(target)
    except OSError as error:
        if error.filename is not None:  # of another file, which the error names
            raise
        raise OSError(
            f"{target} cannot be written whole ({error.strerror or error}); make room on its disk, or name a"
            " file on another one"
        ) from error
    finally:
        fresh.unlink(missing_ok=True)


def require_free(target: Path, *, force: bool) -> None:
    """Refuse a place where something is, unless it is a file that may be replaced.

    Raises:
        UnusableError: there is something.
    """
    if target.exists() and not (force and target.is_file()):
        raise UnusableError(f"{target} is there already; name another file, or replace it with --force")


class Bundle:
    """A backup that is read."""

    def __init__(self, path: Path, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self._path = path
        self._archive = archive
        self.manifest = manifest

    def check(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Make sure that everything is as it was written; `progress` is told how much of it was read.

        Raises:
            UnusableError: something is not; the message names it.
        """
        found = sorted(set(self._archive.namelist()) - {MANIFEST})
        if found != sorted(self.manifest.members) or len(self._archive.namelist()) != len(found) + 1:
            strange = sorted(set(found) ^ set(self.manifest.members))
            raise self._damaged(strange[0] if strange else MANIFEST)
        total = sum(member.size for member in self.manifest.members.values())
        done = 0
        for name, told in self.manifest.members.items():
            digest = hashlib.sha256()
            for piece in self.pieces(name):
                digest.update(piece)
                done += len(piece)
                if progress:
                    progress(done, total)
            if digest.hexdigest() != told.sha256:
                raise self._damaged(name)
        for table in self.manifest.tables:
            if _table(table.name) not in self.manifest.members:
                raise self._damaged(_table(table.name))

    def below(self, folder: str) -> list[str]:
        """The names of the files in a folder."""
        return [name for name in self.manifest.members if name.startswith(f"{folder}/")]

    def pieces(self, name: str) -> Iterator[bytes]:
        """A file in pieces.

        Raises:
            UnusableError: it is damaged.
        """
        try:
            with self._archive.open(name) as member:
                while piece := member.read(PIECE_BYTES):
                    yield piece
        except (KeyError, *DAMAGE) as error:
            raise self._damaged(name) from error

    def content(self, name: str) -> bytes:
        """A small file.

        Raises:
            UnusableError: it is damaged.
        """
        return b"".join(self.pieces(name))

    def rows(self, table: TableEntry) -> Iterator[list[Any]]:
        """The rows of a table.

        Raises:
            UnusableError: they are not what the list says; the message names the line.
        """
        name, count = _table(table.name), 0
        try:
            with self._archive.open(name) as member:
                for count, line in enumerate(member, 1):
                    row = json.loads(line)
                    if not isinstance(row, list) or len(row) != len(table.columns):
                        raise self._damaged(f"{name}, line {count}")
                    yield row
        except (KeyError, ValueError, *DAMAGE) as error:
            raise self._damaged(f"{name}, line {count + 1}") from error
        if count != table.rows:
            raise self._damaged(f"{name}: rows: {count} of {table.rows}")

    def _damaged(self, place: str) -> UnusableError:
        return UnusableError(f"the backup {self._path} is damaged at {place}; take another copy of it")


@contextmanager
def reading(path: Path) -> Iterator[Bundle]:
    """A backup, once its list has been read.

    Raises:
        UnusableError: it is none, cut off, or of a newer version of the arena.
    """
    try:
        archive = zipfile.ZipFile(path)
    except OSError as error:
        raise UnusableError(f"{path} cannot be read ({error.strerror}); name a backup") from None
    except zipfile.BadZipFile:
        size = path.stat().st_size
        raise UnusableError(
            f"{path} is no backup, or cut off: after {size} bytes the list at its end is missing"
        ) from None
    except (*DAMAGE, ValueError):
        raise UnusableError(
            f"the backup {path} is damaged in the list at its end; take another copy of it"
        ) from None
    with archive:
        yield Bundle(path, archive, _manifest(path, archive))


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    try:
        told = json.loads(archive.read(MANIFEST))
        if isinstance(told, dict) and isinstance(told.get("format"), int) and told["format"] > FORMAT:
            raise UnusableError(
                f"{path} was made by a newer version of the arena ({told.get('arena')}); install that version"
            )
        manifest = Manifest.model_validate(told)
    except KeyError:
        raise UnusableError(f"{path} is no backup of an arena: it has no {MANIFEST}") from None
    except (ValidationError, ValueError, *DAMAGE):
        raise UnusableError(f"the backup {path} is damaged at {MANIFEST}; take another copy of it") from None
    for name in manifest.members:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts or not name.isprintable():
            raise UnusableError(f"the backup {path} is damaged at {MANIFEST}: it names {name!r}")
    return manifest


def _table(name: str) -> str:
    return f"{TABLES}/{name}.jsonl"
