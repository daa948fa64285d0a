"""What workers report about chunks of experiments, taken in once. Only the current token is listened to.

Every function here is one step of a transaction that the caller commits. A report that comes twice, late,
or from an attempt that was given up changes nothing but a counter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena import experiments
from arena.coordinator import chunks
from arena.coordinator.checking import MAX_HOST_CHARS, UnfitResultError
from arena.coordinator.chunk_checking import fit_blocks
from arena.coordinator.leases import renew
from arena.coordinator.recording import MAX_TROUBLE_CHARS, Verdict, plain
from arena.moments import utc_now
from arena.settings import Settings
from arena.store import experiments as store
from arena.store.models import ChunkState, Experiment, ExperimentChunk

Held = tuple[Experiment, ExperimentChunk]


def heartbeat(
    session: Session, experiment: int, start: int, attempt: int, token: str, *, host: str, settings: Settings
) -> Verdict:
    """A chunk is alive: renew its lease."""
    held = _current(session, experiment, start, attempt, token)
    if isinstance(held, Verdict):
        return held
    _, chunk = held
    renew(chunk, utc_now(), settings.lease_seconds)
    chunk.state = ChunkState.RUNNING
    chunk.host = plain(host, MAX_HOST_CHARS)
    session.flush()
    return Verdict.TAKEN


def lost(
    session: Session,
    experiment: int,
    start: int,
    attempt: int,
    token: str,
    *,
    host: str,
    trouble: str,
    settings: Settings,
) -> Verdict:
    """A worker could not play a chunk: it is to be played again, or the experiment has failed."""
    held = _current(session, experiment, start, attempt, token)
    if isinstance(held, Verdict):
        return held
    told = f"{plain(host, MAX_HOST_CHARS)}: {plain(trouble, MAX_TROUBLE_CHARS)}"
    chunks.lose(session, *held, told, settings)
    return Verdict.TAKEN


def record(
    session: Session,
    experiment: int,
    start: int,
    attempt: int,
    token: str,
    *,
    blocks: Sequence[Mapping[str, Any]],
    elapsed_ns: int,
    settings: Settings,
) -> Verdict:
    """Add what a chunk came to; what does not fit is a lost attempt."""
    held = _current(session, experiment, start, attempt, token)
    if isinstance(held, Verdict):
        return held
    row, chunk = held
    try:
        fit = fit_blocks(
            blocks, experiments.spec_of(row), chunk.start, chunk.count, cut=experiments.cut_of(row)
        )
    except UnfitResultError as error:
        trouble = plain(f"the reported counts do not fit: {error}", MAX_TROUBLE_CHARS)
        chunks.lose(session, row, chunk, trouble, settings)
        return Verdict.UNFIT
    experiments.take_in(session, row, chunk, fit, elapsed_ns)
    return Verdict.TAKEN


def _current(session: Session, experiment: int, start: int, attempt: int, token: str) -> Held | Verdict:
    """Experiment and chunk, locked, if this is a report of its present attempt; else what becomes of it."""
    if store.by_id(session, experiment) is None:
        return Verdict.UNKNOWN
    row = store.lock(session, experiment)
    chunk = store.lock_chunk(session, experiment, start)
    if chunk and chunk.token == token and chunk.attempt == attempt:
        return Verdict.DUPLICATE if chunk.state == ChunkState.FINISHED else (row, chunk)
    row.refused += 1
    session.flush()
    return Verdict.REFUSED
