"""Time stands still for leases, unless a test moves it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from arena.coordinator import checks, leases
from arena.core.clock import utc_now
from tests.integration.arena import ticking
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import World


@pytest.fixture(autouse=True)
def now() -> Iterator[dt.datetime]:
    """The moment at which leases are given and every `Later` begins, however long the test takes."""
    moment = utc_now()
    with pytest.MonkeyPatch.context() as patch:
        for module in (leases, checks, ticking):
            patch.setattr(module, "utc_now", lambda: moment)
        yield moment


@pytest.fixture
def lab(world: World) -> Lab:
    """A laboratory on a migrated database, once of each kind."""
    return Lab(world)
