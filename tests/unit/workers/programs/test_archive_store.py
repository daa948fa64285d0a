"""How archives are kept, and unpacked on a host."""

from __future__ import annotations

import io
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import obstore
import pytest

from workers.core.errors import (
    ArchiveMissingError,
    ArchiveUnwritableError,
    ForeignFolderError,
)
from workers.programs.archive_cache import ArchiveCache
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive, content_hash


def test_a_store_gives_back_what_it_was_given(tmp_path: Path) -> None:
    """An archive is found under its hash; putting it again changes nothing."""
    store = ArchiveStore(f"file://{tmp_path}/store")
    archive = canonical_archive("bot.py", b"print(1)")
    sha = store.put(archive)
    assert sha == store.put(archive) == content_hash(archive)
    assert store.get(sha) == archive


def test_a_store_lists_and_lets_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only archives are listed; one that is gone may be removed again, and a store that fails is told."""
    store = ArchiveStore(f"file://{tmp_path}/store")
    sha, other = store.put(b"one"), store.put(b"two")
    store.try_writing()
    (tmp_path / "store" / "notes.zip").write_bytes(b"")
    assert store.hashes() == {sha, other}
    for _ in range(2):
        store.remove(sha)
    assert store.hashes() == {other}

    def refuse(*_: Any) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(obstore, "delete", refuse)
    monkeypatch.setattr(obstore, "list", refuse)
    with pytest.raises(ArchiveUnwritableError, match="lets nothing go: the disk is gone"):
        store.remove(other)
    with pytest.raises(ArchiveMissingError, match="cannot be read"):
        store.hashes()


def test_a_missing_or_damaged_archive_is_our_fault_and_said(tmp_path: Path) -> None:
    """What the store cannot give is an error of ours, never an empty bot."""
    store = ArchiveStore(f"file://{tmp_path}/store")
    with pytest.raises(ArchiveMissingError, match="no archive"):
        store.get("0" * 64)
    sha = store.put(b"something")
    (tmp_path / "store" / f"{sha}.zip").write_bytes(b"something else")
    with pytest.raises(ArchiveMissingError, match="damaged"):
        store.get(sha)


def test_a_cache_unpacks_once_even_when_asked_at_once(tmp_path: Path) -> None:
    """Processes that race for the same archive end with one good read-only folder and no leftovers."""
    store = ArchiveStore(f"file://{tmp_path}/store")
    upload = io.BytesIO()
    with zipfile.ZipFile(upload, "w") as files:
        files.writestr("main.py", b"a")
        files.writestr("lib/x.py", b"b")
    sha = store.put(canonical_archive("b.zip", upload.getvalue()))
    with ThreadPoolExecutor(8) as threads:
        folders = set(threads.map(lambda _: ArchiveCache(store, tmp_path / "cache").unpacked(sha), range(16)))
    (folder,) = folders
    assert {path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()} == {0o444}
    assert {path.stat().st_mode & 0o777 for path in (folder, folder / "lib")} == {0o555}
    assert (folder / "lib/x.py").read_bytes() == b"b"
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [sha]


def test_nobody_else_can_read_what_is_unpacked(tmp_path: Path) -> None:
    """A cache or a store is closed, also where others could enter it before; a stranger's is not used."""
    store = ArchiveStore(f"file://{tmp_path}/store")
    sha = store.put(canonical_archive("bot.py", b"print()"))
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o755)
    ArchiveCache(store, cache).unpacked(sha)
    assert {folder.stat().st_mode & 0o777 for folder in (cache, tmp_path / "store")} == {0o700}
    if os.geteuid() == 0:
        os.chown(cache, 1234, 1234)
        with pytest.raises(ForeignFolderError, match=r"1234.*ARENA_CACHE_DIR"):
            ArchiveCache(store, cache).unpacked(sha)
