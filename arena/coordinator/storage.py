"""What takes up room: the database, the bots' archives, recordings, the workers' cache; and what is free."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.store import space, trainings
from arena.store.database import release
from arena.store.models import User
from arena.store.space import DatabaseSize, TableSize

MAX_FILES = 100_000
MAX_SECONDS = 3.0
"""A folder is looked through no further than that."""
DAY = dt.timedelta(days=1)


@dataclass(frozen=True)
class FolderSize:
    """A folder: its files and bytes, at least so many where it was not looked through to its end.

    `known` says whether it is a folder of this machine at all; an object store's sizes are its own to tell.
    """

    name: str
    place: str
    known: bool
    files: int = 0
    size: int = 0
    complete: bool = True
    unused_files: int | None = None
    unused_size: int | None = None


@dataclass(frozen=True)
class Disk:
    """The disk that a folder is on."""

    place: str
    total: int
    free: int


@dataclass(frozen=True)
class Storage:
    """What takes up room. `daily` is about how many bytes the database gained within the last day."""

    database: DatabaseSize
    tables: Sequence[TableSize]
    folders: Sequence[FolderSize]
    disks: Sequence[Disk]
    daily: int | None


def storage(session: Session, settings: Settings, actor: User) -> Storage:
    """What takes up room. The session is released while folders are looked through.

    Raises:
        ForbiddenError: the actor is no administrator.
    """
    permissions.require_admin(actor)
    size, tables = space.database_size(session), space.tables(session)
    used = space.archives(session) | trainings.given(session)
    lately, events = space.events_since(session, utc_now() - DAY)
    release(session)
    archives, records = _place(settings.archive_url), _place(settings.records_url)
    folders = [
        _measured("archives", archives, settings.archive_url, {f"{sha}.zip" for sha in used}),
        _measured("recordings", records, settings.records_url),
        _measured("cache", settings.data_dir / "cache", ""),
        _measured("logs", settings.data_dir / "logs", ""),
    ]
    daily = round(size.size * lately / events) if events else None
    places = [settings.data_dir, *(each for each in (archives, records) if each is not None)]
    return Storage(size, tables, folders, list(_disks(places)), daily)


def _place(url: str) -> Path | None:
    return Path(unquote(urlsplit(url).path)) if url.startswith("file://") else None


def _measured(name: str, place: Path | None, url: str, used: Collection[str] | None = None) -> FolderSize:
    """How much is in a folder; with `used`, also how much of it is none of these files."""
    if place is None or not place.is_dir():
        return FolderSize(name, str(place or urlsplit(url).scheme), known=False)
    files = size = unused_files = unused_size = 0
    until, complete = time.monotonic() + MAX_SECONDS, True
    for entry in _files(place):
        if files >= MAX_FILES or time.monotonic() > until:
            complete = False
            break
        try:
            length = entry.stat(follow_symlinks=False).st_size
        except OSError:  # it is gone again
            continue
        files, size = files + 1, size + length
        if used is not None and entry.name.endswith(".zip") and entry.name not in used:
            unused_files, unused_size = unused_files + 1, unused_size + length
    unused = (None, None) if used is None else (unused_files, unused_size)
    return FolderSize(name, str(place), True, files, size, complete, *unused)


def _files(place: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield from _files(Path(entry.path))
                else:
                    yield entry
    except OSError:  # it is gone again, or another user's
        return


def _disks(places: Sequence[Path]) -> Iterator[Disk]:
    """The disks of these folders, each once."""
    seen: set[int] = set()
    for place in places:
        try:
            device, usage = place.stat().st_dev, shutil.disk_usage(place)
        except OSError:
            continue
        if device not in seen:
            seen.add(device)
            yield Disk(str(place), usage.total, usage.free)
