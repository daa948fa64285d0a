"""Trainings in the tests' small world: a coordinator, and workers that learn in this process."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from arena.coordinator import learning, leases
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.loop import Coordinator
from arena.coordinator.messages import TrainingMessage
from arena.core.terms import OPEN_TRAININGS, TrainingState
from arena.experiments import trainings
from arena.schemas.trainings import TrainingPlan
from arena.store import trainings as store
from arena.store.models import Training, TrainingPart
from engines.strategies.reversi_training import StageFit
from tests.integration.arena.ticking import Later, coordinator_of
from tests.integration.arena.world import World, taken
from workers.programs.archive_store import ArchiveStore
from workers.training.learner import answer_to
from workers.training.plan import Chunk, Learned, Part, Progress

HOST = "test-host"
ROUNDS = [
    {"games": 300, "depth": 2, "solved": 4, "steps": 20},
    {"games": 200, "depth": 2, "solved": 4, "steps": 20},
]
_ANSWERS: dict[str, dict[str, Any]] = {}
PLAN: dict[str, Any] = {"game": "reversed_reversi", "params": {"size": 4}, "seed": 3, "rounds": ROUNDS}


class Learners:
    """A world in which players are learned by a trusted host, whose workers do what they are told at once."""

    def __init__(self, world: World) -> None:
        self.world = world
        world.enrol(HOST)
        self.clock = Later()
        self.coordinator: Coordinator = coordinator_of(world, self.clock)
        self.archives = ArchiveStore(world.settings.archive_url)

    def create(self, **changes: Any) -> int:
        """A new training; its number."""
        with self.world.database.transaction() as session:
            return trainings.create(session, self.world.staff, TrainingPlan(**PLAN | changes)).id

    def get(self, number: int = 1) -> Training:
        """A training as it is in the database now."""
        with self.world.database.reading() as session:
            return trainings.get(session, number)

    def parts(self, number: int = 1) -> list[TrainingPart]:
        """All that came of it."""
        with self.world.database.reading() as session:
            return list(store.parts(session, trainings.get(session, number)))

    @property
    def queue(self) -> list[TrainingMessage]:
        """What waits for a worker."""
        return self.world.broker.trainings

    def answer(self, message: TrainingMessage) -> dict[str, Any]:
        """What a worker comes to; of what was asked before in this process, what it came to then."""
        given = [self.archives.get(sha) for sha in message.spec.given]
        asked = message.spec.model_dump_json()
        if asked not in _ANSWERS:
            _ANSWERS[asked] = answer_to(message.spec, given).model_dump(mode="json")
        return dict(_ANSWERS[asked])

    def record(self, message: TrainingMessage, host: str | None = HOST, **changed: Any) -> Verdict:
        """Report that, or something else."""
        return self._report(leases.record, message, host, report=self.answer(message) | changed)

    def heartbeat(self, message: TrainingMessage, host: str = HOST) -> Verdict:
        """Give a sign of life."""
        return self._report(leases.heartbeat, message, host, host=host)

    def lose(self, message: TrainingMessage, *, stopped: bool = False) -> Verdict:
        """Say that it could not be done."""
        return self._report(leases.lost, message, HOST, host=HOST, trouble="no room", stopped=stopped)

    def _report(
        self, step: leases.Step, message: TrainingMessage, signer: str | None, **told: Any
    ) -> Verdict:
        about = Attempt((message.training, message.chunk), message.attempt, message.token, signer)
        with self.world.database.transaction() as session:
            return taken(step, learning.WORK, session, about, settings=self.world.settings, **told)

    def messages(self, number: int = 1) -> Iterator[TrainingMessage]:
        """One message after the other, taken from the queue, until the training is over."""
        while self.get(number).state in OPEN_TRAININGS:
            self.coordinator.tick()
            if self.queue:
                yield self.queue.pop(0)

    def learn(self, number: int = 1) -> Training:
        """Have workers do what is to be done until the training is over."""
        for message in self.messages(number):
            self.record(message)
        training = self.get(number)
        assert training.state == TrainingState.FINISHED, training.trouble
        return training

    def learned(self, number: int = 1) -> list[Learned]:
        """What the rounds came to, by the parts that are known."""
        progress = Progress(trainings.plan_of(self.get(number)))
        for part in self.parts(number):
            chunk, payload = Chunk(part.round, part.first, part.size), b64decode(part.payload)
            if part.part is Part.GAMES:
                progress.games[chunk] = payload
            elif part.part is Part.STAGE:
                taught, taught_count, held_out, held_out_count = part.errors or (0.0, 0, 0.0, 0)
                fit = StageFit(payload, taught, int(taught_count), held_out, int(held_out_count))
                progress.fitted(chunk, fit)
            else:
                progress.points[chunk] = part.points or 0
        return progress.learned()
