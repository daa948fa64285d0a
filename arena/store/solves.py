"""Queries for solves, the positions that are given out of them, and what is known in them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ScalarSelect, Select, func, insert, select
from sqlalchemy.orm import Session

from arena.core.terms import OPEN_SOLVES, MatchState, SolveState
from arena.store.leases import ISSUED, locked
from arena.store.models import Solve, SolveBound, SolveLeaf, SolveProof

BATCH = 5000


def by_id(session: Session, number: int) -> Solve | None:
    """The solve of that number."""
    return session.get(Solve, number)


def newest() -> Select[Solve]:
    """All solves, the newest first."""
    return select(Solve).order_by(Solve.id.desc())


def running(session: Session) -> Sequence[Solve]:
    """The solves that go on, the oldest first."""
    return session.scalars(select(Solve).where(Solve.state == SolveState.RUNNING).order_by(Solve.id)).all()


class OpenSolve(NamedTuple):
    """A solve that is not over, and how many of its leaves wait, are given out, and are being searched."""

    number: int
    state: SolveState
    game: dict[str, Any]
    standing: dict[str, Any] | None
    created_at: dt.datetime
    pending: int
    published: int
    running: int


def open_solves(session: Session, limit: int) -> tuple[list[OpenSolve], int]:
    """The solves that are not over, oldest first, and how many there are."""
    is_open = Solve.state.in_(OPEN_SOLVES)
    total = session.scalar(select(func.count()).select_from(Solve).where(is_open)) or 0
    one, states = Solve, (MatchState.PENDING, MatchState.PUBLISHED, MatchState.RUNNING)
    query = select(one.id, one.state, one.game, one.standing, one.created_at, *map(_leaves_in, states))
    rows = session.execute(query.where(is_open).order_by(one.id).limit(limit))
    return [OpenSolve(*row) for row in rows], total


def _leaves_in(state: MatchState) -> ScalarSelect[int]:
    query = select(func.count()).select_from(SolveLeaf)
    query = query.where(SolveLeaf.solve_id == Solve.id, SolveLeaf.state == state)
    return query.correlate(Solve).scalar_subquery()


def lock_all(session: Session, numbers: Collection[int]) -> Sequence[Solve]:
    """Those of these solves that there are, as they are now, locked in the order of their numbers.

    Whoever locks a solve and its leaves locks the solve first.
    """
    query = select(Solve).where(Solve.id.in_(numbers)).order_by(Solve.id)
    query = query.with_for_update(of=Solve).execution_options(populate_existing=True)
    return session.scalars(query).all()


def lock(session: Session, number: int) -> Solve:
    """The solve as it is now; nobody else changes it, or its leaves, until this transaction ends."""
    (solve,) = lock_all(session, [number])
    return solve


def leaves(session: Session, solve: Solve) -> Sequence[SolveLeaf]:
    """What is to be found out and was not yet, in the order of its numbers."""
    query = select(SolveLeaf).where(SolveLeaf.solve_id == solve.id).order_by(SolveLeaf.number)
    return session.scalars(query).all()


def lock_leaf(session: Session, solve: int, number: int) -> SolveLeaf | None:
    """The leaf of that number as it is now, None where there is none any more."""
    query = select(SolveLeaf).where(SolveLeaf.solve_id == solve, SolveLeaf.number == number)
    return session.scalar(locked(query, SolveLeaf))


def pending_of(session: Session, solves: Collection[int]) -> dict[int, int]:
    """How many leaves wait to be given out, by their solves."""
    query = select(SolveLeaf.solve_id, func.count()).group_by(SolveLeaf.solve_id)
    query = query.where(SolveLeaf.solve_id.in_(solves), SolveLeaf.state == MatchState.PENDING)
    return {row[0]: row[1] for row in session.execute(query)}


def lock_pending(session: Session, solve: Solve, limit: int) -> Sequence[SolveLeaf]:
    """The first leaves that wait to be given out, locked."""
    query = select(SolveLeaf).where(SolveLeaf.solve_id == solve.id, SolveLeaf.state == MatchState.PENDING)
    return session.scalars(locked(query.order_by(SolveLeaf.number).limit(limit), SolveLeaf)).all()


def lock_expired(session: Session, solves: Collection[int], now: dt.datetime) -> Sequence[SolveLeaf]:
    """The leaves of these solves that are given out and whose lease ran out before `now`, locked."""
    query = select(SolveLeaf).where(SolveLeaf.solve_id.in_(solves), _expired(now))
    return session.scalars(locked(query.order_by(SolveLeaf.solve_id, SolveLeaf.number), SolveLeaf)).all()


def with_expired(session: Session, now: dt.datetime) -> Sequence[int]:
    """The solves that have such leaves."""
    return session.scalars(select(SolveLeaf.solve_id).where(_expired(now)).distinct()).all()


def with_tokens(session: Session, tokens: Collection[str]) -> Sequence[int]:
    """The solves that have leaves with one of these tokens."""
    return session.scalars(select(SolveLeaf.solve_id).where(SolveLeaf.token.in_(tokens)).distinct()).all()


def _expired(now: dt.datetime) -> Any:
    return SolveLeaf.state.in_(ISSUED) & (SolveLeaf.lease_until < now)


def in_play(session: Session) -> Sequence[SolveLeaf]:
    """The leaves that workers have in hand."""
    return session.scalars(select(SolveLeaf).where(SolveLeaf.state == MatchState.RUNNING)).all()


def lock_leaves(
    session: Session, solve: Solve, state: MatchState | None = None, numbers: Collection[int] | None = None
) -> Sequence[SolveLeaf]:
    """The leaves of a solve, or those of them in that state or of these numbers, locked."""
    query = select(SolveLeaf).where(SolveLeaf.solve_id == solve.id).order_by(SolveLeaf.number)
    if state is not None:
        query = query.where(SolveLeaf.state == state)
    if numbers is not None:
        query = query.where(SolveLeaf.number.in_(numbers))
    return session.scalars(locked(query, SolveLeaf)).all()


def delete_leaves(session: Session, solve: Solve, numbers: Collection[int] | None = None) -> None:
    """Forget all leaves, or those of these numbers, so that what is still reported of them is refused."""
    for leaf in lock_leaves(session, solve, numbers=numbers):
        session.delete(leaf)
    session.flush()


def bounds_from(session: Session, solve: Solve, number: int) -> Iterator[SolveBound]:
    """What was found out from that number on, in its order."""
    while rows := _bounds(session, solve, number):
        yield from rows
        number += len(rows)


def _bounds(session: Session, solve: Solve, number: int) -> Sequence[SolveBound]:
    query = select(SolveBound).where(SolveBound.solve_id == solve.id, SolveBound.number >= number)
    return session.scalars(query.order_by(SolveBound.number).limit(BATCH)).all()


def bounds_of(session: Session, solve: Solve, position: str) -> Sequence[SolveBound]:
    """What was found out of one position, in the order in which it was."""
    query = select(SolveBound).where(SolveBound.solve_id == solve.id, SolveBound.position == position)
    return session.scalars(query.order_by(SolveBound.number)).all()


def insert_bounds(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep many bounds at once; the keys are those of the columns."""
    if rows:
        session.execute(insert(SolveBound), rows)


def leaf_counts(session: Session, rows: Sequence[Solve]) -> dict[int, Counter[MatchState]]:
    """By the numbers of solves, how many of each's leaves are in each state."""
    query = select(SolveLeaf.solve_id, SolveLeaf.state, func.count())
    query = query.where(SolveLeaf.solve_id.in_([row.id for row in rows]))
    counts: dict[int, Counter[MatchState]] = {row.id: Counter() for row in rows}
    for number, state, count in session.execute(query.group_by(SolveLeaf.solve_id, SolveLeaf.state)):
        counts[number][state] = count
    return counts


def insert_proof(session: Session, solve: Solve, texts: Sequence[str]) -> None:
    """Keep a proof."""
    rows = [{"solve_id": solve.id, "part": part, "lines": text} for part, text in enumerate(texts)]
    if rows:
        session.execute(insert(SolveProof), rows)


def proof(session: Session, solve: Solve) -> Iterator[str]:
    """The proof of what came out, many lines in each text."""
    query = select(SolveProof.lines).where(SolveProof.solve_id == solve.id).order_by(SolveProof.part)
    yield from session.scalars(query.execution_options(yield_per=1))
