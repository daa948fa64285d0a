"""Parts that answer and take nothing: it is said everywhere what stands still and why, and it goes on."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import httpx2
import pytest
import redis

from arena.core.folder import DataFolder
from arena.supervisor.launch import troubles
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena, eventually
from tests.small_disk import mounted
from tests.valkey import valkey

pytestmark = pytest.mark.long


def _warns(arena: Arena) -> bool:
    return 'role="alert"' in httpx2.get(arena.state.url, timeout=PATIENCE).text


def _log(arena: Arena) -> str:
    return arena.folder.log_of("coordinator").read_text(encoding="utf-8")


def _is_well(arena: Arena) -> bool:
    return arena.command("status", check=False).returncode == 0


def _status_tells(arena: Arena, why: str) -> bool:
    status = arena.command("status", check=False)
    return (status.returncode, "not healthy" in status.stdout, why in status.stderr) == (1, True, True)


def test_a_process_that_ended_is_no_health(make_arena: MakeArena) -> None:
    """`status` tells of a worker that was killed, although it was started again and the API is well.

    It does so for half a minute; where that is over before it is asked, the worker is killed once more.
    """
    arena = make_arena(1)
    eventually(lambda: _is_well(arena))

    def is_told() -> bool:
        arena.kill("worker-1")
        return _status_tells(arena, "worker-1 ended (signal SIGKILL)")

    eventually(is_told)


def _stands_still(arena: Arena, part: str, why: str, logged: str = "") -> None:
    """Health, `arena status`, a page and the coordinator's log say so."""
    eventually(lambda: part in troubles(arena.state.url))
    eventually(lambda: _status_tells(arena, why))
    eventually(lambda: _warns(arena))
    if logged:
        eventually(lambda: logged in _log(arena))


def _goes_on(arena: Arena) -> None:
    eventually(arena.healthy)
    eventually(lambda: _is_well(arena))
    eventually(lambda: not _warns(arena))


@pytest.fixture
def own_broker() -> Iterator[Path]:
    """A broker whose settings can be changed, which those of the embedded one cannot; its socket."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder, valkey(Path(folder)) as (socket, _):
        yield socket


def test_what_stands_still_is_said(own_broker: Path, make_arena: MakeArena) -> None:
    """A broker without room and a locked database: said while it lasts, and who would write hears "busy"."""
    arena = make_arena(0, ARENA_BROKER_URL=f"redis+socket://{own_broker}")
    with closing(redis.Redis(unix_socket_path=str(own_broker))) as broker:
        broker.config_set("maxmemory", "1mb")
        _stands_still(arena, "broker", "the memory of the broker is full", "memory is full")
        broker.config_set("maxmemory", 0)
    _goes_on(arena)
    file = arena.folder.root / "arena.sqlite3"
    with (
        closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as other,
        ThreadPoolExecutor(1) as beside,
    ):
        other.execute("BEGIN EXCLUSIVE")
        creating = beside.submit(arena.command, "tournament", "create", "class", check=False)
        _stands_still(arena, "database", "another program has locked the database", "database is locked")
        created = creating.result()
        assert (created.returncode, "busy" in created.stderr) == (1, True), created.stderr
        assert "arena up" not in created.stderr
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

    def is_full() -> bool:
        """What the arena has just given back is taken too."""
        with ballast.open("ab", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        return "archives" in troubles(arena.state.url)

    eventually(is_full)
    _stands_still(arena, "archives", "the disk of the bots' archives is full")
    ballast.unlink()
    _goes_on(arena)
