"""A sequential test of a simulation ends at the same pair, whoever plays its games."""

from __future__ import annotations

from typing import Any

import pytest

from arena.theory.statistics.sprt import Sprt
from arena.theory.statistics.stopping import decided_by, observations
from tests.unit.arena.theory.statistics.test_sprt import heap_nim_games
from workers.simulation.runner import simulate


@pytest.mark.parametrize(
    "way", [{"jobs": 1, "chunk": 2}, {"jobs": 2, "chunk": 300}, {"jobs": 2, "plain": True}]
)
def test_it_stops_after_the_same_pair_however_the_games_are_played(way: dict[str, Any]) -> None:
    """The first pair that decides ends it: chunks, jobs and kernels change nothing."""
    spec, test = heap_nim_games(11), Sprt(elo0=0, elo1=60)
    whole = simulate(spec, jobs=1, stop=decided_by(spec, test), every=test.every)
    assert whole.stopped
    assert simulate(spec, stop=decided_by(spec, test), every=test.every, **way) == whole
    assert test.verdict(observations(test, whole.tally)) != "undecided"
    shorter = spec.model_copy(update={"games": whole.tally.games - 2})
    before = simulate(shorter, jobs=1, stop=decided_by(spec, test), every=test.every)
    assert not before.stopped
    assert test.verdict(observations(test, before.tally)) == "undecided"
