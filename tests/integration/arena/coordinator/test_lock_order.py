"""Reports that come in another order than others lock what they are about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy.orm import Session

from arena.coordinator import checks, chunks, leases
from arena.coordinator.leases import AnyWork, Attempt, Verdict
from arena.store import checks as check_store
from arena.store import experiments as experiment_store
from tests.integration.arena.coordinator import test_checks
from tests.integration.arena.lab import Lab
from tests.integration.arena.locking import until_somebody_waits
from tests.waiting import PATIENCE_SECONDS

Given = tuple[AnyWork, Sequence[Attempt], Callable[[Session, int], Any]]
pytestmark = pytest.mark.parametrize("database", ["postgresql"], indirect=True)
"""On SQLite one writes at a time."""


def _chunks(lab: Lab) -> Given:
    for _ in range(2):
        lab.create()
    about = [
        Attempt((each.experiment, each.start), each.attempt, each.token) for each in lab.issue(chunk_window=2)
    ]
    return chunks.WORK, about, experiment_store.lock


def _checks(lab: Lab) -> Given:
    for name in ("comet", "meteor"):
        test_checks.begin(lab.world, name)
    return checks.WORK, list(map(test_checks.about, test_checks.issue(lab.world))), check_store.lock


@pytest.mark.parametrize("given", [_chunks, _checks])
def test_reports_lock_in_the_order_of_everybody(lab: Lab, given: Callable[[Lab], Given]) -> None:
    """Who locks the first and then the second gets both, while reports of the second and the first wait."""
    database = lab.world.database
    work, about, lock = given(lab)
    first, second = sorted(about)

    def report() -> list[Verdict]:
        with database.transaction() as session:
            told = [(each, {"host": "here"}) for each in (second, first)]
            return leases.take_in(leases.heartbeat, work, session, told, lab.world.settings)

    with ThreadPoolExecutor(1) as pool:
        with database.transaction() as session:
            lock(session, first.key[0])
            reporting = pool.submit(report)
            until_somebody_waits(database)
            lock(session, second.key[0])
        assert reporting.result(PATIENCE_SECONDS) == [Verdict.TAKEN] * 2
