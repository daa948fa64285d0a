"""Which arena and which token the command line takes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from arena.client.credentials import find_credentials, save_credentials
from arena.core.folder import DataFolder, FolderLock
from arena.core.running import ArenaPhase, ArenaState, write_state


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for variable in ("ARENA_URL", "ARENA_TOKEN", "ARENA_DATA_DIR"):
        monkeypatch.delenv(variable, raising=False)


def local_arena(path: Path) -> DataFolder:
    """A folder as a running arena keeps it."""
    folder = DataFolder(path)
    folder.make()
    folder.admin_token.write_text("local-token\n")
    url = "http://127.0.0.1:1234"
    write_state(folder, ArenaState(ArenaPhase.RUNNING, os.getpid(), 0.0, url, str(path), "", time.time()))
    return folder


def test_saved_credentials_are_private_and_found_again() -> None:
    """The file is readable by its owner only."""
    path = save_credentials("http://arena.test/", "secret")
    assert path.stat().st_mode & 0o777 == 0o600
    assert find_credentials()[:2] == ("http://arena.test", "secret")


def test_a_saved_token_is_not_sent_to_another_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    """ARENA_URL alone takes the saved token only where it belongs."""
    save_credentials("http://arena.test", "secret")
    monkeypatch.setenv("ARENA_URL", "http://elsewhere.test")
    assert find_credentials()[1] is None
    monkeypatch.setenv("ARENA_URL", "http://arena.test/")
    assert find_credentials()[1] == "secret"
    monkeypatch.setenv("ARENA_TOKEN", "given")
    assert find_credentials()[1] == "given"


def test_an_arena_running_here_is_the_default(tmp_path: Path) -> None:
    """With nothing said, the arena on ./arena-data and its admin's token are used, while it runs."""
    folder = local_arena(tmp_path / "arena-data")
    with FolderLock(folder):
        assert find_credentials()[:2] == ("http://127.0.0.1:1234", "local-token")
    assert find_credentials()[:2] == ("http://127.0.0.1:8080", None)


def test_a_named_data_folder_goes_before_a_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ARENA_DATA_DIR names a running arena more closely than an old login does."""
    save_credentials("http://arena.test", "secret")
    folder = local_arena(tmp_path / "here")
    monkeypatch.setenv("ARENA_DATA_DIR", str(folder.root))
    with FolderLock(folder):
        assert find_credentials()[1] == "local-token"
    assert find_credentials()[1] == "secret"


def test_a_damaged_credentials_file_counts_as_none() -> None:
    """Rubbish in the file is no reason to fail."""
    path = save_credentials("http://arena.test", "secret")
    path.write_text("[]")
    assert find_credentials()[1] is None


def test_a_ca_belongs_to_the_url_that_it_was_saved_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere it is not believed, and ARENA_CA goes before it."""
    save_credentials("https://arena.test", "secret", Path("/somewhere/ca.crt"))
    assert find_credentials().ca == Path("/somewhere/ca.crt")
    assert find_credentials("https://arena.test/").ca == Path("/somewhere/ca.crt")
    assert find_credentials("https://elsewhere.test").ca is None
    monkeypatch.setenv("ARENA_CA", "other.crt")
    assert find_credentials().ca == find_credentials("https://elsewhere.test").ca == Path("other.crt")
