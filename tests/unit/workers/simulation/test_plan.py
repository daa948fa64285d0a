"""Which chunks are played, and how long they are."""

from __future__ import annotations

import pytest

from tests.unit.workers.simulation.specs import spec_of
from workers.simulation.chunks import RECORDED_CHUNK, play_chunk
from workers.simulation.plan import FARTHEST, LARGEST_CHUNK, Plan
from workers.simulation.prefix import Prefix


def _all(plan: Plan) -> list[tuple[int, int]]:
    found = []
    while chunk := plan.next():
        found.append(chunk)
    return found


@pytest.mark.parametrize(("games", "chunk"), [(1, 10), (10, 3), (101, 10), (100, 100)])
def test_the_chunks_are_all_games(games: int, chunk: int) -> None:
    """They lie without gaps from the first game to the last, and begin with even indices."""
    chunks = _all(Plan(spec_of(games=games), Prefix(), 2, chunk))
    assert [start for start, _ in chunks] == [0, *(start + count for start, count in chunks)][:-1]
    assert sum(count for _, count in chunks) == games
    assert all(start % 2 == 0 for start, _ in chunks)


def test_only_what_is_missing_is_played() -> None:
    """What is counted and what waits is left out."""
    spec = spec_of(games=100)
    prefix = Prefix()
    for start in (0, 20, 60):
        for block in play_chunk(spec, start, 10):
            prefix.add(block)
    assert _all(Plan(spec, prefix, 1, 20)) == [(10, 10), (30, 20), (50, 10), (70, 20), (90, 10)]


def test_no_chunk_begins_too_far_ahead() -> None:
    """While the first chunk is missing, only so many others are given out: memory stays bounded."""
    spec = spec_of(games=10**6)
    prefix = Prefix()
    plan = Plan(spec, prefix, 1, 10)
    assert len(_all(plan)) == FARTHEST + 1
    prefix.add(play_chunk(spec, 0, 10)[0])
    assert len(_all(plan)) == 1


def test_the_length_follows_the_time() -> None:
    """Quick chunks grow at most fourfold and to a bound, slow ones shrink to a pair of games."""
    plan = Plan(spec_of("rhombic_chess", games=10**9), Prefix(), 1)
    sizes = []
    for _ in range(5):
        chunk = plan.next()
        assert chunk is not None
        sizes.append(chunk[1])
        plan.took(chunk[1], 0.001)
    assert sizes == [50_000, 200_000, 800_000, LARGEST_CHUNK, LARGEST_CHUNK]
    plan.took(LARGEST_CHUNK, 10**7)
    assert plan.next() == (sum(sizes), 2)
    plan.took(2, 0.001)
    assert plan.next() == (sum(sizes) + 2, 8)


def test_kept_games_make_short_chunks() -> None:
    """Games that are kept take memory, so their chunks do not grow."""
    plan = Plan(spec_of(games=10**6, record_games=True), Prefix(), 1)
    plan.took(10**5, 0.001)
    assert plan.next() == (0, RECORDED_CHUNK)


def test_a_length_that_was_asked_for_stays() -> None:
    """With a chunk given, time changes nothing; an odd one is made even."""
    plan = Plan(spec_of(games=10**6), Prefix(), 1, 101)
    plan.took(100, 0.0)
    assert plan.next() == (0, 100)


def test_nothing_is_played_after_the_end() -> None:
    """Once the rule has stopped the simulation, there are no more chunks."""
    spec = spec_of(games=5000)
    prefix = Prefix(stop=lambda _: True)
    plan = Plan(spec, prefix, 1, 1000)
    assert plan.next() == (0, 1000)
    for block in play_chunk(spec, 0, 1000):
        prefix.add(block)
    assert plan.next() is None
