"""Parts that answer and take nothing: it is said everywhere what stands still and why, and it goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest
import redis

from arena.core.folder import DataFolder
from arena.supervisor.launch import troubles
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.small_disk import mounted


def _page(arena: Arena) -> str:
    return httpx.get(arena.state.url, timeout=30).text


def _log(arena: Arena) -> str:
    return arena.folder.log_of("coordinator").read_text(encoding="utf-8")


def test_a_process_that_ended_is_no_health(make_arena: MakeArena) -> None:
    """`status` tells of a worker that was killed, although it was started again and the API is well."""
    arena = make_arena(1)
    arena.command("status")
    arena.kill("worker-1")
    status = arena.command("status", check=False)
    assert (status.returncode, "not healthy" in status.stdout) == (1, True)
    assert "worker-1 ended (signal SIGKILL)" in status.stderr


def _stands_still(arena: Arena, part: str, why: str, logged: str = "") -> None:
    """Health, `arena status`, a page and the coordinator's log say so."""
    eventually(lambda: part in troubles(arena.state.url), 60)
    status = arena.command("status", check=False)
    assert status.returncode == 1
    assert "not healthy" in status.stdout
    assert why in status.stderr
    assert 'role="alert"' in _page(arena)
    if logged:
        eventually(lambda: logged in _log(arena), 90)


def _goes_on(arena: Arena) -> None:
    eventually(arena.healthy, 60)
    eventually(lambda: arena.command("status", check=False).returncode == 0, 60)
    assert 'role="alert"' not in _page(arena)


@pytest.mark.long
def test_what_stands_still_is_said(make_arena: MakeArena) -> None:
    """A broker without room and a locked database: said while it lasts, and who would write hears "busy"."""
    arena = make_arena(0)
    with closing(redis.Redis(unix_socket_path=str(arena.folder.run / "valkey.sock"))) as broker:
        broker.config_set("maxmemory", "1mb")
        _stands_still(arena, "broker", "the memory of the broker is full", "memory is full")
        broker.config_set("maxmemory", 0)
    _goes_on(arena)
    with closing(sqlite3.connect(arena.folder.root / "arena.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        created = arena.command("tournament", "create", "class", check=False)
        assert (created.returncode, "busy" in created.stderr) == (1, True), created.stderr
        assert "arena up" not in created.stderr
        _stands_still(arena, "database", "another program has locked the database", "database is locked")
        other.execute("ROLLBACK")
    _goes_on(arena)
    arena.command("tournament", "create", "class")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 32 MB."""
    folder = tmp_path / "arena0"
    folder.mkdir()
    with mounted(folder, "32m"):
        yield folder


def test_a_full_disk_is_said(small_disk: Path, make_arena: MakeArena) -> None:
    """With no room left under the data folder nobody is told that all is well."""
    arena = make_arena(0)
    assert arena.folder == DataFolder(small_disk)
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    _stands_still(arena, "archives", "the disk of the bots' archives is full")
    ballast.unlink()
    _goes_on(arena)
