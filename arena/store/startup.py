"""How each process of the trusted side begins: with settings and a database of use, or not at all."""

from __future__ import annotations

import sys

from arena.core.errors import UnavailableError, UnusableDatabaseError
from arena.core.settings import Settings, get_settings
from arena.store.database import Database
from workers.core.configuration import or_exit


def begin() -> Settings:
    """The settings of this process; it ends with the reason where they, or the database, cannot be used."""
    settings = or_exit(get_settings)
    database = Database(settings.database_url)
    try:
        database.check()
    except UnusableDatabaseError as error:
        sys.exit(str(error))
    except UnavailableError:
        pass  # it may only be late, and whoever asks it something waits for it
    finally:
        database.close()
    return settings
