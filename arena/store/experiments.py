"""Queries for experiments, their chunks and their recorded games."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Select, delete, exists, func, insert, select
from sqlalchemy.orm import Session

from arena.core.terms import ExperimentState, MatchState
from arena.store.leases import ISSUED, locked
from arena.store.models import Experiment, ExperimentChunk, ExperimentGame

BATCH = 1000


def by_id(session: Session, number: int) -> Experiment | None:
    """The experiment of that number."""
    return session.get(Experiment, number)


def all_experiments() -> Select[Experiment]:
    """All experiments, newest first."""
    return select(Experiment).order_by(Experiment.id.desc())


def running(session: Session) -> Sequence[Experiment]:
    """The experiments that are not over, oldest first."""
    query = select(Experiment).where(Experiment.state == ExperimentState.RUNNING).order_by(Experiment.id)
    return session.scalars(query).all()


def lock(session: Session, number: int) -> Experiment:
    """The experiment as it is now; nobody else changes it until this transaction ends.

    Whoever locks an experiment and its chunks locks the experiment first.
    """
    query = select(Experiment).where(Experiment.id == number)
    query = query.with_for_update(of=Experiment).execution_options(populate_existing=True)
    return session.scalars(query).one()


def lock_chunk(session: Session, number: int, start: int) -> ExperimentChunk | None:
    """The chunk that begins at `start` as it is now, None where there is none any more."""
    query = select(ExperimentChunk).where(
        ExperimentChunk.experiment_id == number, ExperimentChunk.start == start
    )
    return session.scalar(locked(query, ExperimentChunk))


def lock_pending(session: Session, experiment: Experiment, limit: int) -> Sequence[ExperimentChunk]:
    """The first chunks that were lost and are to be played again."""
    query = select(ExperimentChunk).where(
        ExperimentChunk.experiment_id == experiment.id, ExperimentChunk.state == MatchState.PENDING
    )
    query = query.order_by(ExperimentChunk.start).limit(limit)
    return session.scalars(locked(query, ExperimentChunk)).all()


def lock_expired(session: Session, numbers: Collection[int], now: dt.datetime) -> Sequence[ExperimentChunk]:
    """The issued chunks of these experiments whose lease ran out before `now`, locked."""
    query = select(ExperimentChunk).where(ExperimentChunk.experiment_id.in_(numbers), _expired(now))
    query = query.order_by(ExperimentChunk.experiment_id, ExperimentChunk.start)
    return session.scalars(locked(query, ExperimentChunk)).all()


def with_expired(session: Session, now: dt.datetime) -> Sequence[int]:
    """The experiments that have issued chunks whose lease ran out before `now`."""
    query = select(ExperimentChunk.experiment_id).where(_expired(now)).distinct()
    return session.scalars(query.order_by(ExperimentChunk.experiment_id)).all()


def with_tokens(session: Session, tokens: Collection[str]) -> Sequence[int]:
    """The experiments that have chunks with one of these tokens."""
    query = select(ExperimentChunk.experiment_id).where(ExperimentChunk.token.in_(tokens)).distinct()
    return session.scalars(query.order_by(ExperimentChunk.experiment_id)).all()


def _expired(now: dt.datetime) -> Any:
    return ExperimentChunk.state.in_(ISSUED) & (ExperimentChunk.lease_until < now)


def any_pending(session: Session, experiment: Experiment) -> bool:
    """Whether a chunk was lost and is to be played again."""
    query = exists().where(
        ExperimentChunk.experiment_id == experiment.id, ExperimentChunk.state == MatchState.PENDING
    )
    return bool(session.scalar(select(query)))


def count_chunks(session: Session, experiment: Experiment) -> int:
    """How many chunks are in play, wait for that, or wait for one before them."""
    query = select(func.count()).select_from(ExperimentChunk)
    return session.scalar(query.where(ExperimentChunk.experiment_id == experiment.id)) or 0


def finished_from(session: Session, experiment: Experiment, start: int) -> ExperimentChunk | None:
    """The chunk that begins at `start` if it is recorded."""
    chunk = session.get(ExperimentChunk, (experiment.id, start), populate_existing=True)
    return chunk if chunk and chunk.state == MatchState.FINISHED else None


def delete_chunks(session: Session, experiment: Experiment) -> None:
    """Forget all chunks, so that what is still reported of them is refused."""
    query = delete(ExperimentChunk).where(ExperimentChunk.experiment_id == experiment.id)
    session.execute(query, execution_options={"synchronize_session": "fetch"})


def insert_games(session: Session, rows: Iterable[dict[str, Any]]) -> None:
    """Insert recorded games."""
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        session.execute(insert(ExperimentGame), batch)


def delete_games_from(session: Session, experiment: Experiment, index: int) -> None:
    """Forget the recorded games from `index` on, which are not part of the result."""
    query = delete(ExperimentGame).where(
        ExperimentGame.experiment_id == experiment.id, ExperimentGame.index >= index
    )
    session.execute(query, execution_options={"synchronize_session": False})


def games(session: Session, experiment: Experiment, start: int, end: int) -> Sequence[ExperimentGame]:
    """The recorded games `start` to ``end - 1``, in order."""
    query = select(ExperimentGame).where(
        ExperimentGame.experiment_id == experiment.id,
        ExperimentGame.index >= start,
        ExperimentGame.index < end,
    )
    return session.scalars(query.order_by(ExperimentGame.index)).all()
