"""The coordinator gives out the parts of trainings, by which players learn, after all other work.

A round is played, fitted and compared one after another; the chunks of each of these parts are given out as
there is room, and once all of them came in the next part is begun. What its chunks take (weights, the games
of a round) is put together in the order of the chunks' numbers, so that it is the same whoever did what, and
kept in the archive store for as long as it is needed (`learning_steps`).

Of an answer little can be seen (`learning_reports`), so only trusted hosts are asked.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import structlog
from sqlalchemy.orm import Session

from arena.coordinator.learning_reports import answer_of
from arena.coordinator.learning_steps import Step, is_possible, removed, step_of
from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import TrainingMessage
from arena.coordinator.sharing import Gathered, Turns, giving_way
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, TrainingState
from arena.experiments import trainings
from arena.store import leases, worker_keys
from arena.store import trainings as store
from arena.store.models import (
    Training,
    TrainingChunk,
    TrainingPart,
)
from arena.submissions import hosts
from workers.programs.archive_store import ArchiveStore
from workers.programs.serving import TRAININGS
from workers.training.contract import RoundSpec, TrainingAnswer, TrainingSpec
from workers.training.plan import Chunk, Part, chunks_of, first_of

PARTS: Final = tuple(Part)

log = structlog.get_logger()


class Learning(WorkType[TrainingChunk, TrainingMessage, TrainingAnswer]):
    """Given out for running trainings to trusted hosts; their training keeps the ledger."""

    kind = TRAININGS
    model = TrainingChunk
    unfit = "what is reported does not fit"

    def __init__(self) -> None:
        self._turns = Turns[int]()
        self._steps: dict[int, Step] = {}
        self._cleared: set[int] = set()
        self._lost: dict[int, int] = {}
        """By the numbers of trainings, the losses when it was seen to that chunks have what they take."""
        self._stale: set[str] = set()
        """What is in the archive store, by its SHA-256, and goes once no training has it."""

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is a chunk to give out, and room for it, or something to record of a training."""
        leftover, running = store.leftover(session), store.running(session)
        self._steps, self._cleared = {}, set()
        if not (leftover or running or self._stale):
            return False
        archives = ArchiveStore(settings.archive_url)
        needed = store.given_by(session)
        self._stale -= set().union(*needed.values())
        self._stale -= removed(archives, self._stale)
        for training in leftover:
            useless = needed.pop(training.id) - set().union(*needed.values())
            if removed(archives, useless) == useless:
                self._cleared.add(training.id)
        counts = store.chunk_counts(session, [training.id for training in running])
        for training in running:
            over = _is_over(training, counts[training.id])
            anew = training.given is None or training.lost > self._lost.get(training.id, 0)
            if over or anew or not is_possible(training):
                step = self._steps[training.id] = step_of(session, archives, training, over=over)
                self._stale |= {*step.put, *(training.given or "").split()}
        self._lost = {training.id: training.lost for training in running}
        if self._steps or self._cleared:
            return True
        room = settings.chunk_window - sum(each[MatchState.PUBLISHED] for each in counts.values())
        there = any(each[MatchState.PENDING] for each in counts.values()) or any(map(_left, running))
        return there and room > 0 and bool(self.served(session, settings))

    def due(self, session: Session, settings: Settings) -> Sequence[TrainingChunk]:
        """Record what the trainings go on to; then the next chunks of those whose turn it is."""
        running = [each.id for each in store.running(session)]
        held = store.lock_all(session, {*self._cleared, *self._steps, *running})
        for training in held:
            if training.id in self._cleared:
                training.given = None
            elif training.id in self._steps:
                _go_on(session, training, self._steps[training.id])
        self._steps, self._cleared = {}, set()
        going = [each for each in held if each.state == TrainingState.RUNNING and each.given is not None]
        counts = store.chunk_counts(session, [training.id for training in going])
        room = settings.chunk_window - sum(leases.published_of(session, TrainingChunk.training_id).values())
        if room <= 0 or not going or not self.served(session, settings):
            return []
        waiting = {training.id: counts[training.id][MatchState.PUBLISHED] for training in going}
        there = {training.id: counts[training.id][MatchState.PENDING] + _left(training) for training in going}
        parts = self._turns.parts_of(room, waiting, there)
        return [chunk for training in going for chunk in _next(session, training, parts[training.id])]

    def rest(self) -> None:
        """Forget what is made and was not recorded: another one leads now."""
        self._steps, self._cleared, self._lost = {}, set(), {}

    def ousted(self, session: Session, settings: Settings, now: dt.datetime) -> set[str]:
        """The tokens of what is in hand where other work could be that has waited for a while."""
        return giving_way(session, settings, store.in_play(session), now)

    def served(self, session: Session, settings: Settings) -> set[str]:
        """No language; but where no trusted host is there that can learn, nothing is."""
        return {""} if hosts.can_learn(session, settings) else set()

    def issued(self, session: Session, row: TrainingChunk, token: str) -> TrainingMessage:
        """The message has all that the chunk follows from, and what it takes by its SHA-256."""
        del session
        training = row.training
        told, plan = training.plan, trainings.plan_of(training)
        spec = TrainingSpec(
            game=trainings.game_of(told),
            engine=told["engine"],
            seed=told["seed"],
            part=row.part,
            first=first_of(plan, row.part, Chunk(row.round, row.first, row.size)),
            size=row.size,
            by=RoundSpec(**told["rounds"][row.round]),
            given=tuple((training.given or "").split()),
        )
        return TrainingMessage(spec, training.id, row.number, row.attempt, token)

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> Gathered:
        """The trainings, whose chunks nobody else changes then, and whose word counts."""
        del counting
        held = store.lock_all(session, {training for training, _ in keys})
        return Gathered(held, worker_keys.trusted(session))

    def may(self, row: TrainingChunk, host: str | None, gathered: Gathered) -> bool:
        """A trusted host."""
        del row
        return host in gathered.trusted

    def lock(self, session: Session, key: tuple[int, ...]) -> tuple[TrainingChunk | None, Training | None]:
        """The chunk of that training with that number."""
        number, chunk = key
        training = store.by_id(session, number)
        return (None, None) if training is None else (store.lock_chunk(session, number, chunk), training)

    def lock_tokens(
        self, session: Session, tokens: Collection[str], states: Collection[MatchState]
    ) -> Sequence[TrainingChunk]:
        """The chunks with these tokens, locked after their trainings."""
        store.lock_all(session, store.with_tokens(session, tokens))
        return super().lock_tokens(session, tokens, states)

    def lock_expired(self, session: Session, now: dt.datetime) -> Sequence[TrainingChunk]:
        """The silent chunks, however many, locked after their trainings."""
        held = store.lock_all(session, store.with_expired(session, now))
        return store.lock_expired(session, [each.id for each in held], now)

    def needs(self, row: TrainingChunk) -> str:
        """No language."""
        del row
        return ""

    def lost(self, session: Session, row: TrainingChunk, trouble: str) -> None:
        """It is to be done again; the training is paused where that was once too often."""
        trainings.lost(session, row, trouble)

    def fit(self, row: TrainingChunk, report: Mapping[str, Any]) -> TrainingAnswer:
        """As many games, such weights with errors, or points, as such a chunk comes to."""
        return answer_of(row, report)

    def write(self, session: Session, row: TrainingChunk, fit: TrainingAnswer, gathered: Any) -> Verdict:
        """Keep what came of it."""
        del gathered
        training = row.training
        part = TrainingPart(training_id=training.id, number=training.answers, host=row.host)
        part.round, part.part, part.first, part.size = row.round, row.part, row.first, row.size
        part.payload, part.points = fit.payload, fit.points
        part.errors = None if fit.errors is None else [*fit.errors]
        session.add(part)
        session.delete(row)
        training.answers += 1
        training.spent_ns += fit.elapsed_ns
        training.recorded_at = utc_now()
        session.flush()
        return Verdict.TAKEN


WORK = Learning()


def _left(training: Training) -> int:
    """How many chunks of the part that a training is at were never given out."""
    size = 1 if training.part is Part.STAGE else int(training.plan["chunk"])
    return math.ceil((training.total - training.next) / size)


def _is_over(training: Training, chunks: Mapping[MatchState, int]) -> bool:
    """Whether all of the part that a training is at came in."""
    return not any(chunks.values()) and not _left(training)


def _go_on(session: Session, training: Training, step: Step) -> None:
    """Record what a (locked) training goes on to; of one that was ended meanwhile, what is to be removed."""
    training.given = step.given
    if training.state != TrainingState.RUNNING:
        return
    if step.told is not None:
        training.curve = [*training.curve, step.told]
    if (step.round, step.part) != (training.round, training.part):
        if training.part is Part.STAGE:
            store.delete_games(session, training, training.round)
        training.round, training.part = step.round, step.part
        training.next, training.total = 0, step.total
    if step.state == TrainingState.FINISHED:
        trainings.finish(session, training)
    elif step.state == TrainingState.FAILED:
        trainings.fail(session, training, step.trouble or "")
    elif step.state == TrainingState.PAUSED:
        trainings.stop(session, training, step.trouble or "")


def _next(session: Session, training: Training, count: int) -> list[TrainingChunk]:
    """So many chunks to give out: those that were given out before first."""
    if not count:
        return []
    training.started_at = training.started_at or utc_now()
    found = list(store.lock_pending(session, training, count))
    plan = trainings.plan_of(training)
    fresh = (
        chunk for chunk in chunks_of(plan, training.round, training.part) if chunk.first >= training.next
    )
    for chunk in islice(fresh, count - len(found)):
        row = TrainingChunk(training=training, number=training.issued, state=MatchState.PENDING)
        row.round, row.first, row.size = chunk
        row.part, row.attempt, row.lost = training.part, 0, 0
        session.add(row)
        training.issued += 1
        training.next = chunk.first + chunk.size
        found.append(row)
    session.flush()
    return found
