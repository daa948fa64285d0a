"""Backups that are damaged, changed or of another version."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text

from arena.administration import restoring
from arena.administration.bundle import MANIFEST
from arena.administration.opening import Opened
from arena.core.errors import UnusableError
from arena.core.folder import DataFolder
from arena.store.condition import revisions
from arena.store.database import Database
from tests.integration.arena.administration.conftest import Targets, rows_of, written
from tests.integration.arena.world import World


def _changed(source: Path, target: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """The same backup with another content of one of its files."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for each in old.namelist():
            new.writestr(each, change(old.read(each)) if each == name else old.read(each))


def _replaced(old: bytes, new: bytes, content: bytes) -> bytes:
    return content.replace(old, new)


@pytest.mark.parametrize("name", ["tables/results.jsonl", "folder/admin-token", MANIFEST])
def test_a_changed_backup_is_refused_by_the_place(
    arena: Opened, tmp_path: Path, targets: Targets, name: str
) -> None:
    """What was changed is named, and nothing is made of it."""
    source, changed = written(arena, tmp_path / "all.zip"), tmp_path / "changed.zip"
    _changed(source, changed, name, partial(_replaced, b"e", b"3"))
    restored = targets("sqlite")
    with pytest.raises(UnusableError, match=f"damaged at {name}"):
        restoring.restore(changed, DataFolder(tmp_path / "new"))
    assert restored.is_empty
    assert not (tmp_path / "new").exists()


def test_a_damaged_or_cut_backup_is_refused(arena: Opened, tmp_path: Path, targets: Targets) -> None:
    """One byte that is not what it was, an end that is missing, and something else are each told."""
    source = written(arena, tmp_path / "all.zip")
    content = bytearray(source.read_bytes())
    with zipfile.ZipFile(source) as archive:
        place = archive.getinfo("tables/events.jsonl")
        at = place.header_offset + 100 + place.compress_size // 2
    content[at] ^= 0xFF
    bad = tmp_path / "bad.zip"
    bad.write_bytes(content)
    targets("sqlite")
    with pytest.raises(UnusableError, match=r"damaged at tables/events.jsonl"):
        restoring.restore(bad, DataFolder(tmp_path / "new"))
    bad.write_bytes(source.read_bytes()[: len(content) // 2])
    with pytest.raises(UnusableError, match="cut off"):
        restoring.restore(bad, DataFolder(tmp_path / "new"))
    with pytest.raises(UnusableError, match="cannot be read"):
        restoring.restore(tmp_path / "nowhere.zip", DataFolder(tmp_path / "new"))
    with zipfile.ZipFile(bad, "w") as other:
        other.writestr("a", "b")
    with pytest.raises(UnusableError, match="is no backup of an arena"):
        restoring.restore(bad, DataFolder(tmp_path / "new"))


def test_a_backup_of_a_newer_version_is_refused(arena: Opened, tmp_path: Path, targets: Targets) -> None:
    """One sentence says which version it is of: by its tables, or by the form of the backup itself."""
    source, newer = written(arena, tmp_path / "all.zip"), tmp_path / "newer.zip"
    targets("sqlite")
    for old, new in ((f'"{max(revisions())}"', '"9999"'), ('"format": 1', '"format": 9')):
        _changed(source, newer, MANIFEST, partial(_replaced, old.encode(), new.encode()))
        with pytest.raises(UnusableError, match="newer version of the arena"):
            restoring.restore(newer, DataFolder(tmp_path / "new"))


def test_a_backup_of_an_older_version_is_brought_up(
    world: World, tmp_path: Path, targets: Targets, empty_url: str
) -> None:
    """Tables of before are read as they are, made anew as they were, and then migrated."""
    old = Database(empty_url)
    with old._migrating() as (connection, upgrade):
        upgrade("0024")
        connection.execute(
            text(
                "INSERT INTO users (name, role, created_at, is_leader)"
                " VALUES ('of-before', 'team', '2026-01-02 03:04:05.678901', :no)"
            ),
            {"no": False},
        )
    folder = DataFolder(tmp_path / "old")
    folder.make()
    source = written(Opened(folder, world.settings, old), tmp_path / "all.zip")
    old.close()
    restored = targets("sqlite")
    restoring.restore(source, DataFolder(tmp_path / "new"))
    assert restored.outstanding() == []
    (user,) = rows_of(restored)["users"]
    assert user[1:4] == ["of-before", "team", "2026-01-02T03:04:05.678901"]


def test_a_list_that_asks_for_a_later_zip_is_damage(arena: Opened, tmp_path: Path) -> None:
    """A byte of the zip's own list makes it one that no program here reads: it is told in a sentence."""
    content = bytearray(written(arena, tmp_path / "all.zip").read_bytes())
    content[content.rindex(b"PK\x01\x02") + 6] = 200
    bad = tmp_path / "bad.zip"
    bad.write_bytes(content)
    with pytest.raises(UnusableError, match="is damaged in the list at its end"):
        restoring.restore(bad, DataFolder(tmp_path / "new"))
