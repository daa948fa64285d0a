"""Rounds that take long to pair: nothing waits for them, and none is lost or made twice."""

from __future__ import annotations

import errno
import subprocess
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy.orm import Session

from arena.coordinator import pairing
from arena.coordinator.loop import Coordinator
from arena.core.terms import TournamentState
from arena.store.models import Tournament
from arena.theory.pairing import swiss
from arena.tournaments import lifecycle, rounds
from tests.integration.arena.ticking import Later, coordinator_of
from tests.integration.arena.world import World

ENDLESS = (sys.executable, "-c", "import time; time.sleep(3600)")
SWISS: dict[str, Any] = {"format": "swiss_dutch", "options": {"rounds": 2}, "bots": 5}
PATIENCE_SECONDS = 300


@pytest.fixture(autouse=True)
def all_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rounds of five are paired as those of a hundred are."""
    monkeypatch.setattr(swiss, "SLOW_DUTCH", 1)
    monkeypatch.setattr(pairing, "PAUSE_SECONDS", 0.0)


@pytest.fixture
def clock() -> Later:
    """The coordinator's."""
    return Later()


@pytest.fixture
def coordinator(world: World, clock: Later) -> Coordinator:
    """A coordinator of a Swiss whose first round has been played."""
    world.tournament(**SWISS)
    coordinator = coordinator_of(world, clock)
    coordinator.tick()
    _play(world)
    return coordinator


def _play(world: World) -> None:
    while world.broker.queue:
        world.record(world.broker.queue.pop())


def _cup(world: World, name: str = "cup") -> Tournament:
    with world.database.reading() as session:
        return world.get(session, name)


def _tick_until(coordinator: Coordinator, condition: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        coordinator.tick()
        assert time.monotonic() < until
        time.sleep(0.05)


def _begin_in_vain(coordinator: Coordinator, monkeypatch: pytest.MonkeyPatch) -> subprocess.Popen[bytes]:
    """The process that never ends the pairing of a round; those that come after it do."""
    with monkeypatch.context() as patch:
        patch.setattr(pairing, "PROGRAM", ENDLESS)
        coordinator.tick()
    (work,) = coordinator._pairings._works.values()
    return work.process


def _pairs(world: World, number: int) -> list[tuple[int, int]]:
    return [(match.first.number, match.second.number) for match in world.matches() if match.round == number]


def test_a_process_pairs_what_would_be_paired_here(world: World, coordinator: Coordinator) -> None:
    """The round comes at a later look and is the same, and the tournament is played to its end."""
    with world.database.reading() as session:
        here = pairing.answer(rounds.ask(session, world.get(session)))
    assert isinstance(here, rounds.Proposal)
    _tick_until(coordinator, lambda: _cup(world).rounds_paired == 2)
    assert here.pairings is not None
    assert _pairs(world, 2) == [(each.first, each.second) for each in here.pairings if each.second]

    def is_over() -> bool:
        _play(world)
        return _cup(world).state == TournamentState.FINISHED

    _tick_until(coordinator, is_over)


def test_nothing_waits_for_a_round_that_is_being_paired(
    world: World, coordinator: Coordinator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another tournament is played to its end meanwhile."""
    monkeypatch.setattr(pairing, "PROGRAM", ENDLESS)
    coordinator.tick()
    world.tournament("other", bots=3)
    for _ in range(3):
        coordinator.tick()
        _play(world)
    assert (_cup(world, "other").state, _cup(world).rounds_paired) == (TournamentState.FINISHED, 1)
    coordinator._pairings.close()


def test_a_process_that_is_killed_is_started_again(
    world: World, coordinator: Coordinator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No round is lost with it, and none is made twice."""
    process = _begin_in_vain(coordinator, monkeypatch)
    process.kill()
    process.wait()
    _tick_until(coordinator, lambda: _cup(world).rounds_paired == 2)
    _tick_until(coordinator, lambda: not coordinator._pairings._works)
    assert (_cup(world).rounds_paired, len(_pairs(world, 2))) == (2, 2)


def test_what_changes_meanwhile_is_asked_anew(
    world: World, coordinator: Coordinator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who enters while a round is being paired plays in it, and the old question is given up."""
    process = _begin_in_vain(coordinator, monkeypatch)
    with world.database.transaction() as session:
        _enter(world, session)
    _tick_until(coordinator, lambda: _cup(world).rounds_paired == 2)
    assert process.returncode is not None
    assert len(_pairs(world, 2)) == 3


def _enter(world: World, session: Session) -> None:
    lifecycle.enter(session, world.staff, world.get(session), world.bot(session, "late"))


WANTING = (
    "import pickle; from arena.coordinator import pairing; from arena.tournaments import rounds\n"
    "def answer(question): raise MemoryError\n"
    "rounds.answer = answer; pairing.main()"
)
"""A process that finds no memory to pair by."""


@pytest.mark.parametrize("program", ["import sys; sys.exit(1)", WANTING])
def test_a_process_that_finds_no_room_is_started_again_after_a_while(
    world: World, coordinator: Coordinator, clock: Later, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """What is wanting once may be there the next time: the tournament goes on after a pause."""
    monkeypatch.setattr(pairing, "PAUSE_SECONDS", 10.0)
    with monkeypatch.context() as patch:
        patch.setattr(pairing, "PROGRAM", (sys.executable, "-c", program))
        coordinator.tick()
        _tick_until(coordinator, lambda: not coordinator._pairings.at_work)
    coordinator.tick()
    assert (coordinator._pairings.at_work, coordinator._unanswered) == (False, set())
    clock.seconds += 10.0
    _tick_until(coordinator, lambda: _cup(world).rounds_paired == 2)


@pytest.mark.parametrize(("what", "slow"), [((subprocess, "Popen"), 1), ((rounds, "answer"), 100)])
def test_the_coordinator_outlives_want_of_memory(
    world: World,
    coordinator: Coordinator,
    monkeypatch: pytest.MonkeyPatch,
    what: tuple[ModuleType, str],
    slow: int,
) -> None:
    """Where no process can be begun, or no memory is there for a short question, it is asked again, too."""
    monkeypatch.setattr(swiss, "SLOW_DUTCH", slow)
    with monkeypatch.context() as patch:
        patch.setattr(*what, _out_of_memory)
        coordinator.tick()
    assert (_cup(world).rounds_paired, coordinator._unanswered) == (1, set())
    _tick_until(coordinator, lambda: _cup(world).rounds_paired == 2)


def _out_of_memory(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOMEM, "Cannot allocate memory")


@pytest.mark.parametrize(
    "program",
    [
        "import sys; sys.exit(3)",
        (
            "import pickle, sys; from arena.theory.pairing.format import FormatError;"
            " pickle.dump(FormatError('no way'), sys.stdout.buffer)"
        ),
        "import os; os.kill(os.getpid(), 9)",
    ],
)
def test_what_cannot_be_paired_is_left_alone(
    world: World, coordinator: Coordinator, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """A process that fails, finds no pairing, or is killed again and again, is not started for ever."""
    monkeypatch.setattr(pairing, "PROGRAM", (sys.executable, "-c", program))
    _tick_until(coordinator, lambda: bool(coordinator._unanswered))
    coordinator.tick()
    assert (len(coordinator._pairings._works), _cup(world).rounds_paired) == (0, 1)
