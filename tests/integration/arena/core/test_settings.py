"""Settings from the environment."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from pydantic import ValidationError

from arena.core.settings import Settings, read
from arena.store.database import Database
from arena.store.startup import begin
from workers.core.errors import SettingsError
from workers.programs.archive_store import ArchiveStore


def test_everything_follows_from_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With nothing but a data folder given, database, broker and archives are in it."""
    for name in ("DATABASE_URL", "BROKER_URL", "ARCHIVE_URL"):
        monkeypatch.delenv(f"ARENA_{name}", raising=False)
    monkeypatch.setenv("ARENA_DATA_DIR", str(tmp_path))
    settings = Settings()
    assert settings.database_url == f"sqlite:///{tmp_path}/arena.sqlite3"
    assert settings.broker_url == f"redis+socket://{tmp_path}/run/valkey.sock"
    assert settings.archive_url == f"file://{tmp_path}/archives"


@pytest.mark.parametrize("name", ["a#b", "a%20b", "a?b=c", "ü ä", "a:b@c"])
def test_any_folder_s_name_fits_into_the_urls(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """Whatever stands in the path, database, archives and broker's socket are inside the folder."""
    for variable in ("DATABASE_URL", "BROKER_URL", "ARCHIVE_URL"):
        monkeypatch.delenv(f"ARENA_{variable}", raising=False)
    folder = tmp_path / name
    folder.mkdir()
    settings = Settings(data_dir=folder)
    database = Database(settings.database_url)
    database.migrate()
    database.close()
    sha = ArchiveStore(settings.archive_url).put(b"archive")
    assert (folder / "archives" / f"{sha}.zip").read_bytes() == b"archive"
    assert {path.name for path in folder.iterdir()} >= {"arena.sqlite3", "archives"}
    assert [path.name for path in tmp_path.iterdir()] == [name]
    broker = urlsplit(settings.broker_url)
    assert (unquote(broker.path), broker.query) == (str(folder / "run" / "valkey.sock"), "")


def test_a_relative_folder_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The data folder does not move when a process changes its folder."""
    monkeypatch.delenv("ARENA_DATA_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    assert Settings().data_dir == tmp_path / "arena-data"


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other services are chosen by their URLs."""
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://db/arena")
    monkeypatch.setenv("ARENA_WINDOW", "3")
    assert (Settings().database_url, Settings().window) == ("postgresql://db/arena", 3)


def test_a_database_whose_driver_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what is to be installed for it, as the address is right."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://db/arena")
    with pytest.raises(ValidationError, match=r"pip install 'bot-arena\[postgres\]'"):
        Settings()


def test_a_time_zone_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zone is taken by its name; another word is refused when the process starts, not on a page."""
    monkeypatch.setenv("ARENA_TIMEZONE", "Asia/Taipei")
    assert str(Settings().timezone) == "Asia/Taipei"
    monkeypatch.setenv("ARENA_TIMEZONE", "Taipei time")
    with pytest.raises(ValidationError, match="invalid timezone: Taipei time"):
        Settings()


@pytest.mark.parametrize(
    ("name", "known"),
    [
        *((name, True) for name in ("", "Asia/Taipei", ":Asia/Taipei", "CST-8", "<+0330>-3:30", "CET-1CEST")),
        *((name, False) for name in ("Mars/City", "Taipei time", "../../etc", "Taipei")),
    ],
)
def test_a_machine_whose_zone_is_none_is_refused(
    environment: Callable[..., None], monkeypatch: pytest.MonkeyPatch, name: str, known: bool
) -> None:
    """Times would be told in UTC without a word; with a zone of the arena's own it does not matter."""
    monkeypatch.setenv("TZ", name)
    with nullcontext() if known else pytest.raises(SettingsError, match="is no time zone; correct it, or"):
        read()
    environment(timezone="Asia/Taipei")
    read()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("LEASE", "15", "ARENA_LEASE_SECONDS=15 must be more than twice ARENA_HEARTBEAT_SECONDS=10"),
        ("HEARTBEAT", "15", "ARENA_LEASE_SECONDS=30 must be more than twice ARENA_HEARTBEAT_SECONDS=15"),
        ("HOST", "0.001", "ARENA_HOST_SECONDS=0.001 must be more than twice ARENA_REGISTER_SECONDS=20"),
        ("REGISTER", "3600", "ARENA_HOST_SECONDS=120 must be more than twice ARENA_REGISTER_SECONDS=3600"),
    ],
)
def test_no_process_begins_with_less_patience_than_one_late_sign_needs(
    environment: Callable[..., None], name: str, value: str, says: str
) -> None:
    """Or what is being played, or every worker host, would count as lost most of the time."""
    environment(**{f"{name}_seconds": value})
    with pytest.raises(SystemExit, match=says):
        begin()


@pytest.mark.parametrize("name", ["WINDOW", "LEASE_SECONDS", "TICK_SECONDS"])
def test_impossible_settings_are_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A lease, a window or a tick of nothing is refused when the process starts."""
    monkeypatch.setenv(f"ARENA_{name}", "0")
    with pytest.raises(ValidationError, match="greater than"):
        Settings()
