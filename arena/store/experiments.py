"""Queries for experiments, their chunks and their recorded games."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Float, Select, and_, case, cast, delete, exists, func, insert, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, selectinload

from arena.core.terms import UNFINISHED, ExperimentState, MatchState, Role
from arena.store.leases import ISSUED, locked
from arena.store.models import Experiment, ExperimentChunk, ExperimentGame, Sweep, User

BATCH = 1000


def by_id(session: Session, number: int) -> Experiment | None:
    """The experiment of that number."""
    return session.get(Experiment, number)


class Seen(NamedTuple):
    """Whose experiments and sweeps are seen besides those of nobody: an account's, and those of classes."""

    account_id: int | None = None
    classes: Collection[int] = ()


def seen(by: Seen | None, *, alone: bool = False) -> Select[Experiment]:
    """The experiments that are seen, newest first, or those of no sweep; all of them without a limit."""
    query = select(Experiment).order_by(Experiment.id.desc()).options(selectinload(Experiment.sweep))
    if alone:
        query = query.where(Experiment.sweep_id.is_(None))
    return query if by is None else query.where(_seen(Experiment.owner_id, by))


def sweeps_seen(by: Seen | None) -> Select[Sweep]:
    """The sweeps that are seen, newest first; all of them without a limit."""
    query = select(Sweep).order_by(Sweep.id.desc())
    return query if by is None else query.where(_seen(Sweep.owner_id, by))


def _seen(owner_id: InstrumentedAttribute[int | None], by: Seen) -> Any:
    taught = select(User.id).where(User.class_id.in_(by.classes), User.role.in_((Role.TEAM, Role.READER)))
    return or_(owner_id.is_(None), owner_id == by.account_id, owner_id.in_(taught))


def sweep_named(session: Session, name: str) -> Sweep | None:
    """The sweep of that name."""
    return session.scalar(select(Sweep).where(Sweep.name == name))


def cells(
    session: Session, sweep: Sweep, *states: ExperimentState, offset: int = 0, limit: int | None = None
) -> Sequence[Experiment]:
    """The experiments of a sweep in the order of its cells; with `states` only those in one of them."""
    query = select(Experiment).where(Experiment.sweep_id == sweep.id).order_by(Experiment.cell)
    query = query.offset(offset).limit(limit)
    return session.scalars(query.where(Experiment.state.in_(states)) if states else query).unique().all()


class StateCounts(NamedTuple):
    """How far those cells of a sweep are that are in a state: their number, their games, and what these took.

    Workers took `spent_ns` for the `recorded` games. `begun` of the cells have such games, whose times a game
    add up to `ns_a_game`; the others have `fresh` games in all.
    """

    sweep_id: int
    state: ExperimentState
    cells: int
    games: int
    done: int
    recorded: int
    spent_ns: int
    began: dt.datetime | None
    until: dt.datetime | None
    begun: int
    ns_a_game: float
    fresh: int


_RECORDED = Experiment.done + Experiment.ahead
_BEGUN = and_(_RECORDED > 0, Experiment.spent_ns > 0)


def state_counts(session: Session, sweeps: Collection[Sweep]) -> Sequence[StateCounts]:
    """How far some sweeps are, a row for each state that cells of one are in."""
    one = Experiment
    query = select(
        *(one.sweep_id, one.state, func.count(), func.sum(one.games), func.sum(one.done)),
        *(func.sum(_RECORDED), func.sum(one.spent_ns), func.min(one.started_at), func.max(one.recorded_at)),
        func.sum(case((_BEGUN, 1), else_=0)),
        func.sum(case((_BEGUN, cast(one.spent_ns, Float) / _RECORDED), else_=0.0)),
        func.sum(case((_BEGUN, 0), else_=one.games - _RECORDED)),
    )
    query = query.where(one.sweep_id.in_([each.id for each in sweeps])).group_by(one.sweep_id, one.state)
    return [StateCounts(*row) for row in session.execute(query)]


def begun_cells(session: Session, sweeps: Collection[Sweep]) -> Sequence[Experiment]:
    """The experiments of some sweeps that are not over and of which games are recorded."""
    query = select(Experiment).where(Experiment.sweep_id.in_([each.id for each in sweeps]))
    return session.scalars(query.where(Experiment.state.in_(UNFINISHED), _BEGUN)).unique().all()


def count_running(session: Session, sweep_id: int) -> int:
    """How many experiments of a sweep are running."""
    query = select(func.count()).select_from(Experiment)
    return (
        session.scalar(
            query.where(Experiment.sweep_id == sweep_id, Experiment.state == ExperimentState.RUNNING)
        )
        or 0
    )


def lock_unfinished(session: Session, sweep: Sweep) -> Sequence[Experiment]:
    """The experiments of a sweep that are not over once they are locked, in the order of their numbers."""
    query = select(Experiment).where(Experiment.sweep_id == sweep.id, Experiment.state.in_(UNFINISHED))
    query = query.order_by(Experiment.id).with_for_update(of=Experiment)
    return session.scalars(query.execution_options(populate_existing=True)).unique().all()


def lock_waiting(session: Session, sweep_id: int, limit: int) -> Sequence[Experiment]:
    """The first experiments of a sweep that wait, but for those that somebody else is changing."""
    query = select(Experiment).where(
        Experiment.sweep_id == sweep_id, Experiment.state == ExperimentState.WAITING
    )
    query = query.order_by(Experiment.cell).limit(limit).with_for_update(of=Experiment, skip_locked=True)
    return session.scalars(query.execution_options(populate_existing=True)).unique().all()


class Asked(NamedTuple):
    """Games of an experiment that are played or shall be, the bots' languages, and whether each is kept."""

    games: int
    needs: str
    recorded: bool


def asked_since(session: Session, owner: User, since: dt.datetime) -> Sequence[Asked]:
    """What a team has asked for since then.

    What goes on or ended since counts however long ago it was made: it may have been taken up again.
    """
    over = Experiment.state.not_in(UNFINISHED)
    games = case((over, Experiment.done), else_=Experiment.games)
    recorded = Experiment.spec["record_games"].as_boolean()
    query = select(games, Experiment.needs, recorded).where(
        Experiment.owner_id == owner.account_id,
        (Experiment.created_at >= since) | (Experiment.finished_at >= since) | ~over,
    )
    return [Asked(*row) for row in session.execute(query)]


def open_orders(session: Session, owner: User) -> int:
    """How many sweeps, and experiments of none, a team has that are not over."""
    mine = (Experiment.owner_id == owner.account_id) & Experiment.state.in_(UNFINISHED)
    single = select(func.count()).select_from(Experiment).where(mine, Experiment.sweep_id.is_(None))
    swept = select(func.count(func.distinct(Experiment.sweep_id))).where(mine)
    return (session.scalar(single) or 0) + (session.scalar(swept) or 0)


def running(session: Session) -> Sequence[Experiment]:
    """The experiments that are not over, oldest first."""
    query = select(Experiment).where(Experiment.state == ExperimentState.RUNNING).order_by(Experiment.id)
    return session.scalars(query).unique().all()


def lock(session: Session, number: int) -> Experiment:
    """The experiment as it is now; nobody else changes it until this transaction ends.

    Whoever locks an experiment and its chunks locks the experiment first.
    """
    query = select(Experiment).where(Experiment.id == number)
    query = query.with_for_update(of=Experiment).execution_options(populate_existing=True)
    return session.scalars(query).unique().one()


def lock_all(session: Session, numbers: Collection[int]) -> Sequence[Experiment]:
    """Those of these experiments that there are, as they are now, locked in the order of their numbers."""
    query = select(Experiment).where(Experiment.id.in_(numbers)).order_by(Experiment.id)
    query = query.with_for_update(of=Experiment).execution_options(populate_existing=True)
    return session.scalars(query).unique().all()


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


def count_pending(session: Session, experiment: Experiment) -> int:
    """How many chunks were lost and are to be played again."""
    query = select(func.count()).where(
        ExperimentChunk.experiment_id == experiment.id, ExperimentChunk.state == MatchState.PENDING
    )
    return session.scalar(query) or 0


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
