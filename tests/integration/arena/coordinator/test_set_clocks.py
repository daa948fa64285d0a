"""Checks that are under way as the arena's clock is set, its machine sleeps or the power goes."""

from __future__ import annotations

import datetime as dt

import pytest

from arena.coordinator import checks as coordinator
from arena.coordinator import leases
from arena.coordinator.leases import Verdict
from arena.core.terms import MatchState
from tests.integration.arena.coordinator.test_checks import begin, heartbeat, version
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World

HOUR = 3600.0


@pytest.mark.parametrize("step", [HOUR, -HOUR], ids=["forward", "back"])
def test_a_clock_that_was_set_leaves_a_check_its_time(
    world: World, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    """A check that goes on as the clock is set, or the machine slept, is given up no sooner and no later."""
    clock = Later()
    for module in (leases, coordinator):
        monkeypatch.setattr(module, "utc_now", clock)
    begin(world)
    ticking = coordinator_of(world, clock)
    ticking.tick()
    message = world.broker.checks.pop()
    heartbeat(world, message)
    clock.set_by = step
    heartbeat(world, message)
    ticking.tick()
    assert heartbeat(world, message) == Verdict.TAKEN
    until = clock() + dt.timedelta(seconds=message.spec.most_seconds)
    live(ticking, clock, world.settings.lease_seconds / 3)
    check = version(world).check
    assert check is not None
    assert (check.state, check.ends_at) == (MatchState.RUNNING, until)


def test_a_check_that_a_power_cut_broke_off_is_done_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a loss, as if its worker had died while the arena was on; it was not too long for the check."""
    clock = Later()
    for module in (leases, coordinator):
        monkeypatch.setattr(module, "utc_now", clock)
    begin(world)
    coordinator_of(world, clock).tick()
    heartbeat(world, world.broker.checks.pop())
    clock.seconds = 10 * HOUR
    ticking = coordinator_of(world, clock)
    ticking.tick()
    live(ticking, clock, world.settings.lease_seconds + 1)
    check = version(world).check
    assert check is not None
    assert (check.state, check.attempt, check.lost) == (MatchState.PUBLISHED, 2, 1)
