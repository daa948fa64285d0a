"""Time stands still for leases, unless a test moves it; a published match, and a broker's server."""

from __future__ import annotations

import datetime as dt
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.coordinator import (
    broker,
    checks,
    learning,
    leases,
    moves,
    repeats,
    reviews,
    scrimmages,
    solving,
)
from arena.coordinator.messages import Message
from arena.core.clock import utc_now
from tests.integration.arena import ticking
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import World, issue_matches
from tests.valkey import valkey

PATIENCE_SECONDS = 300


@pytest.fixture(autouse=True)
def now() -> Iterator[dt.datetime]:
    """The moment at which leases are given and every `Later` begins, however long the test takes."""
    moment = utc_now()
    with pytest.MonkeyPatch.context() as patch:
        for module in (leases, checks, learning, moves, repeats, reviews, scrimmages, solving, ticking):
            patch.setattr(module, "utc_now", lambda: moment)
        yield moment


@pytest.fixture
def lab(world: World) -> Lab:
    """A laboratory on a migrated database, once of each kind."""
    return Lab(world)


@pytest.fixture
def message(world: World) -> Message:
    """A published match."""
    world.tournament(bots=2)
    with world.database.transaction() as session:
        (published, *_) = issue_matches(session, world.settings)
    return published


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """A Valkey server on a Unix socket, which is given time to answer; the socket and the process."""
    monkeypatch.setattr(broker, "TIMEOUT_SECONDS", PATIENCE_SECONDS)
    with tempfile.TemporaryDirectory(prefix="arena-") as folder, valkey(Path(folder)) as running:
        yield running
