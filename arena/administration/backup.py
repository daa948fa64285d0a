"""Backups: the tables as one snapshot shows them, and all files that cannot be made again.

It makes no difference whether the arena runs, nor which database it has. Built bots, logs, what trainings
have in the archive store and what lives only while it runs are not in a backup, and neither is what the
environment holds: settings and their secrets.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from arena.administration.bundle import FORMAT, BundleWriter, Manifest, TableEntry, writing
from arena.administration.opening import Opened, Progress
from arena.core.clock import utc_now
from arena.core.folder import DataFolder
from arena.store import copying
from workers.core.errors import ArchiveMissingError, RecordingError, RecordingMissingError
from workers.programs.archive_store import ArchiveStore
from workers.simulation.recordings import RecordingStore

ARCHIVES, RECORDINGS, FOLDER = "archives", "recordings", "folder"
"""The folders of a backup: bots as handed in, games in columns, and what lies in the data folder."""


def backup(
    arena: Opened, target: Path, *, force: bool, recordings: bool, progress: Progress | None = None
) -> Manifest:
    """Write a backup to `target`, without games in columns where these are not wanted; what is in it.

    Raises:
        UnusableError: there is something at that place already, or nothing can be written there.
        ArchiveMissingError, RecordingError: a store does not tell what is in it.
    """
    with writing(target, force=force) as bundle:
        with arena.database.reading() as session:
            revision = copying.revision(session) or ""
            tables = copying.tables(session.connection())
            told = list[TableEntry]()
            for number, (name, table) in enumerate(tables.items()):
                if progress:
                    progress(number, len(tables))
                told.append(bundle.add_table(name, table.columns.keys(), copying.rows(session, table)))
            referred = set(copying.archives(session))
        store = ArchiveStore(arena.settings.archive_url)
        others = store.hashes() - referred
        with arena.database.reading() as session:
            others -= copying.lent(session)
        missing = _add_archives(bundle, store, referred, others)
        if recordings:
            missing += _add_recordings(bundle, RecordingStore(arena.settings.records_url))
        for path in _files(arena.folder):
            name = path.relative_to(arena.folder.root).as_posix()
            with suppress(FileNotFoundError):  # replaced just now
                bundle.add(f"{FOLDER}/{name}", [path.read_bytes()])
        manifest = Manifest(
            format=FORMAT,
            arena=version("bot-arena"),
            revision=revision,
            database=arena.database.engine.dialect.name,
            taken_at=utc_now().isoformat(timespec="seconds"),
            tables=tuple(told),
            members=bundle.members,
            missing=tuple(missing),
            left_out=() if recordings else (RECORDINGS,),
        )
        bundle.finish(manifest)
    return manifest


def _add_archives(
    bundle: BundleWriter, store: ArchiveStore, referred: set[str], others: set[str]
) -> list[str]:
    """Add every archive that is whole; those that versions refer to and that are not."""
    missing = []
    for sha in sorted(referred | others):
        try:
            bundle.add(f"{ARCHIVES}/{sha}.zip", [store.get(sha)])
        except ArchiveMissingError:
            if sha in referred:
                missing.append(sha)
    return missing


def _add_recordings(bundle: BundleWriter, store: RecordingStore) -> list[str]:
    """Add every part of a recording that is whole; those that are gone, or break off.

    Raises:
        RecordingError: the store gives nothing.
    """
    missing = []
    for name in store.names():
        member = f"{RECORDINGS}/{name}"
        try:
            pieces = store.get_named(name)
        except RecordingMissingError:
            missing.append(member)
            continue
        try:
            bundle.add_whole(member, pieces)
        except RecordingError:
            missing.append(member)
    return missing


def _files(folder: DataFolder) -> Iterator[Path]:
    """What lies in the data folder and cannot be made again."""
    yield from (path for path in (folder.admin_token, folder.signing_key) if path.is_file())
    for place in (folder.certificates, folder.reproduction):
        yield from sorted(path for path in place.rglob("*") if path.is_file() and not path.is_symlink())
