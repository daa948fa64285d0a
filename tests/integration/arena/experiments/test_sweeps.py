"""Sweeps beside what else goes on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.coordinator import chunks, leases
from arena.coordinator.leases import Attempt, Verdict
from arena.experiments import sweeps
from arena.experiments.grid import SweepPlan
from tests.integration.arena.lab import PLAN, Lab, played
from tests.integration.arena.locking import until_somebody_waits
from tests.integration.arena.world import World
from tests.waiting import PATIENCE_SECONDS

GRID = SweepPlan(
    name="grid",
    vary={"second_player": ("xor", "random", "perfect")},
    each=PLAN | {"second": "{second_player}", "games": 20},
)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_sweep_is_cancelled_while_one_of_it_ends(world: World) -> None:
    """The one whose last games come in at that moment is finished, and all the others are cancelled."""
    lab = Lab(world)
    with world.database.transaction() as session:
        sweeps.create(session, world.staff, GRID)
    message, *_ = lab.issue()
    about = Attempt((message.experiment, message.start), message.attempt, message.token)
    report = {"blocks": [each.model_dump(mode="json") for each in played(message)], "elapsed_ns": 10**9}

    def cancel() -> None:
        with world.database.transaction() as session:
            sweeps.cancel(session, world.staff, sweeps.get(session, world.staff, "grid"))

    with ThreadPoolExecutor(1) as pool:
        with world.database.transaction() as session:
            told = [(about, {"report": report})]
            verdicts = leases.take_in(leases.record, chunks.WORK, session, told, world.settings)
            assert verdicts == [Verdict.TAKEN]
            cancelling = pool.submit(cancel)
            until_somebody_waits(world.database)
        cancelling.result(PATIENCE_SECONDS)
    assert [lab.get(number).state for number in (1, 2, 3)] == ["finished", "cancelled", "cancelled"]
