"""Bots that would cooperate: what one leaves, the other must not find."""

from __future__ import annotations

from tests.hostile.harness import Site, Way
from tests.hostile.host import look


def test_nothing_goes_from_one_bot_to_another(way: Way, place: Site) -> None:
    """By files, sockets, locks, signals, memory, queues or keys; in one match or from it to the next."""
    before = look(place.uids, place.place)
    place.check_pair(way.confinement())
    assert look(place.uids, place.place).left_since(before) == {}
