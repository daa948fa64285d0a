"""The application on SQLite, ready to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient

from arena.api.app import create_app
from tests.unit.arena.site import Site, make_site
from tests.unit.arena.world import World


@pytest.fixture
def site(sqlite_world: Callable[[], World]) -> Iterator[Site]:
    """The site with its users and bots, and no tournament."""
    world = sqlite_world()
    settings = world.settings.model_copy(update={"database_url": str(world.database.engine.url)})
    with TestClient(create_app(settings, world.broker), raise_server_exceptions=False) as client:
        yield make_site(world, client)
