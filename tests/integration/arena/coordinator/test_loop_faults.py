"""The loop of the coordinator where something fails beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy.exc import OperationalError

from arena.coordinator.leadership import NotLeadingError
from arena.coordinator.loop import WRITING_SECONDS, Coordinator
from arena.coordinator.messages import AnyMessage
from arena.core.errors import FullError, UnavailableError
from arena.core.settings import Settings
from arena.store import events
from arena.store.database import Database
from arena.theory.pairing.swiss import Swiss
from arena.web.answers.tournaments import shown
from arena.web.http.visibility import Viewer
from tests.integration.arena.coordinator.test_loop import state_of, states
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World
from tests.memory_broker import MemoryBroker


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
    assert states(world) == ["published"] * 2 + ["pending"] * 4
    broker.room = 100
    coordinator.tick()
    assert states(world) == ["published"] * 6
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
    assert states(world) == ["published"]
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
        with suppress(NotLeadingError):  # the other one was quicker
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
    assert (len(asked), state_of(world, "stuck"), state_of(world, "well")) == (1, "running", "finished")
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
    assert (state_of(world, "strange"), state_of(world, "well")) == ("running", "finished")
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
