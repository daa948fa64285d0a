"""Commands that start processes or reach a server are run as all others are."""

from __future__ import annotations

from tests.unit.arena.cli.conftest import bots, journals, run, simulate, unused_port

__all__ = ["bots", "journals", "run", "simulate", "unused_port"]
