"""The coordinator: leases, the window, and tournaments that are played to their end."""

from __future__ import annotations

import pytest

from arena.coordinator import leases
from arena.coordinator import matches as coordinator_matches
from arena.coordinator.leases import Verdict
from arena.core.errors import ConflictError
from arena.core.terms import MatchState, TournamentState
from arena.tournaments import lifecycle, matches
from tests.integration.arena.ticking import STEP_SECONDS, Later, coordinator_of, live
from tests.integration.arena.world import World

HOUR = 3600.0


def states(world: World) -> list[str]:
    """The states of all matches."""
    return [match.state for match in world.matches()]


def state_of(world: World, name: str = "cup") -> str:
    """The state of a tournament."""
    with world.database.reading() as session:
        return world.get(session, name).state


def test_a_tournament_is_played_to_its_end(world: World) -> None:
    """Publishing, recording and finishing follow each other until nothing is left."""
    world.tournament(bots=4, format="double_round_robin", openings=1, opening_plies=2)
    coordinator = coordinator_of(world, window=5)
    for _ in range(100):
        coordinator.tick()
        if not world.broker.queue:
            break
        assert len(world.broker.queue) <= 5
        world.record(world.broker.queue.pop(0))
    coordinator.tick()
    assert states(world) == ["finished"] * 24
    assert state_of(world) == TournamentState.FINISHED
    assert [each.games for each in world.leaderboard()] == [12] * 4


def test_the_window_counts_what_waits_not_what_runs(world: World) -> None:
    """However many matches run, the queue is kept filled up to the window and never beyond."""
    world.tournament(bots=4)
    coordinator = coordinator_of(world, window=2)
    coordinator.tick()
    coordinator.tick()
    assert states(world) == ["published"] * 2 + ["pending"] * 4
    for message in world.broker.queue:
        world.heartbeat(message)
    coordinator.tick()
    assert states(world) == ["running"] * 2 + ["published"] * 2 + ["pending"] * 2


def test_running_tournaments_share_the_window(world: World) -> None:
    """A long tournament does not make a short one wait for its end."""
    world.tournament("long", bots=5)
    world.tournament("short", bots=2)
    coordinator_of(world, window=4).tick()
    assert len(world.broker.queue) >= 3
    names = [message.spec.bots[0].name for message in world.broker.queue]
    assert sum(name.startswith("short") for name in names) == 1


def test_a_waiting_message_is_never_issued_again(world: World) -> None:
    """While its message is in the queue a match waits for ever, with the same token."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    live(coordinator, clock, 3 * world.settings.pickup_seconds)
    assert len(world.broker.queue) == 1
    assert world.match().attempt == 1


def test_a_message_that_is_gone_is_issued_again(world: World) -> None:
    """After the pickup lease a match whose message nobody has is published anew, and is not counted lost."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    old = world.broker.queue.pop()
    coordinator.tick()
    assert world.broker.queue == []
    live(coordinator, clock, world.settings.pickup_seconds + 1)
    (new,) = world.broker.queue
    assert (new.attempt, world.match().lost) == (2, 0)
    assert world.record(old) == Verdict.REFUSED
    assert world.record(new) == Verdict.TAKEN


def test_an_emptied_broker_gets_everything_again(world: World) -> None:
    """A broker that lost its queue loses nothing of the tournament."""
    world.tournament(bots=4)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    world.broker.queue.clear()
    live(coordinator, clock, world.settings.pickup_seconds + 1)
    assert sorted(message.spec.match for message in world.broker.queue) == sorted(
        str(match.id) for match in world.matches()
    )


def test_heartbeats_keep_a_match_and_silence_loses_it(world: World) -> None:
    """A running match is kept while heartbeats come and given up when the lease runs out."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    message = world.broker.queue.pop()
    assert world.heartbeat(message, host="far-away") == Verdict.TAKEN
    live(coordinator, clock, world.settings.lease_seconds - 5)
    assert states(world) == ["running"]
    live(coordinator, clock, 6)
    match = world.match()
    assert (match.state, match.lost, match.attempt) == (MatchState.PUBLISHED, 1, 2)
    assert match.trouble == "no sign of life from far-away for 30 s"


def test_a_parked_match_keeps_the_tournament_open_until_it_is_retried(world: World) -> None:
    """Silence too often parks a match; the staff's retry brings it back and the tournament ends."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock, max_lost=0)
    coordinator.tick()
    world.heartbeat(world.broker.queue.pop())
    live(coordinator, clock, world.settings.lease_seconds + 1)
    assert states(world) == ["parked"]
    assert state_of(world) == TournamentState.RUNNING
    with world.database.transaction() as session:
        matches.retry(session, world.staff, matches.get(session, world.get(session), 1))
    coordinator.tick()
    world.record(world.broker.queue.pop())
    coordinator.tick()
    assert state_of(world) == TournamentState.FINISHED
    with pytest.raises(ConflictError, match="only a parked match"), world.database.transaction() as session:
        matches.retry(session, world.staff, matches.get(session, world.get(session), 1))


def test_a_paused_tournament_publishes_nothing_and_does_not_finish(world: World) -> None:
    """Paused, nothing is published, not even what is lost meanwhile; resumed, it goes on."""
    world.tournament(bots=2)
    coordinator = coordinator_of(world)
    coordinator.tick()
    message = world.broker.queue.pop()
    with world.database.transaction() as session:
        lifecycle.pause(session, world.staff, world.get(session))
    world.lose(message)
    coordinator.tick()
    assert states(world) == ["pending"]
    with world.database.transaction() as session:
        lifecycle.resume(session, world.staff, world.get(session))
    coordinator.tick()
    world.record(world.broker.queue.pop())
    coordinator.tick()
    assert state_of(world) == TournamentState.FINISHED


def test_after_an_absence_no_lease_runs_out_at_once(world: World) -> None:
    """A coordinator that was away gives every match a whole lease to show itself."""
    world.tournament(bots=2)
    coordinator_of(world).tick()
    world.heartbeat(world.broker.queue.pop())
    clock = Later()
    clock.seconds = HOUR
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    assert states(world) == ["running"]
    live(coordinator, clock, world.settings.lease_seconds + 1)
    assert world.match().lost == 1


@pytest.mark.parametrize("passed", [0.0, HOUR], ids=["set", "stopped"])
def test_a_clock_set_forward_and_a_stopped_coordinator_lose_nothing(world: World, passed: float) -> None:
    """A step of the clock (or a machine's sleep), or ticks that did not come, are no silence of a worker."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    world.heartbeat(world.broker.queue.pop())
    clock.seconds, clock.set_by = passed, HOUR - passed
    coordinator.tick()
    live(coordinator, clock, world.settings.lease_seconds - 1)
    assert states(world) == ["running"]
    live(coordinator, clock, 2)
    assert world.match().lost == 1


def test_a_clock_set_back_makes_nobody_wait(world: World) -> None:
    """A dead worker's lease from before the clock was set back ends as if it had been given now."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    world.heartbeat(world.broker.queue.pop())
    clock.set_by = -HOUR
    coordinator.tick()
    live(coordinator, clock, world.settings.pickup_seconds + 2 * STEP_SECONDS)
    assert world.match().lost == 1


def test_nothing_is_given_up_while_reports_wait(world: World) -> None:
    """While the recorder is stopped its queue may hold the missed signs of life, so no lease is ended."""
    world.tournament(bots=3)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    world.heartbeat(world.broker.queue.pop())
    world.broker.queue.pop()
    world.broker.reported = 1
    live(coordinator, clock, 2 * world.settings.pickup_seconds)
    assert sorted(states(world)) == ["published", "published", "running"]
    world.broker.reported = 0
    coordinator.tick()
    assert [match.attempt for match in world.matches()] == [1, 2, 2]


def test_what_is_silent_is_given_up_although_reports_come_all_the_time(world: World) -> None:
    """Of many workers a report waits at every look; it is enough that those of before are taken in."""
    world.tournament(bots=3)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    world.heartbeat(world.broker.queue.pop())
    world.broker.queue.pop()
    world.broker.reported = 1
    for _ in range(20):
        live(coordinator, clock, world.settings.pickup_seconds / 10)
        world.broker.taken_in += 1
    assert sorted(match.attempt for match in world.matches()) == [1, 2, 2]
    assert sum(match.lost for match in world.matches()) == 1


def test_what_was_cancelled_is_not_played(world: World) -> None:
    """The messages of a cancelled tournament leave the queue; those of another stay."""
    world.tournament("gone", bots=4)
    world.tournament("kept", bots=3)
    coordinator = coordinator_of(world)
    coordinator.tick()
    assert len(world.broker.queue) == 9
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session, "gone"))
    coordinator.tick()
    assert {message.spec.bots[0].name[:4] for message in world.broker.queue} == {"kept"}
    assert len(world.broker.queue) == 3


def test_what_was_issued_anew_waits_once(world: World) -> None:
    """A message that arrived although sending it had failed goes when its match is issued again."""
    world.tournament(bots=2)
    coordinator = coordinator_of(world)
    coordinator.tick()
    (old,) = world.broker.queue
    with world.database.transaction() as session:
        leases.unsend(coordinator_matches.WORK, session, [old])
    coordinator.tick()
    coordinator.tick()
    assert [message.attempt for message in world.broker.queue] == [2]
