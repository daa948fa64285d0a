"""The user's folders: where they were on Linux, where the system has them elsewhere, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.client.credentials import credentials_file, find_credentials, save_credentials
from engines.places import user_folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which nothing is, and no variables about it."""
    for kind in ("CONFIG", "STATE", "CACHE", "DATA"):
        monkeypatch.delenv(f"XDG_{kind}_HOME", raising=False)
    for variable in ("ARENA_URL", "ARENA_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv("ARENA_DATA_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def mac(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Mac's folder for what applications keep."""
    monkeypatch.setattr("sys.platform", "darwin")
    return home / "Library"


def test_on_linux_they_are_where_they_were(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the home, or where the variables of the desktop's standard say."""
    assert user_folder("config", "arena") == home / ".config" / "arena"
    assert user_folder("state", "bot-arena") == home / ".local" / "state" / "bot-arena"
    assert user_folder("cache", "bot-arena") == home / ".cache" / "bot-arena"
    assert user_folder("data", "bot-arena") == home / ".local" / "share" / "bot-arena"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "elsewhere"))
    assert user_folder("cache", "bot-arena") == home / "elsewhere" / "bot-arena"
    monkeypatch.setenv("XDG_CACHE_HOME", "below/the/working/folder")
    assert user_folder("cache", "bot-arena") == home / ".cache" / "bot-arena"


def test_elsewhere_they_are_where_the_system_has_them(mac: Path) -> None:
    """A new user of a Mac finds the token among what other applications keep."""
    assert credentials_file() == mac / "Application Support" / "arena" / "credentials.json"
    assert user_folder("cache", "bot-arena") == mac / "Caches" / "bot-arena"


def test_on_windows_they_are_among_those_of_this_machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Windows says, or where it usually is; what a Unix shell there is told is for Unix programs."""
    monkeypatch.setattr("sys.platform", "win32")
    local = home / "AppData" / "Local"
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert user_folder("config", "arena") == local / "arena"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "elsewhere"))
    monkeypatch.setenv("LOCALAPPDATA", str(home / "moved"))
    assert user_folder("config", "arena") == home / "moved" / "arena"
    assert user_folder("cache", "bot-arena") == home / "moved" / "bot-arena" / "Cache"
    (home / ".config" / "arena").mkdir(parents=True)
    assert user_folder("config", "arena") == home / ".config" / "arena"


def test_nobodys_token_is_lost(home: Path, mac: Path) -> None:
    """Who logged in before finds the token where it was; the new place goes first once it is there."""
    before = home / ".config" / "arena"
    before.mkdir(parents=True)
    (before / "credentials.json").write_text('{"url": "http://old.test", "token": "old"}')
    assert find_credentials()[:2] == ("http://old.test", "old")
    assert save_credentials("http://old.test", "newer") == before / "credentials.json"
    (mac / "Application Support" / "arena").mkdir(parents=True)
    save_credentials("http://new.test", "new")
    assert find_credentials()[:2] == ("http://new.test", "new")
    assert (before / "credentials.json").exists()


def test_a_home_that_is_closed_to_us_has_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An account that keeps the HOME of another one is told of the usual folder, without an error."""

    def closed(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", closed)
    assert user_folder("data", "of-nobody").name == "of-nobody"
