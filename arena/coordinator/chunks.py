"""Experiments' chunks, as work that is given out: cut from the games that are left.

A chunk is a row only while it is in play or waits for one before it, so an experiment of any size takes
little room. Whoever locks an experiment and its chunks locks the experiment first.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.coordinator.chunk_validation import fit_blocks
from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import ChunkMessage
from arena.coordinator.result_validation import MAX_NS, require
from arena.coordinator.sharing import Turns, parts_of
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import ExperimentState, MatchState
from arena.experiments import lifecycle
from arena.store import events, leases
from arena.store import experiments as store
from arena.store.models import Experiment, ExperimentChunk
from arena.store.models.experiment_events import ChunkLost
from workers.programs.serving import SIMULATIONS
from workers.simulation.contract import Block
from workers.simulation.plan import even

TAPER = 4
"""A chunk is at most this part of the games that are left, until it is this part of a whole chunk."""

PROBES = 4
"""Chunks of an experiment before it is known how long its games take."""


Order = tuple[str, int]
"""What somebody asked for at once: a sweep, or an experiment of none."""


class Counts(NamedTuple):
    """What the games of a chunk came to, and how long they took."""

    blocks: tuple[Block, ...]
    elapsed_ns: int


class Chunks(WorkType[ExperimentChunk, ChunkMessage, Counts]):
    """Given out for running experiments; their experiment keeps the ledger.

    Those of a sweep have together what one that is alone has: orders share the window evenly.
    """

    kind = SIMULATIONS
    model = ExperimentChunk
    unfit = "the reported counts do not fit"

    def __init__(self) -> None:
        self._turns = Turns[Order]()

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is a chunk to publish, and room for it."""
        running = self._playable(session, settings)
        if not running or leases.count_published(session, ExperimentChunk) >= settings.chunk_window:
            return False
        return any(store.any_pending(session, each) or _room(session, settings, each) > 0 for each in running)

    def due(self, session: Session, settings: Settings) -> Sequence[ExperimentChunk]:
        """The next chunks of the running experiments; what was lost comes first."""
        published = leases.published_of(session, ExperimentChunk.experiment_id)
        room = settings.chunk_window - sum(published.values())
        if room <= 0:
            return []
        there: dict[int, int] = {}
        orders: dict[Order, dict[int, int]] = {}
        for each in self._playable(session, settings):
            there[each.id] = _there(session, settings, each, room)
            order = ("", each.id) if each.sweep_id is None else ("sweep", each.sweep_id)
            orders.setdefault(order, {})[each.id] = published.get(each.id, 0)
        wholes = {order: sum(there[each] for each in of) for order, of in orders.items()}
        shares = self._turns.parts_of(room, {order: sum(of.values()) for order, of in orders.items()}, wholes)
        parts = {
            each: part
            for order, of in orders.items()
            for each, part in parts_of(shares[order], of, there).items()
        }
        return [
            chunk
            for each in sorted(parts)
            if parts[each]
            for chunk in _due_of(session, settings, each, parts[each])
        ]

    def _playable(self, session: Session, settings: Settings) -> list[Experiment]:
        """The running experiments that a host can play."""
        running = store.running(session)
        can = self.served(session, settings) if running else set()
        return [experiment for experiment in running if experiment.needs in can]

    def served(self, session: Session, settings: Settings) -> set[str]:
        """Without bots any host can play."""
        return {"", *super().served(session, settings)}

    def issued(self, session: Session, row: ExperimentChunk, token: str) -> ChunkMessage:
        """The message has the experiment's whole spec."""
        del session
        spec, cut = lifecycle.spec_of(row.experiment), lifecycle.cut_of(row.experiment)
        about = row.experiment.id, row.start, row.count
        return ChunkMessage(
            spec, *about, cut, row.attempt, token, row.experiment.needs, row.experiment.columns
        )

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> object:
        """The experiments, whose chunks nobody else changes then."""
        del counting
        return store.lock_all(session, {number for number, _ in keys})

    def lock(
        self, session: Session, key: tuple[int, ...]
    ) -> tuple[ExperimentChunk | None, Experiment | None]:
        """The chunk of that experiment which begins at that game."""
        number, start = key
        experiment = store.by_id(session, number)
        return (None, None) if experiment is None else (store.lock_chunk(session, number, start), experiment)

    def lock_tokens(
        self, session: Session, tokens: Collection[str], states: Collection[MatchState]
    ) -> Sequence[ExperimentChunk]:
        """The chunks with these tokens, locked after their experiments."""
        store.lock_all(session, store.with_tokens(session, tokens))
        return super().lock_tokens(session, tokens, states)

    def lock_expired(self, session: Session, now: dt.datetime) -> Sequence[ExperimentChunk]:
        """The silent chunks, however many, locked after their experiments."""
        held = store.lock_all(session, store.with_expired(session, now))
        return store.lock_expired(session, [each.id for each in held], now)

    def needs(self, row: ExperimentChunk) -> str:
        """Those of the experiment."""
        return row.experiment.needs

    def lost(self, session: Session, row: ExperimentChunk, trouble: str) -> None:
        """The chunk is to be played again, or its experiment has failed."""
        experiment = row.experiment
        experiment.lost += 1
        experiment.trouble = trouble
        events.log(session, ChunkLost(experiment.id, row.start, row.attempt, trouble))
        session.flush()
        if row.state == MatchState.PARKED and experiment.state == ExperimentState.RUNNING:
            lifecycle.fail(session, experiment)

    def fit(self, row: ExperimentChunk, report: Mapping[str, Any]) -> Counts:
        """The blocks of the chunk, which add up."""
        spec, cut = lifecycle.spec_of(row.experiment), lifecycle.cut_of(row.experiment)
        require(report["elapsed_ns"] <= MAX_NS, "it took longer than any chunk may")
        blocks = fit_blocks(report["blocks"], spec, row.start, row.count, cut=cut)
        return Counts(blocks, report["elapsed_ns"])

    def write(self, session: Session, row: ExperimentChunk, fit: Counts, gathered: Any) -> Verdict:
        """Add what the chunk came to, at once or when those before it are in."""
        del gathered
        lifecycle.take_in(session, row.experiment, row, fit.blocks, fit.elapsed_ns)
        return Verdict.TAKEN


WORK = Chunks()


def _room(session: Session, settings: Settings, experiment: Experiment) -> int:
    """How many more chunks the experiment may have, 0 when all its games are in chunks."""
    if experiment.issued >= experiment.games:
        return 0
    known = experiment.chunk_fixed or experiment.recorded_at is not None
    most = settings.chunk_backlog if known else min(PROBES, settings.chunk_backlog)
    return most - store.count_chunks(session, experiment)


def _there(session: Session, settings: Settings, experiment: Experiment, most: int) -> int:
    """How many chunks the experiment has to give out, as far as that is not more than `most`."""
    pending = min(most, store.count_pending(session, experiment))
    room = min(most - pending, _room(session, settings, experiment))
    return pending + sum(1 for _ in _sizes(experiment, room))


def _due_of(session: Session, settings: Settings, number: int, limit: int) -> Sequence[ExperimentChunk]:
    experiment = store.lock(session, number)
    if experiment.state != ExperimentState.RUNNING:
        return []
    chunks = list(store.lock_pending(session, experiment, limit))
    room = min(limit - len(chunks), _room(session, settings, experiment))
    chunks += _cut(session, experiment, room)
    experiment.started_at = experiment.started_at or utc_now()
    return chunks


def _cut(session: Session, experiment: Experiment, limit: int) -> Iterator[ExperimentChunk]:
    for count in list(_sizes(experiment, limit)):
        chunk = ExperimentChunk(experiment=experiment, start=experiment.issued, count=count)
        chunk.state, chunk.attempt, chunk.lost = MatchState.PENDING, 0, 0
        session.add(chunk)
        experiment.issued += count
        yield chunk


def _sizes(experiment: Experiment, limit: int) -> Iterator[int]:
    """How many games the next chunks have, at most so many chunks."""
    left = experiment.games - experiment.issued
    for _ in range(limit):
        if left == 0:
            return
        count = _size(experiment, left)
        left -= count
        yield count


def _size(experiment: Experiment, left: int) -> int:
    """How many of the games that are `left` the next chunk has: fewer towards the end, if nothing was asked.

    So the last chunks of all workers end at about the same time.
    """
    if experiment.chunk_fixed:
        return min(experiment.chunk, left)
    return min(experiment.chunk, even(max(left, experiment.chunk) // TAPER), left)
