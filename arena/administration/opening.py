"""The arena of a data folder for who works on its database itself, whether or not it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from arena.core.errors import UnusableError
from arena.core.folder import DataFolder
from arena.core.settings import Settings, read
from arena.store.condition import explaining_driver_errors, shown
from arena.store.database import Database

Progress = Callable[[int, int], None]
"""Is told how much is done, and of how much."""


class Opened(NamedTuple):
    """An arena's settings, and its database, which can be used as it is."""

    folder: DataFolder
    settings: Settings
    database: Database


@contextmanager
def opened(folder: DataFolder) -> Iterator[Opened]:
    """The arena of a folder. What there is not is not made.

    Raises:
        SettingsError: the settings cannot be used.
        UnusableError: there is no arena.
        UnusableDatabaseError, UnavailableError: as `Database.check`.
    """
    settings = read(folder.named)
    database = Database(settings.database_url)
    try:
        if database.is_empty:
            raise UnusableError(
                f"there is no arena: {shown(database.engine.url)} is empty or not there;"
                " name its data folder with --data"
            )
        database.check()
        with explaining_driver_errors(database.engine.url):
            yield Opened(folder, settings, database)
    finally:
        database.close()


def require_present(arena: Opened) -> None:
    """Let go on where the tables are those of this version.

    Raises:
        UnusableError: they are older.
    """
    if arena.database.outstanding():
        raise UnusableError(
            f"the tables of {shown(arena.database.engine.url)} are of an older version;"
            " bring them up with `arena admin migrate`, after a backup"
        )
