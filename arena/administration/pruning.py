"""Retention: what is kept for a while only goes when it is old. Results, moves, sums and standings stay.

So many games at once are done in a transaction of their own, so that a running arena is not held up.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.administration.opening import Opened
from arena.core.folder import DataFolder
from arena.store import pruning as store
from workers.simulation.recordings import RecordingStore

AT_ONCE = 500
"""So many games are cleared in a transaction."""


class Pruned(NamedTuple):
    """How many records were cleared of what bots wrote, and how many parts of recordings and logs removed."""

    evidence: int = 0
    recordings: int = 0
    logs: int = 0


class Limits(NamedTuple):
    """What was over before these moments goes; None keeps all."""

    evidence: dt.datetime | None = None
    recordings: dt.datetime | None = None
    logs: dt.datetime | None = None


def prune(arena: Opened, limits: Limits) -> Pruned:
    """Remove what is older than the limits say.

    Raises:
        RecordingError: the store of recordings cannot be read, or lets nothing go.
    """
    return Pruned(
        evidence=_evidence(arena, limits.evidence) if limits.evidence else 0,
        recordings=_recordings(arena, limits.recordings) if limits.recordings else 0,
        logs=_logs(arena.folder, limits.logs) if limits.logs else 0,
    )


def _evidence(arena: Opened, before: dt.datetime) -> int:
    with arena.database.reading() as session:
        matches = {cup: store.matches_of(session, cup) for cup in store.tournaments_over(session, before)}
        games = store.scrimmage_games(session, before)
    count = 0
    for cup, ids in matches.items():
        for some in _parted(ids):
            with arena.database.transaction() as session:
                count += store.clear_matches(session, cup, some)
    for some in _parted(games):
        with arena.database.transaction() as session:
            count += store.clear_scrimmage_games(session, some)
    return count


def _parted(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[at : at + AT_ONCE] for at in range(0, len(ids), AT_ONCE))


def _recordings(arena: Opened, before: dt.datetime) -> int:
    with arena.database.reading() as session:
        over = set(store.experiments_over(session, before))
    parts = RecordingStore(arena.settings.records_url)
    old = [name for name in parts.names() if parts.experiment_of(name) in over]
    for name in old:
        parts.remove(name)
    return len(old)


def _logs(folder: DataFolder, before: dt.datetime) -> int:
    old = list(_turned_over(folder, before))
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _turned_over(folder: DataFolder, before: dt.datetime) -> Iterator[Path]:
    """The logs that nobody writes any more and that were last written before then."""
    for path in folder.logs.glob("*.log.*"):
        if path.is_file() and path.stat().st_mtime < before.timestamp():
            yield path
