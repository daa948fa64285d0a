"""Makes a data folder ready, before anything is served: `python -m arena.supervisor.prepare`.

Brings the database to the present tables and, on the first time, creates the user `admin` with a token in
the file `admin-token` of the data folder. Doing it again changes nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from arena.errors import ArenaError, ConflictError
from arena.settings import get_settings
from arena.store.database import Database
from arena.store.models import Role
from arena.users import create_user

ADMIN = "admin"


def main() -> int:
    """Prepare what the environment's settings name; returns the exit code."""
    try:
        settings = get_settings()
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        database = Database(settings.database_url)
        database.migrate()
        _create_admin(database, settings.data_dir / "admin-token")
    except (ArenaError, SQLAlchemyError, ValidationError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _create_admin(database: Database, token_file: Path) -> None:
    try:
        with database.transaction() as session:
            _, token = create_user(session, ADMIN, Role.ADMIN)
            _write_private(token_file, token)
    except ConflictError:
        return


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123  (a descriptor, opened privately)
        file.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
