"""A site that people use, for pages that need somebody signed in."""

from __future__ import annotations

import pytest

from tests.integration.arena.roles import settle
from tests.integration.arena.site import Site


@pytest.fixture
def used(site: Site) -> Site:
    """A site with somebody of every role."""
    settle(site)
    return site
