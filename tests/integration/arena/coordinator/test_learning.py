"""Players learned on the workers: parts given out, lost, withdrawn and given out again."""

from __future__ import annotations

import random
import threading
from base64 import b64encode
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import select

from arena.coordinator import figures, learning, leases, sharing, storage, workers
from arena.coordinator.leases import Verdict
from arena.core.errors import ConflictError, ForbiddenError, InvalidError
from arena.core.terms import MatchState, TrainingState
from arena.experiments import trainings
from arena.local.training import Trainer, Watch
from arena.schemas.trainings import TrainingPlan
from arena.store.models import Event, TrainingPart
from arena.store.models.event_types import EventKind
from arena.submissions import hosts
from engines.strategies.reversi_training import Training as Learns
from tests.integration.arena.learning import HOST, PLAN, ROUNDS, Learners
from tests.integration.arena.ticking import coordinator_of, live
from tests.integration.arena.world import World
from workers.programs.serving import TRAININGS
from workers.training.plan import Learned, Part


@pytest.fixture
def learners(sqlite_world: Callable[[], World]) -> Learners:
    """A host that learns."""
    return Learners(sqlite_world())


@pytest.fixture
def both(world: World) -> Learners:
    """The same, once on each database."""
    return Learners(world)


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> list[Learned]:
    """What `arena train` comes to by the same plan on this machine."""
    watch = Watch(lambda _: nullcontext(lambda *_: None), lambda *_: None, lambda *_: None)
    plan = trainings.plan_for(TrainingPlan(**PLAN))
    path = tmp_path_factory.mktemp("home") / "training"
    return Trainer(plan, jobs=2, watch=watch).run(path, threading.Event()).learned()


def test_the_same_is_learned_as_at_home(both: Learners, at_home: list[Learned]) -> None:
    """Chunks done in any order come to the same bytes, errors and points; nothing is left anywhere."""
    both.create()
    draw = random.Random(1)
    for message in both.messages():
        both.queue.append(message)
        both.record(both.queue.pop(draw.randrange(len(both.queue))))
    training = both.get()
    assert (training.state, training.trouble) == (TrainingState.FINISHED, None)
    learned = both.learned()
    assert learned == at_home
    assert [each["points"] for each in training.curve] == [each.points for each in learned]
    assert [each["error"] for each in training.curve] == [each.held_out for each in learned]
    parts = both.parts()
    assert training.answers == len(parts) + 3 + 2
    assert {part.host for part in parts} == {HOST}
    both.coordinator.tick()
    assert (both.archives.hashes(), both.get().given, both.queue) == (set(), None, [])


def test_games_go_when_they_are_fitted(learners: Learners) -> None:
    """Those of the round alone are kept that is played or fitted; weights and points stay."""
    learners.create()
    for message in learners.messages():
        now = learners.get()
        kept = {part.round for part in learners.parts() if part.part is Part.GAMES}
        assert kept <= (set() if now.part is Part.POINTS else {now.round})
        assert (kept == {now.round}) or now.part is not Part.STAGE
        learners.record(message)
    assert [part.part for part in learners.parts()] == 2 * ([Part.STAGE] * 3 + [Part.POINTS] * 8)


def test_what_is_lost_is_done_again(both: Learners, at_home: list[Learned]) -> None:
    """Workers that die, a broker that forgets and a coordinator that follows another change nothing."""
    both.create()
    for number, message in enumerate(both.messages()):
        if number % 7 == 2:
            both.heartbeat(message)
            live(both.coordinator, both.clock, both.world.settings.lease_seconds + 1)
            assert both.record(message) == Verdict.REFUSED
        elif number % 7 == 4:
            both.queue.clear()
            live(both.coordinator, both.clock, both.world.settings.pickup_seconds + 1)
        else:
            both.record(message)
        if number % 5 == 3:
            both.coordinator = coordinator_of(both.world, both.clock)
    assert both.get().lost > 0
    assert both.learned() == at_home


def test_a_part_begins_when_all_before_it_came_in(learners: Learners) -> None:
    """No stage is given out before the last game, no comparison before the last stage."""
    learners.create()
    seen = list[tuple[int, Part]]()
    for message in learners.messages():
        spec = message.spec
        assert all(sha in learners.archives.hashes() for sha in spec.given)
        seen.append((int(spec.by.games == 200), spec.part))
        learners.record(message)
    parts = [Part.GAMES] * 3 + [Part.STAGE] * 3 + [Part.POINTS] * 8
    assert seen == [(0, part) for part in parts] + [(1, part) for part in parts[1:]]


def test_two_trainings_share_the_window_and_what_they_take(learners: Learners) -> None:
    """Neither waits for the other's end; what both have in the store stays until neither needs it."""
    learners.create()
    learners.create()
    while TrainingState.RUNNING in {learners.get(number).state for number in (1, 2)}:
        learners.coordinator.tick()
        assert len(learners.queue) <= learners.world.settings.chunk_window
        if learners.queue:
            learners.record(learners.queue.pop(0))
    assert learners.learned(1) == learners.learned(2)
    learners.coordinator.tick()
    assert learners.archives.hashes() == set()


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"payload": "AAAA"}, "not as long"),
        ({"payload": "?"}, "cannot be read"),
        ({"points": 1}, "points are those of openings"),
        ({"errors": [0.0, 1, 0.0, 1]}, "errors are those of a stage"),
        ({"elapsed_ns": -1}, "no answer"),
        ({"elapsed_ns": 2**52}, "longer than any part may"),
        ({"payload": b64encode(bytes(128 * 64)).decode()}, "no games of this board and rule"),
    ],
)
def test_what_cannot_be_true_is_refused(learners: Learners, changed: dict[str, Any], why: str) -> None:
    """It is a lost attempt, and the reason is told."""
    learners.create()
    learners.coordinator.tick()
    assert learners.record(learners.queue[0], **changed) == Verdict.UNFIT
    assert why in (learners.get().trouble or "")
    assert learners.get().answers == 0


@pytest.mark.parametrize(
    ("part", "changed", "why"),
    [
        (Part.STAGE, {"payload": "AAAA"}, "not the weights"),
        (Part.STAGE, {"errors": [-1.0, 1, 0.0, 1]}, "its errors are none"),
        (Part.STAGE, {"errors": [1.0, 10**308, 1.0, 10**308]}, "more positions than the games have"),
        (Part.STAGE, {"errors": [1e308, 1, 1e308, 1]}, "its errors are none"),
        (Part.STAGE, {"errors": [1.0, 0, 0.0, 1]}, "its errors are none"),
        (Part.STAGE, {"errors": None}, "errors are those of a stage"),
        (Part.POINTS, {"points": 513}, "two points to an opening"),
        (Part.POINTS, {"points": None}, "points are those of openings"),
    ],
)
def test_nor_are_such_fits_and_points(
    learners: Learners, part: Part, changed: dict[str, Any], why: str
) -> None:
    """Fits and points that cannot be are refused as unfit, and the training says why."""
    learners.create()
    for message in learners.messages():
        if message.spec.part is part:
            assert learners.record(message, **changed) == Verdict.UNFIT
            break
        learners.record(message)
    assert why in (learners.get().trouble or "")


def test_a_chunk_that_is_lost_again_and_again_pauses_its_training(learners: Learners) -> None:
    """It says which and why; resumed it is tried again, and ends as ever."""
    learners.create()
    while learners.get().state == TrainingState.RUNNING:
        learners.coordinator.tick()
        learners.lose(min(learners.queue, key=lambda each: each.chunk))
        learners.queue.clear()
        live(learners.coordinator, learners.clock, learners.world.settings.pickup_seconds + 1)
    training = learners.get()
    assert training.state == TrainingState.PAUSED
    assert "round 1, games from 0, was lost" in (training.trouble or "")
    learners.queue.clear()
    with learners.world.database.transaction() as session:
        trainings.resume(session, learners.world.staff, training)
    assert learners.learn().trouble is None


def test_a_worker_that_was_stopped_has_lost_nothing(learners: Learners) -> None:
    """Its chunk waits for another one, however often that happens."""
    learners.create()
    for _ in range(2 * learners.world.settings.max_lost):
        learners.coordinator.tick()
        assert learners.lose(learners.queue.pop(0), stopped=True) == Verdict.TAKEN
    assert (learners.get().lost, learners.get().state) == (0, TrainingState.RUNNING)


@pytest.mark.parametrize("errors", [[1.0, 10**308, 1.0, 10**308], [1e308, 1, 1e308, 1]])
def test_one_that_cannot_be_gone_on_with_ends_alone(learners: Learners, errors: list[float]) -> None:
    """Numbers that cannot be added, or not be told, fail their training; the coordinator and others go on."""
    learners.create()
    learners.create()
    for message in learners.messages(1):
        learners.record(message)
        with learners.world.database.transaction() as session:
            for part in session.scalars(select(TrainingPart).where(TrainingPart.training_id == 1)):
                part.errors = None if part.errors is None else errors
    assert learners.get(1).state == TrainingState.FAILED
    assert learners.get(1).trouble
    assert learners.learn(2).trouble is None
    learners.coordinator.tick()
    assert learners.archives.hashes() == set()


def test_an_old_trouble_is_not_told_again(learners: Learners) -> None:
    """A loss that is long over is not in the event of the end."""
    learners.create()
    learners.coordinator.tick()
    learners.lose(learners.queue.pop(0))
    learners.learn()
    with learners.world.database.reading() as session:
        kinds = EventKind.TRAINING_CHUNK_LOST, EventKind.TRAINING_FINISHED
        query = select(Event).where(Event.kind.in_(kinds)).order_by(Event.id)
        moved = session.scalars(query).all()
    assert "no room" in str(moved[0].data)
    assert "no room" not in str(moved[-1].data)


def test_only_trusted_hosts_are_believed(learners: Learners) -> None:
    """A laboratory PC that has taken a chunk is refused, and where no other host is none is given out."""
    world = learners.world
    world.enrol("pc-7", share=0.1)
    learners.create()
    learners.coordinator.tick()
    message = learners.queue[0]
    assert learners.heartbeat(message, host="pc-7") == Verdict.NOT_THEIRS
    assert learners.record(message, host=None) == Verdict.NOT_THEIRS
    assert learners.get().answers == 0
    assert learners.record(message) == Verdict.TAKEN
    learners.queue.clear()
    with world.database.transaction() as session:
        hosts.register(session, "pc-7", {}, 1.0, process="slot1@pc-7", takes=[TRAININGS])
        hosts.register(session, HOST, {}, 1.0, process="slot1@here", takes=["matches"])
        assert leases.issue(learning.WORK, session, world.settings) == []


def test_a_chunk_gives_way_to_a_match(learners: Learners) -> None:
    """A match that no process has taken for a second gets the place; the chunk waits, and lost nothing."""
    learners.create()
    learners.coordinator.tick()
    message = learners.queue.pop(0)
    assert learners.heartbeat(message) == Verdict.TAKEN
    learners.world.tournament(bots=2)
    learners.coordinator.tick()
    assert learners.heartbeat(message) == Verdict.TAKEN
    live(learners.coordinator, learners.clock, sharing.FIRST_SECONDS + 1)
    assert learners.heartbeat(message) == Verdict.REFUSED
    assert learners.get().lost == 0


@pytest.mark.parametrize("act", [trainings.pause, trainings.cancel])
def test_what_is_in_hand_is_taken_back(learners: Learners, act: Any) -> None:
    """Of a training that is paused or cancelled nothing is given out, and what is reported is refused."""
    number = learners.create()
    for message in learners.messages():
        if message.spec.part is Part.STAGE:
            break
        learners.record(message)
    assert learners.heartbeat(message) == Verdict.TAKEN
    answers, told = learners.get().answers, learners.answer(message)
    with learners.world.database.transaction() as session:
        act(session, learners.world.staff, trainings.get(session, number))
    learners.coordinator.tick()
    assert (learners.queue, learners.archives.hashes()) == ([], set())
    assert learners.heartbeat(message) == Verdict.REFUSED
    assert learners._report(leases.record, message, HOST, report=told) == Verdict.REFUSED
    assert learners.get().answers == answers
    with learners.world.database.transaction() as session:
        training = trainings.get(session, number)
        with pytest.raises(ConflictError, match=f"{training.state} and cannot be paused"):
            trainings.pause(session, learners.world.staff, training)
    if training.state == TrainingState.PAUSED:
        with learners.world.database.transaction() as session:
            trainings.resume(session, learners.world.staff, training)
        learners.learn()


def test_another_version_does_not_go_on_with_it(learners: Learners, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where what learns is another one after an update, the training fails and says why."""
    learners.create()
    learners.coordinator.tick()
    monkeypatch.setattr(Learns, "version", Learns.version + 1)
    learners.coordinator.tick()
    for message in learners.queue:
        learners.lose(message, stopped=True)
    learners.coordinator.tick()
    assert learners.get().state == TrainingState.FAILED
    assert "another version of the arena learns otherwise (engine)" in (learners.get().trouble or "")


def test_what_is_refused(learners: Learners) -> None:
    """Only administrators ask, for a game that is learned, on such a board, and not for too many games."""
    red = learners.world.team("red")
    with (
        learners.world.database.transaction() as session,
        pytest.raises(ForbiddenError, match="only an administrator"),
    ):
        trainings.create(session, red, TrainingPlan(game="reversed_reversi"))
    for changes, why in (
        ({"game": "heap_nim", "params": {}}, "nothing is learned about heap_nim"),
        ({"params": {"size": 5}}, "size"),
        ({"params": {"size": 10}}, "sizes 4, 6, 8"),
        ({"rounds": None, "games": 100}, "it must be from 64"),
        ({"rounds": [ROUNDS[0] | {"games": 250_000, "steps": 121}]}, "it may have 120 steps"),
    ):
        with pytest.raises(InvalidError, match=why):
            learners.create(**changes)


@pytest.mark.parametrize("changed", [{"games": 250_001}, {"depth": 11}, {"solved": 19}])
def test_a_part_takes_not_too_long(changed: dict[str, int]) -> None:
    """What a worker would be at for minutes, or not have the memory for, cannot be asked for."""
    with pytest.raises(ValidationError, match="less than or equal to"):
        TrainingPlan(game="reversed_reversi", rounds=[ROUNDS[0] | changed])


def test_the_staff_sees_what_is_in_hand(learners: Learners) -> None:
    """A host's work, the figures, and what lies in the archive store show chunks like any other work."""
    learners.create()
    for message in learners.messages():
        if message.spec.part is Part.STAGE:
            break
        learners.record(message)
    learners.heartbeat(message)
    settings = learners.world.settings
    with learners.world.database.reading() as session:
        (host,), _ = workers.list_hosts(session, settings, 0, 10)
        (piece,) = host.in_hand
        assert (piece.kind, piece.work.training, piece.work.chunk) == (TRAININGS, 1, message.chunk)
        told = figures.figures(session, settings)
        assert told.depths[TRAININGS][MatchState.RUNNING] == 1
        assert told.ages[TRAININGS] >= 0.0
    with learners.world.database.reading() as session:
        sizes = {each.name: each for each in storage.storage(session, settings, learners.world.staff).folders}
        assert sizes["archives"].unused_files == 0
