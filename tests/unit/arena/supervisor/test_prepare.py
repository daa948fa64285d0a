"""Making a data folder ready: tables, and one admin with a private token."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from arena.store.database import Database
from arena.users import authenticate


def prepare(folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Prepare a folder as the supervisor does."""
    environment = os.environ | {"ARENA_DATA_DIR": str(folder)} | more
    environment.pop("ARENA_DATABASE_URL", None)
    command = [sys.executable, "-m", "arena.supervisor.prepare"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_first_time_makes_an_admin_and_the_second_changes_nothing(tmp_path: Path) -> None:
    """The token in the file is the admin's, nobody else can read it, and it stays the same."""
    folder = tmp_path / "data"
    assert prepare(folder).returncode == 0
    token_file = folder / "admin-token"
    token = token_file.read_text()
    assert token_file.stat().st_mode & 0o777 == 0o600
    assert prepare(folder).returncode == 0
    assert token_file.read_text() == token
    database = Database(f"sqlite:///{folder}/arena.sqlite3")
    with database.reading() as session:
        assert authenticate(session, token.strip()).name == "admin"
    database.close()


def test_a_setting_that_cannot_be_read_is_named_without_a_traceback(tmp_path: Path) -> None:
    """What is wrong in the environment is said in a few lines."""
    done = prepare(tmp_path / "data", ARENA_LEASE_SECONDS="soon")
    assert done.returncode == 1
    assert "lease_seconds" in done.stderr
    assert "Traceback" not in done.stderr
