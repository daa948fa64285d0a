"""Commands that start processes or reach a server are run as all others are, with time for a busy machine."""

from __future__ import annotations

import pytest

from tests.unit.arena.cli.conftest import bots, chinese, journals, run, simulate, unused_port
from workers.play.session import Session

__all__ = ["bots", "chinese", "journals", "run", "simulate", "unused_port"]

AMPLE = ("--time", "600s", "--startup", "600s")
"""Time that no bot of a match needs."""
SIZE4 = ("--param", "size=4", *AMPLE)
"""A small board besides."""


@pytest.fixture
def time_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that this process asks get ready in time, also where no option gives them any."""
    ready = Session.ready
    monkeypatch.setattr(Session, "ready", lambda session, _: ready(session, 600_000))
