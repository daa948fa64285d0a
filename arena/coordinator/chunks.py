"""Experiments' chunks: cut from the games that are left, given out, given up, and given out again.

A chunk is a row only while it is in play or waits for one before it, so an experiment of any size takes
little room. Whoever locks an experiment and its chunks locks the experiment first.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Collection, Iterator

from sqlalchemy.orm import Session

from arena import experiments, hosts
from arena.coordinator.broker import ChunkMessage
from arena.coordinator.leases import renew
from arena.coordinator.publishing import TOKEN_BYTES
from arena.moments import utc_now
from arena.settings import Settings
from arena.store import events, leases
from arena.store import experiments as store
from arena.store.models import ChunkState, Experiment, ExperimentChunk, ExperimentState
from workers.simulation.contract import SimulationSpec
from workers.simulation.plan import even

TAPER = 4
"""A chunk is at most this part of the games that are left, until it is this part of a whole chunk."""

PROBES = 4
"""Chunks of an experiment before it is known how long its games take."""


def publishable(session: Session, settings: Settings) -> bool:
    """Whether there is a chunk to publish, and room for it."""
    running = _playable(session, settings)
    if not running or leases.count_published(session, ExperimentChunk) >= settings.chunk_window:
        return False
    return any(store.any_pending(session, each) or _room(session, each, settings) > 0 for each in running)


def _playable(session: Session, settings: Settings) -> list[Experiment]:
    """The running experiments that a host can play; without bots any host can."""
    running = store.running(session)
    can = hosts.served(session, settings) if running else set()
    return [experiment for experiment in running if not experiment.needs or experiment.needs in can]


def _room(session: Session, experiment: Experiment, settings: Settings) -> int:
    """How many more chunks the experiment may have, 0 when all its games are in chunks."""
    if experiment.issued >= experiments.spec_of(experiment).games:
        return 0
    known = experiment.chunk_fixed or experiment.recorded_at is not None
    most = settings.chunk_backlog if known else min(PROBES, settings.chunk_backlog)
    return most - store.count_chunks(session, experiment)


def issue(session: Session, settings: Settings) -> list[ChunkMessage]:
    """Give the next chunks a new attempt and a new token; the messages to send once this is committed.

    Running experiments share the free part of the window evenly; what was lost comes first.
    """
    room = settings.chunk_window - leases.count_published(session, ExperimentChunk)
    running = _playable(session, settings)
    messages: list[ChunkMessage] = []
    for left, experiment in zip(range(len(running), 0, -1), running, strict=True):
        share = -(-(room - len(messages)) // left)
        if share > 0:
            messages += _issue_some(session, experiment, share, settings)
    return messages


def _issue_some(
    session: Session, experiment: Experiment, limit: int, settings: Settings
) -> list[ChunkMessage]:
    experiment = store.lock(session, experiment.id)
    if experiment.state != ExperimentState.RUNNING:
        return []
    spec = experiments.spec_of(experiment)
    chunks = list(store.lock_pending(session, experiment, limit))
    room = min(limit - len(chunks), _room(session, experiment, settings))
    chunks += _cut(session, experiment, spec, room)
    experiment.started_at = experiment.started_at or utc_now()
    messages = [_issue_one(experiment, chunk, spec, settings) for chunk in chunks]
    session.flush()
    return messages


def _cut(
    session: Session, experiment: Experiment, spec: SimulationSpec, limit: int
) -> Iterator[ExperimentChunk]:
    for _ in range(limit):
        count = _size(experiment, spec.games - experiment.issued)
        if count == 0:
            return
        chunk = ExperimentChunk(
            experiment_id=experiment.id, start=experiment.issued, count=count, attempt=0, lost=0
        )
        session.add(chunk)
        experiment.issued += count
        yield chunk


def _size(experiment: Experiment, left: int) -> int:
    """How many of the games that are `left` the next chunk has: fewer towards the end, if nothing was asked.

    So the last chunks of all workers end at about the same time.
    """
    if experiment.chunk_fixed:
        return min(experiment.chunk, left)
    return min(experiment.chunk, even(max(left, experiment.chunk) // TAPER), left)


def _issue_one(
    experiment: Experiment, chunk: ExperimentChunk, spec: SimulationSpec, settings: Settings
) -> ChunkMessage:
    token = secrets.token_hex(TOKEN_BYTES)
    chunk.state = ChunkState.PUBLISHED
    chunk.attempt += 1
    chunk.token = token
    renew(chunk, utc_now(), settings.pickup_seconds)
    cut = experiments.cut_of(experiment)
    size = chunk.start, chunk.count
    return ChunkMessage(spec, experiment.id, *size, cut, chunk.attempt, token, experiment.needs)


def take_back(session: Session, messages: list[ChunkMessage]) -> None:
    """Put the chunks of messages that could not be sent back, unless they moved on meanwhile."""
    for message in messages:
        chunk = store.lock_chunk(session, message.experiment, message.start)
        if chunk and chunk.state == ChunkState.PUBLISHED and chunk.token == message.token:
            _put_back(chunk)
    session.flush()


def reap(
    session: Session, now: dt.datetime, settings: Settings, waiting: Callable[[], Collection[str]]
) -> int:
    """Deal with the leases that have run out; how many there were.

    A published chunk whose message is still `waiting` (its token is among those) keeps waiting. One whose
    message is gone was taken by a worker that has died since, or was lost with the broker.
    """
    late = store.with_expired(session, now)
    queued = waiting() if late else ()
    can = {"", *hosts.served(session, settings)} if late else set()
    count = 0
    for number in late:
        experiment = store.lock(session, number)
        for chunk in store.lock_expired(session, number, now):
            count += 1
            if chunk.state == ChunkState.RUNNING:
                trouble = f"no sign of life from {chunk.host} for {settings.lease_seconds:g} s"
                lose(session, experiment, chunk, trouble, settings)
            elif chunk.token in queued and experiment.needs in can:
                renew(chunk, now, settings.pickup_seconds)
            else:
                _put_back(chunk)
    session.flush()
    return count


def lose(
    session: Session, experiment: Experiment, chunk: ExperimentChunk, trouble: str, settings: Settings
) -> None:
    """Give up the attempt at a chunk (both locked); the experiment fails when that was one too many."""
    chunk.lost += 1
    experiment.lost += 1
    experiment.trouble = trouble
    events.log(
        session,
        "experiment.chunk_lost",
        experiment=experiment.id,
        start=chunk.start,
        attempt=chunk.attempt,
        trouble=trouble,
    )
    _put_back(chunk)
    session.flush()
    if chunk.lost > settings.max_lost and experiment.state == ExperimentState.RUNNING:
        experiments.fail(session, experiment)


def _put_back(chunk: ExperimentChunk) -> None:
    chunk.state = ChunkState.PENDING
    chunk.token = None
    chunk.lease_until = None
    chunk.host = None
