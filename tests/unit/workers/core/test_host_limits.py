"""What a host gives at most is refused above that, in a plan as well as in a match."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from arena.schemas.plans import ExperimentPlan, TournamentPlan
from tests.unit.workers.conftest import make_spec
from workers.core.contract import Limits
from workers.core.errors import SpecError
from workers.core.host_limits import BOUNDED, excess
from workers.core.settings import get_settings
from workers.play.match import play_match
from workers.sandbox.confinement import Command


@pytest.fixture
def small_host(environment: Callable[..., None]) -> None:
    """A host that gives a bot 600 MB and 70 processes."""
    environment(most_memory_mb="600", most_processes="70")


def test_usual_limits_are_within_what_a_host_gives() -> None:
    """Every bound has a maximum of the same name."""
    assert excess(Limits()) is None
    assert all(hasattr(get_settings(), f"most_{name}") for name in BOUNDED)


@pytest.mark.usefixtures("small_host")
def test_each_limit_above_is_named_with_its_variable() -> None:
    """The message says by how much, and where the maximum is set."""
    assert excess(Limits(memory_mb=600, processes=70)) is None
    told = excess(Limits(memory_mb=601, processes=71))
    assert told is not None
    assert "memory_mb 601 is above this host's maximum 600 (ARENA_MOST_MEMORY_MB)" in told
    assert "processes 71" in told


@pytest.mark.usefixtures("small_host")
def test_a_plan_above_the_maximum_is_refused() -> None:
    """Tournaments and experiments alike, when they are created."""
    with pytest.raises(ValidationError, match=r"ARENA_MOST_MEMORY_MB.*ask for less"):
        TournamentPlan(name="cup", game="heap_nim", limits=Limits(memory_mb=601))
    with pytest.raises(ValidationError, match="ARENA_MOST_PROCESSES"):
        ExperimentPlan(game="heap_nim", first="random", second="random", games=2, limits=Limits(processes=71))


@pytest.mark.usefixtures("small_host")
def test_a_match_above_the_maximum_is_not_played(honest: Command) -> None:
    """A worker with less to give than the arena says so, and starts nothing."""
    with pytest.raises(SpecError, match="memory_mb 601"):
        play_match(make_spec(limits=Limits(memory_mb=601)), (honest, honest))
