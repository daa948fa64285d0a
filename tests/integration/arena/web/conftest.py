"""The application on SQLite, ready to be asked."""

from __future__ import annotations

from tests.integration.arena.site import site

__all__ = ["site"]
