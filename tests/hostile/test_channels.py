"""Bots that would cooperate: what one leaves, the other must not find."""

from __future__ import annotations

import pytest

from tests.hostile.harness import Site, Way
from tests.hostile.host import look

pytestmark = pytest.mark.usefixtures("alone_at_a_page")


def test_nothing_goes_from_one_bot_to_another(way: Way, place: Site) -> None:
    """By files, sockets, locks, signals, memory, queues or keys; in one match or from it to the next."""
    before = look(place.uids, place.place)
    place.check_pair(way.confinement())
    assert look(place.uids, place.place).left_since(before) == {}


@pytest.mark.xfail(strict=True, reason="what waits at a page of the host's can be woken by all who map it")
def test_nothing_goes_from_one_match_to_another_at_the_same_moment(way: Way, place: Site) -> None:
    """It can be done, by a futex: nothing keeps bots apart there that run at once. See docs/sandbox.md."""
    assert place.check_at_once(way.confinement()) == "nothing"
