"""Players that are learned, as work that is given out: behind everything else, solves too.

A round is played, fitted and compared one after another; the chunks of each of these parts are given out as
there is room, and once all of them came in the next part is begun. What its chunks take (weights, the games
of a round) is put together in the order of the chunks' numbers, so that it is the same whoever did what, and
kept in the archive store for as long as it is needed.

Of an answer nothing can be seen but its form, so only trusted hosts are asked.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import structlog
from sqlalchemy.orm import Session

from arena.coordinator.learning_reports import answer_of
from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import TrainingMessage
from arena.coordinator.sharing import Turns, in_the_way, until_of
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, TrainingState
from arena.experiments import trainings
from arena.store import leases, worker_keys
from arena.store import trainings as store
from arena.store.models import (
    Analysis,
    ExperimentChunk,
    Match,
    PlayTurn,
    Repeat,
    ScrimmageGame,
    Training,
    TrainingChunk,
    TrainingPart,
)
from arena.submissions import hosts
from engines.game import GameError
from workers.core.errors import ArchiveMissingError, ArchiveUnwritableError, SpecError
from workers.host.serving import TRAININGS
from workers.programs.archive_store import ArchiveStore
from workers.training.contract import RoundSpec, TrainingAnswer, TrainingSpec
from workers.training.plan import Chunk, Part, Plan, chunks_of, first_of, length_of

FIRST: Final[Collection[leases.Work]] = (Match, PlayTurn)
FIRST_SECONDS = 1.0
"""So long a match or a turn against a person waits before a chunk gives way to it."""
BEFORE: Final[Collection[leases.Work]] = (Repeat, Analysis, ScrimmageGame, ExperimentChunk)
BEFORE_SECONDS = 10.0
"""And so long other work does."""
PARTS: Final = tuple(Part)

log = structlog.get_logger()


class Gathered(NamedTuple):
    """Trainings that reports are about, locked, and the hosts whose word counts."""

    held: object
    trusted: Collection[str]


class Learning(WorkType[TrainingChunk, TrainingMessage, TrainingAnswer]):
    """Given out for running trainings to trusted hosts; their training keeps the ledger."""

    kind = TRAININGS
    model = TrainingChunk
    unfit = "what is reported does not fit"

    def __init__(self) -> None:
        self._turns = Turns[int]()

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is a chunk to give out, and room for it, or a part to begin or to clear away."""
        if store.leftover(session):
            return True
        running = store.running(session)
        if not running:
            return False
        counts = store.chunk_counts(session, [training.id for training in running])
        if any(training.given is None or _is_over(training, counts[training.id]) for training in running):
            return True
        room = settings.chunk_window - sum(each[MatchState.PUBLISHED] for each in counts.values())
        there = any(each[MatchState.PENDING] for each in counts.values()) or any(map(_left, running))
        return there and room > 0 and bool(self.served(session, settings))

    def due(self, session: Session, settings: Settings) -> Sequence[TrainingChunk]:
        """Go on to the next parts; then the next chunks of the trainings whose turn it is."""
        archives = ArchiveStore(settings.archive_url)
        for training in store.lock_all(session, store.leftover(session)):
            if training.state != TrainingState.RUNNING:
                _clear(session, archives, training, ())
        running = _running(session)
        counts = store.chunk_counts(session, [training.id for training in running])
        for training in running:
            _go_on(session, archives, training, over=_is_over(training, counts[training.id]))
        going = [training for training in running if training.state == TrainingState.RUNNING]
        room = settings.chunk_window - sum(leases.published_of(session, TrainingChunk.training_id).values())
        if room <= 0 or not going or not self.served(session, settings):
            return []
        waiting = {training.id: counts[training.id][MatchState.PUBLISHED] for training in going}
        there = {training.id: counts[training.id][MatchState.PENDING] + _left(training) for training in going}
        parts = self._turns.parts_of(room, waiting, there)
        return [chunk for training in going for chunk in _next(session, training, parts[training.id])]

    def ousted(self, session: Session, settings: Settings, now: dt.datetime) -> set[str]:
        """The tokens of what is in hand where other work could be that has waited for a while."""
        running = store.in_play(session)
        if not running:
            return set()
        first = in_the_way(session, settings, running, FIRST, until_of(settings, now, FIRST_SECONDS))
        before = in_the_way(session, settings, running, BEFORE, until_of(settings, now, BEFORE_SECONDS))
        return first | before

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


def _running(session: Session) -> list[Training]:
    """The trainings that go on, locked."""
    rows = store.lock_all(session, [each.id for each in store.running(session)])
    return [training for training in rows if training.state == TrainingState.RUNNING]


def _left(training: Training) -> int:
    """How many chunks of the part that a training is at were never given out."""
    size = 1 if training.part is Part.STAGE else int(training.plan["chunk"])
    return math.ceil((training.total - training.next) / size)


def _is_over(training: Training, chunks: Mapping[MatchState, int]) -> bool:
    """Whether all of the part that a training is at came in."""
    return not any(chunks.values()) and not _left(training)


def _go_on(session: Session, archives: ArchiveStore, training: Training, *, over: bool) -> None:
    """Begin the next part of a (locked) training where one is `over`; see to it that its chunks have all."""
    try:
        plan = trainings.plan_of(training)
        if over:
            _step(session, training, plan)
        if over or training.given is None:
            _give(session, archives, training, plan)
    except (GameError, SpecError, ValueError) as error:
        trainings.fail(session, training, str(error))
    except (ArchiveUnwritableError, ArchiveMissingError) as error:
        trainings.stop(session, training, f"{error}; resume it once that is mended")


def _step(session: Session, training: Training, plan: Plan) -> None:
    """Go on to the next part, or round, or end."""
    if training.part is not Part.POINTS:
        training.part = PARTS[PARTS.index(training.part) + 1]
    else:
        trainings.tell_round(session, training, plan, training.round)
        if training.round + 1 == len(plan.rounds):
            trainings.finish(session, training)
            return
        training.round, training.part = training.round + 1, Part.GAMES
    training.next, training.total = 0, length_of(plan, training.round, training.part)


def _give(session: Session, archives: ArchiveStore, training: Training, plan: Plan) -> None:
    """Put into the archive store what the chunks of the part take; what nobody takes any more is removed.

    Raises:
        ValueError: the weights of a round are none.
        ArchiveUnwritableError: the store does not take it.
    """
    if training.state != TrainingState.RUNNING:
        return
    number, part = training.round, training.part
    if part is Part.STAGE:
        given = [trainings.games_of_round(session, training, number)]
    else:
        rounds = ([number] if part is Part.POINTS else []) + ([number - 1] if number else [])
        given = [trainings.fit_of_round(session, training, plan, each).weights for each in rounds]
    _clear(session, archives, training, [archives.put(each) for each in given])


def _clear(session: Session, archives: ArchiveStore, training: Training, kept: Sequence[str]) -> None:
    """Remove what a (locked) training had in the archive store, but for what is kept."""
    before = set((training.given or "").split())
    training.given = " ".join(kept) if training.state == TrainingState.RUNNING else None
    for sha in before - {*kept} - store.given(session, but=training.id):
        try:
            archives.remove(sha)
        except ArchiveUnwritableError as error:
            log.warning("it stays in the archive store", sha=sha, error=str(error))


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
