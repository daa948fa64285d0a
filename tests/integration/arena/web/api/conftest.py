"""A tournament that can be frozen."""

from __future__ import annotations

import pytest

from tests.integration.arena.roles import settle
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.web.api.hiding import play_some


@pytest.fixture
def frozen(site: Site) -> Site:
    """A cup of twelve games, of which one was played before the freeze, and somebody of every role."""
    start_cup(site, openings=3)
    settle(site)
    play_some(site, 1)
    return site
