"""When the coordinator looks: when word comes, when something is due, and now and then."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

import pytest

from arena.coordinator import loop
from arena.coordinator.broker import CeleryBroker
from arena.coordinator.loop import GONE_SECONDS, IDLE_SECONDS, WAITING_SECONDS
from arena.core.errors import UnavailableError
from arena.events.bell import Bell
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World

Server = tuple[Path, subprocess.Popen[bytes]]


class Waits(threading.Event):
    """Nobody says stop, and no time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        """Note how long it would have taken."""
        self.waits.append(timeout)
        return False


def test_the_next_look_is_due_with_the_next_lease(world: World) -> None:
    """With nothing to do it is seconds away; what waits is looked at sooner; a lease's end sooner still."""
    clock = Later()
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    assert coordinator._patience_seconds == IDLE_SECONDS
    world.tournament(bots=2)
    coordinator.tick()
    assert coordinator._patience_seconds == WAITING_SECONDS
    world.heartbeat(world.broker.queue.pop())
    coordinator.tick()
    assert coordinator._patience_seconds == IDLE_SECONDS
    live(coordinator, clock, world.settings.lease_seconds - 2)
    assert coordinator._patience_seconds == pytest.approx(2)
    live(coordinator, clock, 2.5)
    assert [match.lost for match in world.matches()] == [1]


def test_a_message_that_is_gone_is_looked_for_when_it_has_been_gone_long_enough(world: World) -> None:
    """Of what a killed worker had taken no word comes: the next look is due when it counts as gone."""
    clock = Later()
    world.tournament(bots=2)
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    world.broker.queue.clear()
    for _ in range(4):
        clock.seconds += GONE_SECONDS / 2
        coordinator.tick()
        assert coordinator._patience_seconds <= WAITING_SECONDS
    assert len(world.broker.queue) == 1


def test_word_wakes_it_and_nobody_can_keep_it_awake(world: World) -> None:
    """After a look that had nothing to do the next one waits, whatever is told; after work it comes soon."""
    coordinator = coordinator_of(world, tick_seconds=7.0)
    stop = Waits()
    coordinator.tick()
    coordinator._rest(stop)
    world.tournament(bots=2)
    coordinator.tick()
    coordinator._rest(stop)
    assert stop.waits == [7.0, loop.BUSY_SECONDS]


def test_the_bell_is_heard_by_who_listens(server: Server) -> None:
    """Word that came since is heard at once, many as one; a broker that is away is said to be."""
    url = f"redis+socket://{server[0]}"
    broker, bell = CeleryBroker(url), Bell(url)
    assert broker.heard(0)  # whoever begins to listen looks
    assert not broker.heard(0.01)
    for _ in range(5):
        bell.ring()
    assert broker.heard(60)
    assert not broker.heard(0.01)
    ringing = threading.Timer(0.3, bell.ring)
    ringing.start()
    assert broker.heard(300)
    ringing.join()
    server[1].kill()
    server[1].wait()
    with pytest.raises(UnavailableError):
        broker.heard(60)
    bell.ring()
    assert bell._mute_until
    broker.close()
    bell.close()
