"""What the parts of a training take lies in the archive store, and nothing of it stays there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.coordinator import learning
from arena.core.terms import TrainingState
from arena.experiments import trainings
from tests.integration.arena.learning import Learners
from tests.integration.arena.ticking import live
from tests.integration.arena.world import World
from workers.core.errors import ArchiveUnwritableError
from workers.programs.archive_store import ArchiveStore
from workers.training.plan import Part


@pytest.fixture
def learners(sqlite_world: Callable[[], World]) -> Learners:
    """A host that learns."""
    return Learners(sqlite_world())


def test_a_store_that_takes_nothing_pauses_it(learners: Learners, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason; resumed it puts there what the work takes."""
    learners.create()
    for message in learners.messages():
        learners.record(message)
        if learners.get().answers == 3:
            break

    def full(*_: object) -> str:
        raise ArchiveUnwritableError("the archive store takes nothing: no room", full=True)

    with monkeypatch.context() as patch:
        patch.setattr(ArchiveStore, "put", full)
        learners.coordinator.tick()
    training = learners.get()
    assert (training.state, training.part) == (TrainingState.PAUSED, Part.GAMES)
    assert "no room; resume it" in (training.trouble or "")
    with learners.world.database.transaction() as session:
        trainings.resume(session, learners.world.staff, training)
    learners.learn()


def test_what_is_gone_from_the_store_is_put_there_anew(learners: Learners) -> None:
    """The first loss is enough: nothing waits for a person, as it follows from the database."""
    learners.create()
    for message in learners.messages():
        if message.spec.part is Part.STAGE:
            break
        learners.record(message)
    learners.queue.clear()
    for sha in message.spec.given:
        learners.archives.remove(sha)
    learners.lose(message)
    assert learners.archives.hashes() == set()
    learners.coordinator.tick()
    assert learners.archives.hashes() == {*message.spec.given}
    live(learners.coordinator, learners.clock, learners.world.settings.pickup_seconds + 1)
    assert learners.learn().lost >= 1


def test_nothing_stays_in_the_store(learners: Learners, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of what is paused, resumed and cancelled at once, nor where the store let it not go at first."""
    number = learners.create()
    for message in learners.messages():
        if message.spec.part is Part.STAGE:
            break
        learners.record(message)
    for act in (trainings.pause, trainings.resume, trainings.cancel):
        with learners.world.database.transaction() as session:
            act(session, learners.world.staff, trainings.get(session, number))

    def away(*_: object) -> None:
        raise ArchiveUnwritableError("the archive store lets nothing go: away", full=False)

    with monkeypatch.context() as patch:
        patch.setattr(ArchiveStore, "remove", away)
        learners.coordinator.tick()
    assert learners.archives.hashes() == {*message.spec.given}
    learners.coordinator.tick()
    assert (learners.archives.hashes(), learners.get().given) == (set(), None)


def cancel(learners: Learners) -> None:
    """Let nobody learn any more, and the coordinator see to what is left of it."""
    with learners.world.database.transaction() as session:
        trainings.cancel(session, learners.world.staff, trainings.get(session, 1))
    for _ in range(2):
        learners.coordinator.tick()


def test_a_store_that_is_full_half_way_keeps_nothing(
    learners: Learners, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two things that a part takes one was put there: it goes with what the paused training had."""
    learners.create()
    put, full = ArchiveStore.put, ArchiveUnwritableError("the archive store takes nothing: full", full=True)

    def once(store: ArchiveStore, archive: bytes) -> str:
        monkeypatch.setattr(ArchiveStore, "put", never)
        return put(store, archive)

    def never(*_: object) -> str:
        raise full

    for message in learners.messages():
        training = learners.get()
        if training.round == 1 and training.part is Part.STAGE:
            monkeypatch.setattr(ArchiveStore, "put", once)
        learners.record(message)
        learners.coordinator.tick()
        if learners.get().state == TrainingState.PAUSED:
            break
    before = {*(learners.get().given or "").split()}
    assert learners.archives.hashes() - before
    learners.coordinator.tick()
    assert learners.archives.hashes() == set()


def test_what_was_put_and_not_recorded_goes(learners: Learners) -> None:
    """A training that is cancelled between the two leaves nothing in the store."""
    learners.create()
    for message in learners.messages():
        learners.record(message)
        with learners.world.database.reading() as session:
            learning.WORK.publishable(session, learners.world.settings)
        if learners.archives.hashes():
            break
    assert not learners.get().given
    learning.WORK.rest()
    cancel(learners)
    assert learners.archives.hashes() == set()


def test_a_store_that_lets_nothing_go_holds_nobody_up(
    learners: Learners, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All is learned meanwhile, and what nobody takes any more goes once it can."""

    def away(*_: object) -> None:
        raise ArchiveUnwritableError("the archive store lets nothing go: away", full=False)

    learners.create()
    with monkeypatch.context() as patch:
        patch.setattr(ArchiveStore, "remove", away)
        learners.learn()
        learners.coordinator.tick()
    assert len(learners.archives.hashes()) > 2
    learners.coordinator.tick()
    assert learners.archives.hashes() == set()
