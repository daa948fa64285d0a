"""Makes a data folder ready, before anything is served: `python -m arena.supervisor.prepare`.

Brings the database to the present tables and, on the first time, creates the user `admin` with a token in
the file `admin-token` of the data folder. Doing it again changes nothing. With `--alone` no worker can be at
work: what was given out is put back, so that it does not wait for the end of its leases. This machine is
enrolled as a worker host, but with `--workers-elsewhere`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from arena.coordinator.enrolment import enrol_here
from arena.core.errors import ArenaError, ConflictError, UnusableError
from arena.core.folder import DataFolder
from arena.core.private_file import write_private
from arena.core.settings import get_settings
from arena.core.terms import Role
from arena.people.users import create_user
from arena.store import leases
from arena.store.condition import shown
from arena.store.database import Database
from arena.store.models import Check, ExperimentChunk, Match, SolveLeaf, TrainingChunk
from arena.supervisor.plans import ALONE, WORKERS_ELSEWHERE
from workers.core.enrolment import OWN
from workers.core.errors import SettingsError

ADMIN = "admin"
REVOKED = (
    "what the workers of this machine report is not believed, as its key was revoked: remove {key} and start"
    " the arena anew if it is to be believed again\n"
)


def main(arguments: list[str]) -> int:
    """Prepare what the environment's settings name; returns the exit code."""
    try:
        settings = get_settings()
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        database = Database(settings.database_url)
        database.check()
        check_first_time(database, DataFolder(settings.data_dir))
        database.migrate()
        _create_admin(database, settings.data_dir / "admin-token")
        if WORKERS_ELSEWHERE not in arguments:
            with database.transaction() as session:
                if not enrol_here(session, settings):
                    sys.stderr.write(REVOKED.format(key=DataFolder(settings.data_dir).worker_keys / OWN))
        if ALONE in arguments:
            _recall(database)
    except (ArenaError, UnusableError, SettingsError, SQLAlchemyError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def check_first_time(database: Database, folder: DataFolder) -> None:
    """Make sure that a database is empty only in a new folder.

    Raises:
        UnusableError: the folder was in use, so that its database was emptied or is another one, or a restore
            has left it.
        UnavailableError: the database does not answer.
    """
    folder.check_whole()
    if folder.used and database.is_empty:
        raise UnusableError(
            f"{shown(database.engine.url)} is empty, but {folder.root} is the folder of an arena that was in"
            f" use (it has {folder.used}): restore the database from a copy, or start a new arena in another"
            " folder with --data"
        )


def _recall(database: Database) -> None:
    with database.transaction() as session:
        kinds = Check, Match, ExperimentChunk, SolveLeaf, TrainingChunk
        if not any(leases.issued_tokens(session, work) for work in kinds):
            return
        from arena.coordinator.kinds import recall_all  # noqa: PLC0415  (a second to read, seldom needed)

        recall_all(session, "the arena was started anew")


def _create_admin(database: Database, token_file: Path) -> None:
    try:
        with database.transaction() as session:
            _, token = create_user(session, ADMIN, Role.ADMIN)
            write_private(token_file, f"{token}\n".encode())
    except ConflictError:
        return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
