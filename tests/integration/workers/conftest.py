"""The bots of the workers' tests, here for those that start them."""

from __future__ import annotations

from tests.unit.workers.conftest import bot, honest, nothing_lost

__all__ = ["bot", "honest", "nothing_lost"]
