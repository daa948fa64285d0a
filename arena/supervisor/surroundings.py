"""What an arena needs around it: usable settings, a broker that answers, a database that it can work with."""

from __future__ import annotations

import contextlib

from arena.core.errors import UnavailableError, UnusableError
from arena.core.folder import DataFolder
from arena.core.settings import Settings, read
from arena.store.database import Database
from arena.supervisor.plans import BROKER_VARIABLE
from arena.supervisor.prepare import check_first_time
from workers.core import tracing
from workers.core.configuration import read_settings
from workers.core.settings import WorkerSettings


def check_settings(folder: DataFolder) -> Settings:
    """The settings of an arena in that folder, once those of its workers are looked at too.

    Raises:
        SettingsError: some cannot be used; the message has a line for each.
    """
    settings = read(folder.named)
    read_settings(WorkerSettings, folder.named)
    tracing.check()
    return settings


def check_broker(settings: Settings) -> None:
    """Make sure that a broker that was named answers; the embedded one starts with the arena.

    Raises:
        UnusableError: it does not.
    """
    if "broker_url" not in settings.model_fields_set:
        return
    from arena.coordinator.broker import CeleryBroker  # noqa: PLC0415  (its import ends by bad settings

    with contextlib.closing(CeleryBroker(settings.broker_url)) as broker:
        try:
            broker.ping()
        except UnavailableError as error:
            raise UnusableError(f"{error}; start it, or correct {BROKER_VARIABLE}") from None


def check_database(settings: Settings) -> None:
    """Make sure that the database can be worked with, or made where there never was one; none is made.

    Raises:
        UnusableError: it cannot.
    """
    if "database_url" not in settings.model_fields_set and not settings.data_dir.exists():
        return  # it is made with its folder
    database = Database(settings.database_url)
    try:
        database.check()
        check_first_time(database, DataFolder(settings.data_dir))
    except UnavailableError as error:
        raise UnusableError(str(error)) from None
    finally:
        database.close()
