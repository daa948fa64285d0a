"""Queries for the figures of the arena's own work: answered by an index, or by what is counted anyhow."""

from __future__ import annotations

import datetime as dt
from collections import Counter

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.core.terms import ExperimentState, MatchState, SolveState, TrainingState
from arena.store.leases import ISSUED, Work
from arena.store.models import (
    Analysis,
    Check,
    Event,
    Experiment,
    Host,
    Match,
    PlayTurn,
    Repeat,
    Scrimmage,
    ScrimmageGame,
    Solve,
    SolveLeaf,
    Tournament,
    Training,
    TrainingChunk,
    WorkerProcess,
)
from arena.store.operations import BEGUN, WAITING, paired_at


def depths(session: Session, work: Work) -> dict[MatchState, int]:
    """How much of that work is in each state in which it is not over.

    The pending matches may be many: how many they are follows from what their tournaments count.
    """
    states = (*ISSUED, MatchState.PARKED) if work is Match else (*WAITING, MatchState.PARKED)
    query = select(work.state, func.count()).where(work.state.in_(states)).group_by(work.state)
    found = Counter[MatchState]()
    for state, number in session.execute(query):
        found[state] = number
    if work is Match:
        left = Tournament.matches_total - Tournament.matches_finished - Tournament.matches_cancelled
        all_left = session.scalar(select(func.sum(left)).where(Tournament.state.in_(BEGUN))) or 0
        found[MatchState.PENDING] = max(0, all_left - found.total())
    return {state: found[state] for state in (*WAITING, MatchState.PARKED)}


def oldest(session: Session, work: Work) -> dt.datetime | None:
    """Since when the oldest of that work waits or is done; of matches, since their rounds were paired."""
    if work is Match:
        left = Tournament.matches_total > Tournament.matches_finished + Tournament.matches_cancelled
        cups = session.scalars(select(Tournament.id).where(Tournament.state.in_(BEGUN), left)).all()
        return min(paired_at(session, cups).values(), default=None) if cups else None
    if work in (Check, Analysis, PlayTurn, Repeat):
        return session.scalar(select(func.min(work.created_at)).where(work.state.in_(WAITING)))
    if work is ScrimmageGame:
        games = select(func.min(Scrimmage.created_at)).join(
            ScrimmageGame, ScrimmageGame.scrimmage_id == Scrimmage.id
        )
        return session.scalar(games.where(ScrimmageGame.state.in_(WAITING)))
    if work is SolveLeaf:
        going = Solve.state == SolveState.RUNNING
        return session.scalar(select(func.min(Solve.created_at)).where(going))
    if work is TrainingChunk:
        learned = Training.state == TrainingState.RUNNING
        return session.scalar(select(func.min(Training.created_at)).where(learned))
    running = Experiment.state == ExperimentState.RUNNING
    return session.scalar(select(func.min(Experiment.created_at)).where(running))


def hosts(session: Session, since: dt.datetime) -> dict[str, int]:
    """How many worker hosts are there since then, drain, and are gone."""
    counted = Counter(present=0, draining=0, gone=0)
    query = select(Host.seen_at, Host.draining_at)
    for seen_at, draining_at in session.execute(query):
        counted["gone" if seen_at < since else "draining" if draining_at else "present"] += 1
    return dict(counted)


def processes(session: Session, since: dt.datetime) -> int:
    """How many processes of workers were heard of since then."""
    query = select(func.count()).select_from(WorkerProcess).where(WorkerProcess.seen_at >= since)
    return session.scalar(query) or 0


def last_event(session: Session) -> int:
    """The number of the newest event."""
    return session.scalar(select(func.max(Event.id))) or 0
