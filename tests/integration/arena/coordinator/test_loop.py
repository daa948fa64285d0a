"""The coordinator: leases, the window, and survival of what it depends on."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from sqlalchemy.exc import OperationalError

from arena.coordinator import leases
from arena.coordinator import matches as coordinator_matches
from arena.coordinator.broker import AnyMessage
from arena.coordinator.leases import Verdict
from arena.coordinator.loop import WRITING_SECONDS, Coordinator
from arena.core.errors import ConflictError, FullError, UnavailableError
from arena.core.settings import Settings
from arena.store import events
from arena.store.database import Database
from arena.store.models import MatchState, TournamentState
from arena.theory.pairing.swiss import Swiss
from arena.tournaments import lifecycle, matches
from arena.web.http.visibility import Viewer
from arena.web.schemas.tournaments import shown
from tests.integration.arena.ticking import STEP_SECONDS, Later, coordinator_of, live
from tests.integration.arena.world import World
from tests.memory_broker import MemoryBroker

HOUR = 3600.0


def _states(world: World) -> list[str]:
    return [match.state for match in world.matches()]


def _state(world: World, name: str = "cup") -> str:
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
    assert _states(world) == ["finished"] * 24
    assert _state(world) == TournamentState.FINISHED
    assert [each.games for each in world.leaderboard()] == [12] * 4


def test_the_window_counts_what_waits_not_what_runs(world: World) -> None:
    """However many matches run, the queue is kept filled up to the window and never beyond."""
    world.tournament(bots=4)
    coordinator = coordinator_of(world, window=2)
    coordinator.tick()
    coordinator.tick()
    assert _states(world) == ["published"] * 2 + ["pending"] * 4
    for message in world.broker.queue:
        world.heartbeat(message)
    coordinator.tick()
    assert _states(world) == ["running"] * 2 + ["published"] * 2 + ["pending"] * 2


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
    assert _states(world) == ["running"]
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
    assert _states(world) == ["parked"]
    assert _state(world) == TournamentState.RUNNING
    with world.database.transaction() as session:
        matches.retry(session, world.staff, matches.get(session, world.get(session), 1))
    coordinator.tick()
    world.record(world.broker.queue.pop())
    coordinator.tick()
    assert _state(world) == TournamentState.FINISHED
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
    assert _states(world) == ["pending"]
    with world.database.transaction() as session:
        lifecycle.resume(session, world.staff, world.get(session))
    coordinator.tick()
    world.record(world.broker.queue.pop())
    coordinator.tick()
    assert _state(world) == TournamentState.FINISHED


def test_after_an_absence_no_lease_runs_out_at_once(world: World) -> None:
    """A coordinator that was away gives every match a whole lease to show itself."""
    world.tournament(bots=2)
    coordinator_of(world).tick()
    world.heartbeat(world.broker.queue.pop())
    clock = Later()
    clock.seconds = HOUR
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    assert _states(world) == ["running"]
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
    assert _states(world) == ["running"]
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
    assert sorted(_states(world)) == ["published", "published", "running"]
    world.broker.reported = 0
    coordinator.tick()
    assert [match.attempt for match in world.matches()] == [1, 2, 2]


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


class Refusing(MemoryBroker):
    """A broker that goes away after it has taken `room` messages."""

    room = 2

    def publish(self, message: AnyMessage) -> None:
        """Take a message while there is room."""
        if len(self.queue) == self.room:
            raise UnavailableError("the broker does not answer")
        super().publish(message)


def test_what_the_broker_does_not_take_is_pending_again(world: World) -> None:
    """When sending fails half-way, what was sent stays sent and the rest is sent later; none twice."""
    world.tournament(bots=4)
    broker = Refusing()
    world.broker = broker
    coordinator = coordinator_of(world)
    with pytest.raises(UnavailableError):
        coordinator.tick()
    assert _states(world) == ["published"] * 2 + ["pending"] * 4
    broker.room = 100
    coordinator.tick()
    assert _states(world) == ["published"] * 6
    assert len({message.spec.match for message in broker.queue}) == len(broker.queue) == 6


def test_a_crash_between_commit_and_sending_loses_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after the commit and before the message went out, the match is issued again later."""
    world.tournament(bots=2)
    coordinator = coordinator_of(world)
    with monkeypatch.context() as patch:
        patch.setattr(world.broker, "publish", _raise(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            coordinator.tick()
    assert _states(world) == ["published"]
    clock = Later()
    successor = coordinator_of(world, clock)
    successor.tick()
    live(successor, clock, world.settings.pickup_seconds + 1)
    assert [message.attempt for message in world.broker.queue] == [2]


def test_the_loop_outlives_the_broker_and_the_database(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the broker away, then the database, the loop waits and then goes on where it was."""
    world.tournament(bots=2)
    world.broker.away = True
    coordinator = coordinator_of(world, tick_seconds=0.001)
    troubles, stop = [], threading.Event()
    tick = coordinator.tick

    def troubled() -> None:
        try:
            tick()
        except UnavailableError:
            world.broker.away = False
            troubles.append("broker")
            monkeypatch.setattr(world.database, "reading", _raise(_database_trouble()))
            raise
        except OperationalError:
            monkeypatch.undo()
            monkeypatch.setattr(coordinator, "tick", troubled)
            troubles.append("database")
            raise
        if world.broker.queue:
            stop.set()

    monkeypatch.setattr(coordinator, "tick", troubled)
    coordinator.run(stop)
    assert troubles == ["broker", "database"]
    assert len(world.broker.queue) == 1


def _database_trouble() -> OperationalError:
    return OperationalError("SELECT 1", {}, RuntimeError("the database is away"))


def _raise(error: BaseException) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_two_coordinators_do_no_harm(database: Database, settings: Settings) -> None:
    """Two that tick at once publish every match once and keep to the window together."""
    world = World(database, settings)
    world.tournament(bots=6)
    coordinators = [coordinator_of(world, window=100) for _ in range(2)]
    barrier = threading.Barrier(2)

    def tick(coordinator: Coordinator) -> None:
        barrier.wait()
        coordinator.tick()

    threads = [threading.Thread(target=tick, args=(each,)) for each in coordinators]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({message.spec.match for message in world.broker.queue}) == len(world.broker.queue) == 15


def test_a_format_that_fails_stops_nobody_else(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament whose format cannot go on is asked once for each state it is in; others are finished.

    It says why it stands still, also after another coordinator has failed the same way, until it goes on.
    """
    world.tournament("stuck", bots=4, format="swiss", options={"rounds": 2})
    world.tournament("well", bots=2)
    asked = []

    def fail(*_: object) -> None:
        asked.append(1)
        raise ZeroDivisionError

    monkeypatch.setattr(Swiss, "next_round", fail)
    coordinator = coordinator_of(world)
    coordinator.tick()
    for message in world.broker.queue:
        world.record(message)
    for _ in range(3):
        coordinator.tick()
    assert (len(asked), _state(world, "stuck"), _state(world, "well")) == (1, "running", "finished")
    assert _troubles(world) == {"stuck": "ZeroDivisionError", "well": None}
    coordinator_of(world).tick()
    assert (len(asked), _events(world, "stuck").count("tournament.stuck")) == (2, 1)
    monkeypatch.undo()
    coordinator_of(world).tick()
    assert any(match.round == 2 for match in world.matches())
    assert _troubles(world) == {"stuck": None, "well": None}


def _troubles(world: World) -> dict[str, str | None]:
    with world.database.reading() as session:
        rows = [world.get(session, name) for name in ("stuck", "well")]
        return {each.name: each.trouble for each in shown(session, Viewer(None), rows)}


def _events(world: World, name: str) -> list[str]:
    with world.database.reading() as session:
        return [each.kind for each in events.of_tournament(session, world.get(session, name))]


def test_a_format_that_is_not_known_any_more_stops_nobody_else(world: World) -> None:
    """A tournament with options of another version of the arena is left alone; others are finished."""
    world.tournament("strange", bots=4, format="swiss", options={"rounds": 2})
    world.tournament("well", bots=2)
    with world.database.transaction() as session:
        world.get(session, "strange").options = {"laps": 3}
    coordinator = coordinator_of(world)
    coordinator.tick()
    for message in world.broker.queue:
        world.record(message)
    for _ in range(2):
        coordinator.tick()
    assert (_state(world, "strange"), _state(world, "well")) == ("running", "finished")
    assert "tournament.stuck" in _events(world, "strange")


def test_an_idle_coordinator_finds_that_nothing_can_be_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With nothing to do it tries to write all the same, every few seconds, and fails as when it has to."""
    clock = [0.0]
    coordinator = Coordinator(world.database, world.broker, world.settings, monotonic=lambda: clock[0])
    coordinator.tick()
    monkeypatch.setattr(world.database, "try_writing", _raise(_database_trouble()))
    coordinator.tick()
    clock[0] = WRITING_SECONDS
    with pytest.raises(OperationalError):
        coordinator.tick()
    monkeypatch.undo()
    coordinator.tick()
    world.broker.full = True
    with pytest.raises(FullError):
        coordinator.tick()
