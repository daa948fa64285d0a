"""How many games a chunk has."""

from __future__ import annotations

import pytest

from arena.core.clock import utc_now
from arena.experiments import lifecycle
from tests.integration.arena.lab import Lab


@pytest.mark.parametrize(
    ("seconds", "size"), [(0.02, 3200), (0.4, 2000), (3.2, 250), (4, 200), (6.4, 124), (18, 100)]
)
def test_chunks_become_as_long_as_they_should_be(lab: Lab, seconds: float, size: int) -> None:
    """Sizes follow the time that a chunk took, from a half to 16 times the present one, and stay even."""
    lab.create(games=100_000, chunk=None)
    with lab.world.database.transaction() as session:
        lifecycle.get(session, 1).chunk = 200
    first, *_ = lab.issue()
    lab.record(first, seconds=seconds)
    assert lab.get().chunk == size


@pytest.mark.parametrize("stop", [None, 0.0001])
def test_recorded_games_bound_a_chunk_whatever_may_stop_it(lab: Lab, stop: float | None) -> None:
    """However quick its games are, a chunk that brings them along has a thousand at most."""
    lab.create(games=100_000, chunk=None, record_games=True, stop_when_ci=stop)
    with lab.world.database.transaction() as session:
        lifecycle.get(session, 1).chunk = 1000
    first, *_ = lab.issue()
    lab.record(first, seconds=0.001)
    assert lab.get().chunk == 1000


def test_few_chunks_find_out_how_long_they_should_be(lab: Lab) -> None:
    """As long as nothing is known of an experiment's speed, a handful of chunks is all that is given out."""
    lab.create(games=10**9, chunk=None)
    with lab.world.database.transaction() as session:
        lifecycle.get(session, 1).chunk = 200
    first, *rest = lab.issue()
    assert len(rest) == 3
    assert lab.issue() == []
    lab.record(first, seconds=0.001)
    later = lab.issue()
    assert {message.count for message in later} == {16 * first.count}


def test_the_last_chunks_get_shorter(lab: Lab) -> None:
    """Towards the end a chunk is a quarter of what is left, but not less than a quarter of a whole one."""
    lab.create(games=10_000, chunk=None)
    with lab.world.database.transaction() as session:
        lifecycle.get(session, 1).chunk = 1600
        lifecycle.get(session, 1).recorded_at = utc_now()
    messages = lab.issue(chunk_window=1000)
    counts = [message.count for message in messages]
    assert sum(counts) == 10_000
    assert counts[:5] == [1600, 1600, 1600, 1300, 974]
    assert counts == sorted(counts, reverse=True)
    assert set(counts[-4:-1]) == {400}


def test_a_size_that_was_asked_for_stays(lab: Lab) -> None:
    """A chunk of its own size is made even, so that pairs of games stay together, and kept."""
    lab.create(chunk=21)
    first, *_ = lab.issue()
    lab.record(first, seconds=0.001)
    assert (first.count, lab.get().chunk) == (20, 20)
