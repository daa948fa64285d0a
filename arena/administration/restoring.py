"""Restoring a backup: into a data folder, and a database, in which there is nothing yet.

Everything is read and compared with the backup's own list before anything is written. The folder is filled
beside its place and the tables in one transaction; what fails takes back what it gave to a store of
recordings elsewhere. Archives stay in theirs: they are called by what is in them, and another arena may have
them there.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath

from sqlalchemy import Connection

from arena.administration.backup import ARCHIVES, FOLDER, RECORDINGS
from arena.administration.bundle import Bundle, Manifest, reading
from arena.administration.opening import Progress
from arena.core.errors import UnusableError
from arena.core.folder import RESTORING, DataFolder
from arena.core.private_file import write_private
from arena.core.settings import Settings, read
from arena.store import copying
from arena.store.condition import revisions, shown
from arena.store.database import Database
from arena.store.models import Event
from workers.core.errors import RecordingError
from workers.programs.archive_store import ArchiveStore
from workers.simulation.recordings import RecordingStore


def restore(path: Path, folder: DataFolder, progress: Progress | None = None) -> Manifest:
    """Make an arena of a backup; what was in it.

    Raises:
        UnusableError: the backup is damaged, or of a newer version, or there is something where it would go.
        UnusableDatabaseError, UnavailableError: as `Database.fill`.
        ArchiveUnwritableError: the store of archives takes nothing.
        RecordingError: that of recordings gives or takes nothing.
        OSError: the folder takes nothing more, or what is in it cannot be moved to its place.
    """
    with reading(path) as bundle, ExitStack() as undo:
        _check_version(path, bundle.manifest)
        bundle.check(progress)
        with _filling(folder) as fresh:
            settings = read(folder.named, fresh.root)
            database = Database(settings.database_url)
            try:
                if not database.is_empty:
                    raise UnusableError(
                        f"{shown(database.engine.url)} is not empty: a backup is restored into a new one"
                    )
                _put_archives(bundle, settings)
                _put_recordings(bundle, settings, fresh, undo)
                _put_files(bundle, fresh)
                database.fill(bundle.manifest.revision, partial(_put_rows, bundle))
            finally:
                database.close()
        undo.pop_all()
    return bundle.manifest


def _check_version(path: Path, manifest: Manifest) -> None:
    known = revisions()
    if manifest.revision in known:
        return
    if manifest.revision > max(known):
        raise UnusableError(
            f"{path} was made by a newer version of the arena ({manifest.arena}, whose tables are of revision"
            f" {manifest.revision}; this version knows {max(known)} at most); install that version"
        )
    raise UnusableError(f"the tables in {path} are of the revision {manifest.revision!r}, which is not known")


@contextmanager
def _filling(folder: DataFolder) -> Iterator[DataFolder]:
    """A folder to be filled, whose content is moved to its place at the end: the database last."""
    root, there = folder.root, folder.root.exists()
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.check_whole()
        if any(root.iterdir()):
            raise UnusableError(f"{root} is not empty: a backup is restored into a new data folder")
        fresh = Path(tempfile.mkdtemp(prefix=RESTORING, dir=root))
    except OSError as error:
        raise UnusableError(f"{root} cannot be written ({error.strerror}); choose another folder") from None
    moved, advice = list[Path](), "make room, or choose another folder"
    try:
        yield DataFolder(fresh)
        advice = "a database elsewhere is filled already: empty it, and restore again"
        for each in sorted(fresh.iterdir(), key=lambda each: each.suffix == ".sqlite3"):
            moved.append(each.rename(root / each.name))
        fresh.rmdir()
    except BaseException as error:
        for each in moved:
            with suppress(OSError):
                each.rename(fresh / each.name)
        shutil.rmtree(fresh, ignore_errors=True)
        if not there:
            with suppress(OSError):
                root.rmdir()
        if isinstance(error, OSError):
            place = error.filename2 or error.filename or root
            raise OSError(f"{place} cannot be written ({error.strerror or error}); {advice}") from error
        raise


def _put_archives(bundle: Bundle, settings: Settings) -> None:
    store = ArchiveStore(settings.archive_url)
    for name in bundle.below(ARCHIVES):
        store.put(bundle.content(name))


def _put_recordings(bundle: Bundle, settings: Settings, fresh: DataFolder, undo: ExitStack) -> None:
    """Give the recordings to their store, in which there must be none; `undo` takes them back."""
    parts = bundle.below(RECORDINGS)
    store = RecordingStore(settings.records_url)
    if parts and store.names():
        raise UnusableError(
            f"the store of recordings {settings.records_url} is not empty; name another by ARENA_RECORDS_URL"
        )
    given = list[str]()
    undo.callback(_take_back, store, given)
    with tempfile.TemporaryDirectory(dir=fresh.root) as place:
        file = Path(place) / "part"
        for name in parts:
            with file.open("wb") as written:
                written.writelines(bundle.pieces(name))
            given.append(name.removeprefix(f"{RECORDINGS}/"))
            store.put_named(given[-1], file)


def _take_back(store: RecordingStore, given: Sequence[str]) -> None:
    """Have a store let go what it was given, unless it refuses: what failed before is what is told."""
    with suppress(RecordingError):
        for name in given:
            store.remove(name)


def _put_files(bundle: Bundle, folder: DataFolder) -> None:
    for name in bundle.below(FOLDER):
        file = folder.root / PurePosixPath(name).relative_to(FOLDER)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(file, bundle.content(name))


def _put_rows(bundle: Bundle, connection: Connection) -> None:
    told = {table.name: table for table in bundle.manifest.tables}
    tables = copying.tables(connection)
    unfit = sorted(told.keys() ^ tables.keys()) or sorted(
        name for name, table in tables.items() if set(told[name].columns) != set(table.columns.keys())
    )
    if unfit:
        raise UnusableError(
            f"the backup's table {unfit[0]} is not that of revision {bundle.manifest.revision}"
        )
    copying.clear(connection, tables.values())
    for name, table in tables.items():
        copying.fill(connection, table, told[name].columns, bundle.rows(told[name]))
    copying.log_restoring(connection, tables[Event.__tablename__], bundle.manifest.taken_at)
