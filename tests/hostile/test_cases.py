"""Every hostile bot, at every level of confinement that the host offers."""

from __future__ import annotations

import pytest

from tests.hostile.bots.kit import CASES
from tests.hostile.conftest import long_but_for
from tests.hostile.harness import GROUPS, TALK_ONLY, WAYS, Site, Way

NAMES = [name for name in CASES if name.partition(".")[0] in GROUPS]
MATCHES = [
    pytest.param(name, way, id=f"{way.name}-{name}", marks=long_but_for(way))
    for way in WAYS
    for name in NAMES
    if way.first_of_its_level or name.partition(".")[0] not in TALK_ONLY
]


@pytest.mark.parametrize(("name", "way"), MATCHES)
def test_a_hostile_bot_ends_as_it_may_and_leaves_nothing(name: str, way: Way, place: Site) -> None:
    """Each is refused what it tries, harms nobody, and leaves the host as it was."""
    if way.trouble is not None:
        pytest.skip(way.trouble)
    place.check(CASES[name], way.confinement())
