"""`arena admin`, as it is typed: files, exit codes, and what is said."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from sqlalchemy import text

from arena.cli import main
from arena.core.folder import DataFolder, FolderLock
from arena.core.terms import Scope
from arena.people.sessions import by_password
from arena.people.users import authenticate, find_token
from arena.store.condition import revisions
from arena.store.database import Database
from tests.integration.arena.world import World
from workers.core.errors import ArchiveMissingError, ArchiveUnwritableError, RecordingError
from workers.programs.archive_store import ArchiveStore

Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture
def world(sqlite_world: Callable[[], World]) -> World:
    """A world on SQLite."""
    made = sqlite_world()
    made.tournament(bots=2)
    return made


@pytest.fixture
def arena(
    world: World,
    environment: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Arena:
    """Types a command on the world's arena; the exit code, and what was said to either side.

    Nothing takes so long that it is said how far it is.
    """
    environment(database_url=str(world.database.engine.url), data_dir=str(tmp_path))
    monkeypatch.setattr("arena.cli.shared.progress.time", SimpleNamespace(monotonic=lambda: 0.0))

    def type_(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["admin", *words])
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out, told.err

    return type_


def test_backup_and_restore(arena: Arena, tmp_path: Path, environment: Callable[..., None]) -> None:
    """Into a folder by the moment's name or a file by its own, and from there into a new arena."""
    backups = tmp_path / "backups"
    backups.mkdir()
    code, said, _ = arena("backup", str(backups))
    (file,) = backups.iterdir()
    assert code == 0
    assert str(file) in said
    code, _, said = arena("backup", str(file))
    assert code == 2
    assert "is there already" in said
    code, said, _ = arena("backup", str(file), "--force", "--json")
    told = json.loads(said)
    assert (code, told["revision"], told["tables"]["tournaments"]) == (0, max(revisions()), 1)
    assert len(told["missing"]) == 2
    environment(database_url=f"sqlite:///{tmp_path}/restored.sqlite3")
    code, said, _ = arena("restore", str(file), "--data", str(tmp_path / "new"))
    assert code == 0
    assert "arena up" in said
    restored = Database(f"sqlite:///{tmp_path}/restored.sqlite3")
    assert restored.outstanding() == []
    restored.close()
    code, _, said = arena("restore", str(file), "--data", str(tmp_path / "new2"))
    assert code == 2
    assert "is not empty" in said


@pytest.mark.parametrize(
    ("store", "error"),
    [
        ("programs.archive_store.ArchiveStore.hashes", ArchiveMissingError("the archive store is gone")),
        ("simulation.recordings.RecordingStore.names", RecordingError("the store of recordings is gone")),
        ("programs.archive_store.ArchiveStore.put", ArchiveUnwritableError("it takes nothing", full=True)),
    ],
)
def test_a_store_that_fails_is_told_in_one_sentence(
    arena: Arena,
    world: World,
    tmp_path: Path,
    environment: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    *,
    store: str,
    error: Exception,
) -> None:
    """The exit code is that of what was tried and failed, whichever store it is."""
    ArchiveStore(world.settings.archive_url).put(b"a bot")
    file = str(tmp_path / "all.zip")
    words = ["backup", file]
    if store.endswith("put"):
        assert arena(*words)[0] == 0
        environment(database_url=f"sqlite:///{tmp_path}/restored.sqlite3")
        words = ["restore", file, "--data", str(tmp_path / "new")]
    monkeypatch.setattr(f"workers.{store}", Mock(side_effect=error))
    assert arena(*words) == (1, "", f"arena: {error}\n")


def test_verify(arena: Arena, world: World) -> None:
    """Exit code 1 where something differs; the archives of this world are not there."""
    code, said, failed = arena("verify")
    assert code == 1
    assert said.count("there is no archive") == 2
    assert "2 of what is stored is not what was recorded" in failed
    with world.database.transaction() as session:
        session.execute(text("UPDATE entries SET games = 7 WHERE number = 1"))
    code, said, _ = arena("verify", "--json")
    told = json.loads(said)
    assert (code, told["tournaments"], len(told["differences"])) == (1, 1, 3)
    with world.database.transaction() as session:
        for table in ("moves", "results", "matches", "encounters", "entries"):
            session.execute(text(f"DELETE FROM {table}"))  # noqa: S608  (names of ours)
        session.execute(text("UPDATE tournaments SET matches_total = 0"))
        session.execute(text("DELETE FROM bot_versions"))
    code, said, _ = arena("verify")
    assert code == 0
    assert "1 tournament, 0 frozen copies, 0 archives: all right" in said


def test_migrate(arena: Arena, tmp_path: Path, environment: Callable[..., None]) -> None:
    """What would be done is told without doing it; it is done once, and not while an arena runs there."""
    old = Database(f"sqlite:///{tmp_path}/old.sqlite3")
    with old._migrating() as (_, upgrade):
        upgrade("0030")
    environment(database_url=str(old.engine.url))
    steps = sorted(each for each in revisions() if each > "0030")
    code, said, _ = arena("migrate", "--check", "--json")
    assert (code, json.loads(said)) == (1, {"revisions": steps, "done": False})
    code, _, said = arena("verify")
    assert code == 2
    assert "arena admin migrate" in said
    folder = DataFolder(tmp_path)
    folder.make()
    with FolderLock(folder):
        code, _, said = arena("migrate")
        assert code == 1
        assert "arena down" in said
    assert old.outstanding() == steps
    code, said, _ = arena("migrate")
    assert (code, said) == (0, f"Done: {', '.join(steps)}\n")
    assert old.outstanding() == []
    code, said, _ = arena("migrate", "--check")
    assert (code, said) == (0, "The tables are those of this version.\n")
    with old.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    code, _, said = arena("migrate")
    assert code == 1
    assert said.count("\n") == 1
    assert "newer version" in said
    old.close()


@pytest.mark.parametrize("command", ["verify", "migrate", "backup", "user"])
def test_where_there_is_no_arena(
    arena: Arena, tmp_path: Path, environment: Callable[..., None], command: str
) -> None:
    """Nothing is made by looking for an arena that is not there."""
    environment(database_url=f"sqlite:///{tmp_path}/none.sqlite3")
    words = {"backup": (str(tmp_path / "a.zip"),), "user": ("list",)}.get(command, ())
    code, _, said = arena(command, *words)
    assert code == 2
    assert "there is no arena" in said
    assert not (tmp_path / "none.sqlite3").exists()
    assert not (tmp_path / "a.zip").exists()


def test_users_by_the_database(arena: Arena, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is locked out gets an account, a token or a password without anybody who can sign in."""
    code, token, _ = arena("user", "create", "rescue")
    assert code == 0
    with world.database.transaction() as session:
        assert authenticate(session, token.strip()).role == "admin"
        world_staff = world.staff.name
    code, other, _ = arena("user", "token", world_staff)
    monkeypatch.setattr("sys.stdin", io.StringIO("a long and good one\n"))
    assert arena("user", "password", world_staff)[0] == 0
    with world.database.transaction() as session:
        assert authenticate(session, other.strip()).name == world_staff
        assert by_password(session, world_staff, "a long and good one", "::1").name == world_staff
    code, said, _ = arena("user", "list", "--json")
    told = {each["name"]: each for each in json.loads(said)["users"]}
    assert told[world_staff]["has_password"]
    assert (told[world_staff]["tokens"], told["rescue"]["tokens"]) == (2, 1)
    assert arena("user", "revoke", world_staff)[0] == 2  # nobody is at a terminal to be asked
    code, said, _ = arena("user", "revoke", world_staff, "--yes")
    assert (code, said) == (0, f"{world_staff}: 2 tokens are worthless now\n")
    code, said, _ = arena("user", "list")
    assert "rescue" in said
    assert arena("user", "token", "nobody")[0] == 2
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    code, _, said = arena("user", "password", world_staff)
    assert code == 2
    assert "10 to 200 characters" in said


def test_a_disabled_user_is_let_in_again(arena: Arena, world: World) -> None:
    """Somebody who is out gets no token before they are in."""
    with world.database.transaction() as session:
        session.execute(text("UPDATE users SET left_at = CURRENT_TIMESTAMP WHERE name = 'staff'"))
    code, _, said = arena("user", "token", "staff")
    assert code == 1
    assert "arena admin user enable staff" in said
    assert arena("user", "enable", "staff")[0] == 0
    code, token, _ = arena("user", "token", "staff")
    assert code == 0
    with world.database.transaction() as session:
        assert authenticate(session, token.strip()).name == "staff"


def test_a_token_for_a_program_is_good_for_less(arena: Arena, world: World) -> None:
    """A token of a scope and for some days is just that; a scope or a length that there is not is refused."""
    code, text, _ = arena("user", "token", "staff", "--scope", "read", "--days", "30")
    assert code == 0
    with world.database.transaction() as session:
        token = find_token(session, text.strip())
        assert token.scope == Scope.READ
        assert token.expires_at == token.created_at + dt.timedelta(days=30)
    for wrong in (("--scope", "write"), ("--days", "400")):
        assert arena("user", "token", "staff", *wrong)[0] == 2


def test_erase(arena: Arena, world: World) -> None:
    """It asks first; the archives that are given up are gone from the store, and verified no more."""
    team = world.team("anna")
    store = ArchiveStore(world.settings.archive_url)
    with world.database.transaction() as session:
        world.bot(session, "annas", owner=team).versions[0].archive = store.put(b"a bot")
    assert store.hashes()
    code, _, said = arena("erase", "anna", "--sources")
    assert code == 2
    assert "--yes" in said
    code, said, _ = arena("erase", "anna", "--sources", "--yes", "--json")
    assert (code, json.loads(said)) == (0, {"name": f"erased-{team.id}", "bots": 1, "archives": 1})
    assert store.hashes() == set()
    _, said, _ = arena("verify", "--json")
    assert len(json.loads(said)["differences"]) == 2  # those of the world's other bots, which never had any
    assert arena("erase", "anna", "--yes")[0] == 2


def test_prune(arena: Arena, tmp_path: Path) -> None:
    """It is said what goes, asked first, and told how much it was."""
    assert arena("prune", "--yes")[0] == 2
    code, _, said = arena("prune", "--logs", "30")
    assert code == 2
    assert "logs of more than 30 days ago" in said
    (tmp_path / "logs").mkdir()
    old = tmp_path / "logs" / "api.log.1"
    old.write_text("a line")
    os.utime(old, (0, 0))
    code, said, _ = arena("prune", "--logs", "30", "--evidence", "0", "--recordings", "1", "--yes", "--json")
    assert (code, json.loads(said)) == (0, {"evidence": 0, "recordings": 0, "logs": 1, "tokens": 0})
    code, said, _ = arena("prune", "--logs", "30", "--yes")
    assert (code, said) == (0, "0 records cleared, 0 parts of recordings, 0 logs and 0 tokens removed.\n")
