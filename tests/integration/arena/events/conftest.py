"""A broker's server, and the application on SQLite."""

from __future__ import annotations

from tests.integration.arena.coordinator.conftest import server
from tests.integration.arena.site import site

__all__ = ["server", "site"]
