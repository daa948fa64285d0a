"""Queries for trainings, the chunks that are given out of them, and what came of these."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ScalarSelect, Select, delete, func, select
from sqlalchemy.orm import Session

from arena.core.terms import OPEN_TRAININGS, MatchState, TrainingState
from arena.store.leases import ISSUED, locked
from arena.store.models import Training, TrainingChunk, TrainingPart
from workers.training.plan import Part

BATCH = 100
"""So many parts are read at once; one may have half a megabyte."""


def by_id(session: Session, number: int) -> Training | None:
    """The training of that number."""
    return session.get(Training, number)


def newest() -> Select[Training]:
    """All trainings, the newest first."""
    return select(Training).order_by(Training.id.desc())


def running(session: Session) -> Sequence[Training]:
    """The trainings that go on, the oldest first."""
    query = select(Training).where(Training.state == TrainingState.RUNNING).order_by(Training.id)
    return session.scalars(query).all()


def leftover(session: Session) -> Sequence[Training]:
    """The trainings that do not go on and still have in the archive store what their work takes."""
    over = [state for state in TrainingState if state is not TrainingState.RUNNING]
    query = select(Training).where(Training.state.in_(over), Training.given.is_not(None))
    return session.scalars(query.order_by(Training.id)).all()


def given(session: Session) -> set[str]:
    """The SHA-256 of all that the archive store has for trainings."""
    return {sha for shas in given_by(session).values() for sha in shas}


def given_by(session: Session) -> dict[int, set[str]]:
    """The same by the numbers of the trainings."""
    query = select(Training.id, Training.given).where(Training.given.is_not(None))
    return {number: {*(given or "").split()} for number, given in session.execute(query)}


class OpenTraining(NamedTuple):
    """A training that is not over, and how many of its chunks wait, are given out, and are in hand."""

    number: int
    state: TrainingState
    plan: dict[str, Any]
    round: int
    part: Part
    created_at: dt.datetime
    pending: int
    published: int
    running: int


def open_trainings(session: Session, limit: int) -> tuple[list[OpenTraining], int]:
    """The trainings that are not over, oldest first, and how many there are."""
    is_open = Training.state.in_(OPEN_TRAININGS)
    total = session.scalar(select(func.count()).select_from(Training).where(is_open)) or 0
    one, states = Training, (MatchState.PENDING, MatchState.PUBLISHED, MatchState.RUNNING)
    query = select(one.id, one.state, one.plan, one.round, one.part, one.created_at)
    query = query.add_columns(*map(_chunks_in, states))
    rows = session.execute(query.where(is_open).order_by(one.id).limit(limit))
    return [OpenTraining(*row) for row in rows], total


def _chunks_in(state: MatchState) -> ScalarSelect[int]:
    query = select(func.count()).select_from(TrainingChunk)
    query = query.where(TrainingChunk.training_id == Training.id, TrainingChunk.state == state)
    return query.correlate(Training).scalar_subquery()


def lock_all(session: Session, numbers: Collection[int]) -> Sequence[Training]:
    """Those of these trainings that there are, as they are now, locked in the order of their numbers.

    Whoever locks a training and its chunks locks the training first.
    """
    query = select(Training).where(Training.id.in_(numbers)).order_by(Training.id)
    query = query.with_for_update(of=Training).execution_options(populate_existing=True)
    return session.scalars(query).all()


def lock(session: Session, number: int) -> Training:
    """The training as it is now; nobody else changes it, or its chunks, until this transaction ends."""
    (training,) = lock_all(session, [number])
    return training


def lock_chunk(session: Session, training: int, number: int) -> TrainingChunk | None:
    """The chunk of that number as it is now, None where there is none any more."""
    chunk = TrainingChunk
    query = select(chunk).where(chunk.training_id == training, chunk.number == number)
    return session.scalar(locked(query, chunk))


def lock_pending(session: Session, training: Training, limit: int) -> Sequence[TrainingChunk]:
    """The first chunks that wait to be given out, locked."""
    chunk = TrainingChunk
    query = select(chunk).where(chunk.training_id == training.id, chunk.state == MatchState.PENDING)
    return session.scalars(locked(query.order_by(chunk.number).limit(limit), chunk)).all()


def lock_expired(session: Session, trainings: Collection[int], now: dt.datetime) -> Sequence[TrainingChunk]:
    """The chunks of these trainings that are given out and whose lease ran out before `now`, locked."""
    chunk = TrainingChunk
    query = select(chunk).where(chunk.training_id.in_(trainings), _expired(now))
    return session.scalars(locked(query.order_by(chunk.training_id, chunk.number), chunk)).all()


def with_expired(session: Session, now: dt.datetime) -> Sequence[int]:
    """The trainings that have such chunks."""
    return session.scalars(select(TrainingChunk.training_id).where(_expired(now)).distinct()).all()


def with_tokens(session: Session, tokens: Collection[str]) -> Sequence[int]:
    """The trainings that have chunks with one of these tokens."""
    query = select(TrainingChunk.training_id).where(TrainingChunk.token.in_(tokens))
    return session.scalars(query.distinct()).all()


def _expired(now: dt.datetime) -> Any:
    return TrainingChunk.state.in_(ISSUED) & (TrainingChunk.lease_until < now)


def in_play(session: Session) -> Sequence[TrainingChunk]:
    """The chunks that workers have in hand."""
    return session.scalars(select(TrainingChunk).where(TrainingChunk.state == MatchState.RUNNING)).all()


def release_chunks(session: Session, training: Training) -> None:
    """Have all chunks wait to be given out anew, so that what is still reported of them is refused."""
    for chunk in _lock_chunks(session, training):
        chunk.release(MatchState.PENDING)
        chunk.lost = 0
    session.flush()


def delete_chunks(session: Session, training: Training) -> None:
    """Forget all chunks, likewise."""
    for chunk in _lock_chunks(session, training):
        session.delete(chunk)
    session.flush()


def _lock_chunks(session: Session, training: Training) -> Sequence[TrainingChunk]:
    query = select(TrainingChunk).where(TrainingChunk.training_id == training.id)
    return session.scalars(locked(query.order_by(TrainingChunk.number), TrainingChunk)).all()


def chunk_counts(session: Session, numbers: Collection[int]) -> dict[int, Counter[MatchState]]:
    """By the numbers of trainings, how many of each's chunks are in each state."""
    chunk = TrainingChunk
    query = select(chunk.training_id, chunk.state, func.count()).where(chunk.training_id.in_(numbers))
    counts: dict[int, Counter[MatchState]] = {number: Counter() for number in numbers}
    for number, state, count in session.execute(query.group_by(chunk.training_id, chunk.state)):
        counts[number][state] = count
    return counts


def done_of(session: Session, rows: Sequence[Training]) -> dict[int, int]:
    """By the numbers of trainings, how many games, stages or openings are known of what each is at."""
    one, part = Training, TrainingPart
    query = select(one.id, func.sum(part.size)).join(part, part.training_id == one.id)
    query = query.where(one.id.in_([row.id for row in rows]), part.round == one.round, part.part == one.part)
    return {number: int(done) for number, done in session.execute(query.group_by(one.id))}


def payloads_of(session: Session, training: Training, number: int, part: Part) -> Iterator[str]:
    """What came of that part of a round, in base64, in the order of the chunks' numbers."""
    return iter(session.scalars(_of_round(training, number, part, TrainingPart.payload)).yield_per(BATCH))


def stages_of(session: Session, training: Training, number: int) -> Sequence[tuple[str, list[float] | None]]:
    """The weights in base64 and the errors of the stages of a round, in the order of their numbers."""
    query = _of_round(training, number, Part.STAGE, TrainingPart.payload, TrainingPart.errors)
    return [(payload, errors) for payload, errors in session.execute(query)]


def points_of(session: Session, training: Training, number: int) -> int:
    """Twice the points of a round's player in all of the comparison after it."""
    query = _of_round(training, number, Part.POINTS, TrainingPart.points)
    return sum(points or 0 for points in session.scalars(query))


def _of_round(training: Training, number: int, part: Part, *columns: Any) -> Select[Any]:
    query = select(*columns).where(TrainingPart.training_id == training.id, TrainingPart.round == number)
    return query.where(TrainingPart.part == part).order_by(TrainingPart.first)


def parts(session: Session, training: Training) -> Iterator[TrainingPart]:
    """All that came of a training, in the order in which it did."""
    number = -1
    query = select(TrainingPart).where(TrainingPart.training_id == training.id).order_by(TrainingPart.number)
    while rows := session.scalars(query.where(TrainingPart.number > number).limit(BATCH)).all():
        yield from rows
        number = rows[-1].number


def delete_games(session: Session, training: Training, number: int) -> None:
    """Forget the games of a round, once nothing follows from them any more."""
    part = TrainingPart
    query = delete(part).where(part.training_id == training.id, part.round == number, part.part == Part.GAMES)
    session.execute(query.execution_options(synchronize_session=False))
