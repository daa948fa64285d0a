"""Work that nobody has any more: messages that are gone, and what a stopped worker gives back."""

from __future__ import annotations

from typing import Any

from arena.coordinator import chunks, leases
from arena.coordinator.leases import Verdict
from arena.coordinator.loop import GONE_SECONDS
from arena.core.terms import MatchState
from arena.experiments import lifecycle
from arena.submissions import checks as service
from arena.submissions import versions
from tests.integration.arena.lab import SPEC, Lab, whole
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World, taken

HOUR = 3600.0


def test_what_is_gone_is_put_back_long_before_its_lease_ends(world: World) -> None:
    """Messages that nobody has are sent anew as soon as two looks agree; matches in play are left alone."""
    world.tournament(bots=3)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    playing = world.broker.queue.pop()
    world.heartbeat(playing)
    world.broker.queue.clear()
    coordinator.tick()
    assert world.broker.queue == []
    clock.seconds += GONE_SECONDS
    coordinator.tick()
    assert [message.attempt for message in world.broker.queue] == [2, 2]
    assert [match.lost for match in world.matches()] == [0, 0, 0]
    assert world.record(playing) == Verdict.TAKEN


def test_a_message_that_a_worker_has_just_taken_is_not_gone(world: World) -> None:
    """Before its first sign of life it is in no queue; it is the worker's, or in a report, for a lease."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    message = world.broker.queue.pop()
    world.broker.taken.add(message.token)
    live(coordinator, clock, world.settings.lease_seconds / 3)
    world.broker.taken.clear()
    world.broker.reported = 1
    live(coordinator, clock, 3 * GONE_SECONDS)
    assert world.match().attempt == 1
    assert world.heartbeat(message) == Verdict.TAKEN
    world.broker.reported = 0
    coordinator.tick()
    clock.seconds += GONE_SECONDS
    coordinator.tick()
    assert (world.match().state, world.match().attempt) == (MatchState.RUNNING, 1)
    assert world.record(message) == Verdict.TAKEN


def test_a_worker_that_has_what_was_put_back_plays_for_nothing(world: World) -> None:
    """Whoever is at an attempt that was given out anew is refused, alive or done; the new one counts once."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    old = world.broker.queue.pop()
    coordinator.tick()
    clock.seconds += GONE_SECONDS
    coordinator.tick()
    (new,) = world.broker.queue
    assert world.heartbeat(old) == world.record(old) == Verdict.REFUSED
    assert world.record(new) == Verdict.TAKEN
    assert world.record(old) == Verdict.REFUSED
    assert [each.games for each in world.leaderboard()] == [1, 1]


def test_after_an_absence_messages_are_looked_for_anew(world: World) -> None:
    """What was missing before the broker was away is not gone at once when it is back."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    world.broker.queue.clear()
    coordinator.tick()
    clock.seconds += HOUR
    coordinator.tick()
    assert world.broker.queue == []
    clock.seconds += GONE_SECONDS
    coordinator.tick()
    assert [message.attempt for message in world.broker.queue] == [2]


def test_a_check_whose_message_is_gone_is_given_out_again(world: World) -> None:
    """A check whose message is gone from the queue is given out once more after a while."""
    with world.database.transaction() as session:
        service.begin(session, versions.get_version(session, world.bot(session, "comet")))
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    world.broker.checks.clear()
    coordinator.tick()
    clock.seconds += GONE_SECONDS
    coordinator.tick()
    assert [message.attempt for message in world.broker.checks] == [2]


def test_chunks_that_nobody_has_are_put_back_long_before_their_leases_end(world: World) -> None:
    """Those in play are left alone, and the experiment comes to the same."""
    lab = Lab(world)
    lab.create()
    clock = Later()
    ticking = coordinator_of(world, clock)
    ticking.tick()
    playing = world.broker.chunks.pop()
    lab.heartbeat(playing)
    world.broker.chunks.clear()
    ticking.tick()
    clock.seconds += GONE_SECONDS
    ticking.tick()
    again = world.broker.chunks
    assert [message.attempt for message in again] == [2] * 4
    assert [lab.record(message) for message in (playing, *again)] == [Verdict.TAKEN] * 5
    assert lifecycle.tally_of(lab.get()) == whole(SPEC).tally


def test_a_stopped_worker_gives_its_chunk_back(world: World) -> None:
    """That is no loss, neither of the chunk nor of its experiment."""
    lab = Lab(world)
    lab.create()
    (message, *_) = lab.issue()
    lab.heartbeat(message)
    about = leases.Attempt((message.experiment, message.start), message.attempt, message.token)
    with world.database.transaction() as session:
        told: dict[str, Any] = {"host": "h", "trouble": "the worker was stopped", "stopped": True}
        lost = taken(leases.lost, chunks.WORK, session, about, **told, settings=world.settings)
        assert lost == Verdict.TAKEN
    (first, *_) = lab.chunks()
    assert (first.state, first.lost, lab.get().lost, lab.get().trouble) == (MatchState.PENDING, 0, 0, None)
