"""Making a data folder ready: tables, and one admin with a private token."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from arena.coordinator import checks, leases
from arena.coordinator.leases import Verdict
from arena.core.clock import utc_now
from arena.core.folder import DataFolder
from arena.people.users import authenticate
from arena.store.database import Database
from arena.store.models import Check, WorkerKey
from arena.submissions import checks as service
from arena.submissions import versions
from arena.supervisor.plans import WORKERS_ELSEWHERE
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import World, issue_matches


def prepare(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Prepare a folder as the supervisor does."""
    environment = os.environ | {"ARENA_DATA_DIR": str(folder)} | more
    environment.pop("ARENA_DATABASE_URL", None)
    command = [sys.executable, "-m", "arena.supervisor.prepare", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_first_time_makes_an_admin_and_the_second_changes_nothing(tmp_path: Path) -> None:
    """The token in the file is the admin's, nobody else can read it, and it stays the same.

    Only a machine that is to have workers is enrolled. Where the key of the machine's workers was revoked it
    stays so, and that is said.
    """
    folder = tmp_path / "data"
    assert prepare(folder, WORKERS_ELSEWHERE).returncode == 0
    assert not DataFolder(folder).worker_keys.exists()
    token_file = folder / "admin-token"
    token = token_file.read_text()
    assert token_file.stat().st_mode & 0o777 == 0o600
    assert prepare(folder).returncode == 0
    assert DataFolder(folder).worker_keys.exists()
    assert token_file.read_text() == token
    database = Database(f"sqlite:///{folder}/arena.sqlite3")
    with database.reading() as session:
        assert authenticate(session, token.strip()).name == "admin"
    with database.transaction() as session:
        session.scalars(select(WorkerKey)).one().revoked_at = utc_now()
    database.close()
    done = prepare(folder)
    assert (done.returncode, f"remove {folder}/worker-keys/key and start" in done.stderr) == (0, True)


@pytest.mark.parametrize("left", [b"", None], ids=["without a byte", "away"])
@pytest.mark.parametrize(
    ("trace", "says"),
    [("admin-token", "admin-token"), ("archives/0.zip", "archives"), ("logs/api.log", "api.log")],
)
def test_an_empty_database_is_refused_in_a_folder_that_was_in_use(
    tmp_path: Path, left: bytes | None, trace: str, says: str
) -> None:
    """What an arena left there says that it is no first start; nothing is made anew or replaced."""
    (tmp_path / trace).parent.mkdir(exist_ok=True)
    (tmp_path / trace).write_text("before")
    file = tmp_path / "arena.sqlite3"
    if left is not None:
        file.write_bytes(left)
    done = prepare(tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    for words in (str(file), "is empty", f"(it has {says})", "--data"):
        assert words in done.stderr
    assert (tmp_path / trace).read_text() == "before"
    assert file.exists() == (left is not None)
    assert left is None or file.stat().st_size == 0


def test_a_first_start_that_was_broken_off_is_begun_again(tmp_path: Path) -> None:
    """An empty file is no trouble where no arena has run, whatever its supervisor has made before."""
    for name in ("run", "logs", "archives"):
        (tmp_path / name).mkdir()
    for name in ("arena.sqlite3", "logs/api.log", "logs/prepare.log"):
        (tmp_path / name).touch()
    assert prepare(tmp_path).returncode == 0
    assert (tmp_path / "admin-token").read_text()


def test_where_no_worker_lives_everything_given_out_is_put_back(
    sqlite_world: Callable[[], World], tmp_path: Path
) -> None:
    """Waiting or in play, matches, checks and chunks; nothing is lost, and a late report is refused."""
    world = sqlite_world()
    world.tournament(bots=3)
    lab = Lab(world)
    lab.create()
    with world.database.transaction() as session:
        found = versions.get_version(session, world.bot(session, "comet"))
        service.begin(session, found)
        messages = issue_matches(session, world.settings)
        leases.issue(checks.WORK, session, world.settings)
    world.heartbeat(messages[0])
    lab.heartbeat(lab.issue()[0])
    file = world.database.engine.url.database
    assert file is not None
    world.database.close()
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(file, folder / "arena.sqlite3")
    assert prepare(folder).returncode == 0
    again = World.__new__(World)
    again.database, again.settings = Database(f"sqlite:///{folder}/arena.sqlite3"), world.settings
    assert {match.state for match in again.matches()} == {"running", "published"}
    assert prepare(folder, "--alone").returncode == 0
    assert {(match.state, match.lost, match.token) for match in again.matches()} == {("pending", 0, None)}
    assert {(chunk.state, chunk.lost) for chunk in Lab(again).chunks()} == {("pending", 0)}
    with again.database.reading() as session:
        assert [check.state for check in session.scalars(select(Check))] == ["pending"]
    assert again.record(messages[0]) == Verdict.REFUSED
    again.database.close()


def test_a_setting_that_cannot_be_read_is_named_without_a_traceback(tmp_path: Path) -> None:
    """What is wrong in the environment is said in a few lines."""
    done = prepare(tmp_path / "data", ARENA_LEASE_SECONDS="soon")
    assert done.returncode == 1
    assert done.stderr.startswith("ARENA_LEASE_SECONDS=soon cannot be used: ")
    assert len(done.stderr.splitlines()) == 1
