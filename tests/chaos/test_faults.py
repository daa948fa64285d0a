"""Whole tournaments in whose midst everything happens that happens to arenas, one after the other."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.chaos.faults import FAULTS, schedule
from tests.chaos.stages import SETUPS

pytestmark = pytest.mark.long
SEED = 16
log = logging.getLogger(__name__)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("setup", FAULTS)
def test_a_tournament_outlives_every_fault(setup: str, tmp_path: Path) -> None:
    """After each play goes on; at the end every match counts once, and the table is the undisturbed one."""
    with SETUPS[setup](tmp_path) as stage:
        for name in schedule(FAULTS[setup], SEED):
            stage.goes_on()
            log.warning("next: %s", name)
            FAULTS[setup][name](stage)
        stage.goes_on()
        stage.comes_to_its_end()
