"""A site with matches that were parked and somebody of every role, and what they ask of the staff's pages."""

from __future__ import annotations

from typing import Any

import pytest

from arena.coordinator import leases
from arena.coordinator import matches as match_work
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.world import World, issue_matches

TROUBLE = "<b>no room</b>"


@pytest.fixture
def parked(site: Site) -> Site:
    """A site whose tournament has two matches that were lost too often, and somebody of every role."""
    start_cup(site)
    lose_all(site.world)
    settle(site)
    return site


def lose_all(world: World) -> None:
    """Have a host lose the matches that are given out now, so that they are parked."""
    never = world.settings.model_copy(update={"max_lost": 0})
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    for message in messages:
        world.heartbeat(message, "pc-7")
        with world.database.transaction() as session:
            attempt = leases.Attempt((int(message.spec.match),), message.attempt, message.token)
            told = {"host": "pc-7", "trouble": TROUBLE}
            leases.take_in(leases.lost, match_work.WORK, session, [(attempt, told)], never)


def get(site: Site, path: str, user: str, **headers: str) -> Any:
    """What a page answers that user."""
    return site.client.get(path, headers=sign_in(site, user) | headers)


def post(site: Site, path: str, user: str, **form: str) -> Any:
    """What is answered to that user's form."""
    return site.client.post(path, headers=sign_in(site, user), data=form, follow_redirects=False)
