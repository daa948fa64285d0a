"""Queries for work that is given out under leases, of any kind."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import TypeVar

from sqlalchemy import ColumnElement, Select, func, inspect, literal, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from arena.core.terms import MatchState
from arena.store.models import (
    Analysis,
    Check,
    Experiment,
    ExperimentChunk,
    Match,
    PlayTurn,
    Repeat,
    ScrimmageGame,
    Solve,
    SolveLeaf,
    Training,
    TrainingChunk,
)

_WORKS = Match, Check, ExperimentChunk, ScrimmageGame, PlayTurn, Analysis, Repeat, SolveLeaf, TrainingChunk
_TIMED = Check, PlayTurn, ScrimmageGame, Analysis
"""What must be over at some time, whatever its worker says."""
ISSUED = (MatchState.PUBLISHED, MatchState.RUNNING)
"""The states of what is given out."""

Work = (
    type[Match]
    | type[Check]
    | type[ExperimentChunk]
    | type[ScrimmageGame]
    | type[PlayTurn]
    | type[Analysis]
    | type[Repeat]
    | type[SolveLeaf]
    | type[TrainingChunk]
)
Ledger = Match | Check | Experiment | ScrimmageGame | PlayTurn | Analysis | Repeat | Solve | Training
"""Where refused reports are counted."""
_NEEDS: dict[Work, ColumnElement[str]] = {
    Match: Match.needs.expression,
    PlayTurn: PlayTurn.needs.expression,
    Repeat: Repeat.needs.expression,
    Analysis: literal(""),
    ScrimmageGame: ScrimmageGame.needs.expression,
    ExperimentChunk: Experiment.needs.expression,
}
"""What work needs that others give way to."""
Owner = TypeVar("Owner", int, str)
W = TypeVar(
    "W",
    Match,
    Check,
    ExperimentChunk,
    ScrimmageGame,
    PlayTurn,
    Analysis,
    Repeat,
    SolveLeaf,
    TrainingChunk,
)


def locked(query: Select[W], work: type[W], *, skip: bool = False) -> Select[W]:
    """The query for rows as they are now, which nobody else changes until this transaction ends.

    Others may write rows that refer to these meanwhile. With `skip` those are left out that somebody else
    has locked.
    """
    query = query.with_for_update(of=work, key_share=True, skip_locked=skip)
    return query.execution_options(populate_existing=True)


def extend_short(session: Session, work: Work, until: dt.datetime) -> None:
    """Let no lease run out before `until`, and what must be over at some time have its whole time again."""
    query = update(work).where(work.state.in_(ISSUED), work.lease_until < until).values(lease_until=until)
    session.execute(query, execution_options={"synchronize_session": False})
    if issubclass(work, _TIMED):
        anew = update(work).where(work.state.in_(ISSUED)).values(ends_at=None)
        session.execute(anew, execution_options={"synchronize_session": False})


def shorten_long(session: Session, work: Work, until: dt.datetime) -> None:
    """Let no lease last beyond `until`."""
    query = update(work).where(work.state.in_(ISSUED), work.lease_until > until).values(lease_until=until)
    session.execute(query, execution_options={"synchronize_session": False})


def issued_tokens(session: Session, work: Work) -> set[str]:
    """The tokens that are listened to at present."""
    query = select(work.token).where(work.state.in_(ISSUED))
    return {token for token in session.scalars(query) if token}


def published_tokens(session: Session, work: Work) -> set[str]:
    """The tokens of what waits for a worker."""
    query = select(work.token).where(work.state == MatchState.PUBLISHED)
    return {token for token in session.scalars(query) if token}


def tokens_on(session: Session, work: Work, hosts: Collection[str]) -> set[str]:
    """The tokens of what these hosts have in hand."""
    query = select(work.token).where(work.state == MatchState.RUNNING, work.host.in_(hosts))
    return {token for token in session.scalars(query) if token}


def lock_tokens(
    session: Session, work: type[W], tokens: Collection[str], states: Collection[MatchState]
) -> Sequence[W]:
    """What is given out under these tokens and in one of these states, locked."""
    query = select(work).where(work.token.in_(tokens), work.state.in_(states))
    return session.scalars(locked(query.order_by(*inspect(work).primary_key), work)).all()


def lock_expired(session: Session, work: type[W], now: dt.datetime, limit: int) -> Sequence[W]:
    """What is given out and has a lease that ran out before `now`, locked."""
    query = select(work).where(work.state.in_(ISSUED), work.lease_until < now)
    return session.scalars(locked(query.order_by(*inspect(work).primary_key).limit(limit), work)).all()


def count_published(session: Session, work: Work) -> int:
    """How much waits for a worker."""
    query = select(func.count()).select_from(work).where(work.state == MatchState.PUBLISHED)
    return session.scalar(query) or 0


def published_of(session: Session, owner: InstrumentedAttribute[int]) -> dict[int, int]:
    """How much waits for a worker of each owner that has any; the owner is a column of the work."""
    return issued_of(session, owner, (MatchState.PUBLISHED,))


def issued_of(
    session: Session, owner: InstrumentedAttribute[Owner], states: Collection[MatchState] = ISSUED
) -> dict[Owner, int]:
    """The same of all that is given out."""
    work = owner.class_
    query = select(owner, func.count()).where(work.state.in_(states)).group_by(owner)
    return {row[0]: row[1] for row in session.execute(query)}


def ends(session: Session, work: Work) -> tuple[dt.datetime, dt.datetime] | None:
    """When the first and the last of the leases run out; None where there are none."""
    query = select(func.min(work.lease_until), func.max(work.lease_until)).where(work.state.in_(ISSUED))
    first, last = session.execute(query).one()
    return None if first is None or last is None else (first, last)


def needs_waiting(session: Session, works: Collection[Work], until: dt.datetime) -> set[str]:
    """What that work needs which waits for a worker under leases that end before then."""
    found = set[str]()
    for work in works:
        query = select(_NEEDS[work]).distinct().select_from(work)
        if work is ExperimentChunk:
            query = query.join(Experiment, Experiment.id == ExperimentChunk.experiment_id)
        waits = work.state == MatchState.PUBLISHED, work.lease_until < until
        if work is Analysis:
            query = query.where(~Analysis.idle)  # nothing gives way to these
        found.update(session.scalars(query.where(*waits)))
    return found


def anything_waits(session: Session) -> bool:
    """Whether any work waits for a worker but for analyses in idle time."""
    for work in _WORKS:
        query = select(literal(1)).select_from(work).where(work.state == MatchState.PUBLISHED)
        if work is Analysis:
            query = query.where(~Analysis.idle)
        if session.scalar(query.limit(1)):
            return True
    return False
