"""Tournaments and orders side by side: each gets its share of places that become free one at a time."""

from __future__ import annotations

from collections import Counter, deque

import pytest

from arena.coordinator.messages import ChunkMessage, Message
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import World, issue_matches


@pytest.mark.parametrize("window", [1, 2, 4])
def test_experiments_share_places_that_become_free_one_by_one(lab: Lab, window: int) -> None:
    """While one worker takes one chunk after another, the third experiment gets on as the first one does."""
    for _ in range(3):
        lab.create(games=1000)
    queue, taken = deque[ChunkMessage](), Counter[int]()
    for _ in range(24):
        queue += lab.issue(chunk_window=window, chunk_backlog=8)
        message = queue.popleft()
        lab.heartbeat(message)
        lab.record(message)
        taken[message.experiment] += 1
    assert max(taken.values()) - min(taken[number] for number in (1, 2, 3)) <= 2, taken


@pytest.mark.parametrize("window", [1, 2, 4])
def test_tournaments_share_places_that_become_free_one_by_one(world: World, window: int) -> None:
    """While one worker takes one match after another, the third tournament gets on as the first one does."""
    for name in ("one", "two", "three"):
        world.tournament(name, bots=4)
    settings = world.settings.model_copy(update={"window": window})
    queue, taken = deque[Message](), Counter[str]()
    for _ in range(12):
        with world.database.transaction() as session:
            queue += issue_matches(session, settings)
        message = queue.popleft()
        world.heartbeat(message)
        world.record(message)
        taken[message.spec.bots[0].name.partition("-")[0]] += 1
    assert len(taken) == 3
    assert max(taken.values()) - min(taken.values()) <= 2, taken


def test_a_long_order_takes_the_places_for_which_others_have_no_use(lab: Lab) -> None:
    """A place stays empty only where nobody has anything for it."""
    lab.create(games=20)
    lab.create(games=100_000)
    assert Counter(message.experiment for message in lab.issue(chunk_window=4)) == {1: 1, 2: 3}
