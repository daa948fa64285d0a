"""Every hostile bot, at every level of confinement that the host offers."""

from __future__ import annotations

import pytest

from tests.hostile.bots.kit import CASES
from tests.hostile.harness import GROUPS, Site, Way

NAMES = [name for name in CASES if name.partition(".")[0] in GROUPS]


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_bot_ends_as_it_may_and_leaves_nothing(name: str, way: Way, place: Site) -> None:
    """Each is refused what it tries, harms nobody, and leaves the host as it was."""
    place.check(CASES[name], way.confinement())
