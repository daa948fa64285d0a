"""A site for each file of tests, whose bots have users and slots that no other test process uses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.harness import SECRET, WAYS, Site, Way, own_users, site
from workers.core.settings import get_settings


def long_but_for(way: Way) -> tuple[pytest.MarkDecorator, ...]:
    """The marks of a test of that way: none for the strongest one."""
    return () if way.strongest else (pytest.mark.long,)


@pytest.fixture(scope="module")
def place() -> Iterator[Site]:
    """Where the matches are played; settings are those of other tests again afterwards."""
    with pytest.MonkeyPatch.context() as patch, own_users() as first:
        patch.setenv("ARENA_SLOT_UID", str(first))
        patch.setenv("HOSTILE_SECRET", SECRET)
        get_settings.cache_clear()
        with site() as made:
            yield made
    get_settings.cache_clear()


EVERY_WAY = [pytest.param(way, id=way.name, marks=long_but_for(way)) for way in WAYS]
NUMBERED = [pytest.param(n, id=way.name, marks=long_but_for(way)) for n, way in enumerate(WAYS)]


@pytest.fixture(params=EVERY_WAY)
def way(request: pytest.FixtureRequest) -> Way:
    """Each way to confine bots; those that this host does not offer are skipped with the reason."""
    found: Way = request.param
    if (trouble := found.trouble) is not None:
        pytest.skip(f"{found.name}: {trouble}")
    return found
