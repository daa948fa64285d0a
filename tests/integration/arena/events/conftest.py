"""A broker's server, the application on SQLite, and a feed of the world's database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from arena.events.bell import Bell
from arena.events.feed import Feed
from arena.store import events
from arena.store.database import Database
from arena.store.models.event_types import Announced
from tests.integration.arena.coordinator.conftest import server
from tests.integration.arena.events.following import Announce, Run, Server
from tests.integration.arena.site import site
from tests.integration.arena.world import World

__all__ = ["server", "site"]


@pytest.fixture
def run(world: World, server: Server) -> Run:
    """Runs a scenario with a feed of the world's database."""

    def run(scenario: Callable[[Feed], Awaitable[None]]) -> None:
        async def whole() -> None:
            database = Database(world.database.engine.url.render_as_string(hide_password=False))
            made = Feed(database, f"redis+socket://{server[0]}")
            try:
                await scenario(made)
            finally:
                await made.close()

        asyncio.run(whole())

    return run


@pytest.fixture
def announce(world: World, server: Server) -> Announce:
    """Announces texts, and rings."""

    def announce(*texts: str, quietly: bool = False) -> None:
        with world.database.transaction() as session:
            for text in texts:
                events.log(session, Announced(text))
        bell = Bell(f"redis+socket://{server[0]}")
        if not quietly:
            bell.ring()
        bell.close()

    return announce
