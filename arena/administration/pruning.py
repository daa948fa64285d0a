"""Retention: what is kept for a while only goes when it is old. Results, moves, sums and standings stay.

So many games at once are done in a transaction of their own, and others have their turn between two, so that
a running arena is not held up. Run as a program, this module does once what the settings say.
"""

from __future__ import annotations

import datetime as dt
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from arena.administration.opening import Opened
from arena.core.clock import utc_now
from arena.core.folder import DataFolder
from arena.store import counters
from arena.store import pruning as store
from arena.store.counters import Counted
from arena.store.database import Database
from arena.store.startup import begin
from workers.core.errors import RecordingError
from workers.core.logs import configure_logs
from workers.simulation.recordings import RecordingStore

AT_ONCE = 500
"""So many games are cleared in a transaction."""
PAUSE_SECONDS = 0.05
"""So long others have their turn after it."""
NICE = 19

log = structlog.get_logger()


class Pruned(NamedTuple):
    """How many records were cleared of what bots wrote, and how much was removed of all else."""

    evidence: int = 0
    recordings: int = 0
    logs: int = 0
    tokens: int = 0


class Limits(NamedTuple):
    """What was over before these moments goes; None keeps all."""

    evidence: dt.datetime | None = None
    recordings: dt.datetime | None = None
    logs: dt.datetime | None = None
    tokens: dt.datetime | None = None


def prune(arena: Opened, limits: Limits) -> Pruned:
    """Remove what is older than the limits say.

    Raises:
        RecordingError: the store of recordings cannot be read, or lets nothing go.
        OSError: a log cannot be removed.
    """
    return Pruned(
        evidence=_evidence(arena, limits.evidence) if limits.evidence else 0,
        recordings=_recordings(arena, limits.recordings) if limits.recordings else 0,
        logs=_logs(arena, limits.logs) if limits.logs else 0,
        tokens=_tokens(arena, limits.tokens) if limits.tokens else 0,
    )


def prune_by_settings(arena: Opened, now: dt.datetime) -> bool:
    """Remove what the settings do not have kept any longer; whether all of it could be."""
    whole = True
    for name, days in arena.settings.kept_days.items():
        before = now - dt.timedelta(days=days)
        try:
            done = prune(arena, Limits(**{name: before}))
        except (SQLAlchemyError, RecordingError, OSError) as error:
            log.warning("what is old could not be removed", what=name, error=str(error))
            whole = False
        else:
            log.info("what is old was removed", what=name, before=before, count=getattr(done, name))
    return whole


def _evidence(arena: Opened, before: dt.datetime) -> int:
    with arena.database.reading() as session:
        matches = {cup: store.matches_of(session, cup) for cup in store.tournaments_over(session, before)}
        games = store.scrimmage_games(session, before)
    count = 0
    for cup, ids in matches.items():
        for some in _parted(ids):
            with arena.database.transaction() as session:
                count += _counted(session, "evidence", store.clear_matches(session, cup, some))
    for some in _parted(games):
        with arena.database.transaction() as session:
            count += _counted(session, "evidence", store.clear_scrimmage_games(session, some))
    return count


def _parted(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for at in range(0, len(ids), AT_ONCE):
        yield ids[at : at + AT_ONCE]
        time.sleep(PAUSE_SECONDS)


def _counted(session: Session, what: str, number: int) -> int:
    counters.count(session, Counted.PRUNED, what, number)
    return number


def _tokens(arena: Opened, before: dt.datetime) -> int:
    with arena.database.transaction() as session:
        return _counted(session, "tokens", store.remove_tokens(session, before))


def _recordings(arena: Opened, before: dt.datetime) -> int:
    with arena.database.reading() as session:
        over = set(store.experiments_over(session, before))
    parts = RecordingStore(arena.settings.records_url)
    old = [name for name in parts.names() if parts.experiment_of(name) in over]
    for name in old:
        parts.remove(name)
    with arena.database.transaction() as session:
        return _counted(session, "recordings", len(old))


def _logs(arena: Opened, before: dt.datetime) -> int:
    old = list(_turned_over(arena.folder, before))
    for path in old:
        path.unlink(missing_ok=True)
    with arena.database.transaction() as session:
        return _counted(session, "logs", len(old))


def _turned_over(folder: DataFolder, before: dt.datetime) -> Iterator[Path]:
    """The logs that nobody writes any more and that were last written before then."""
    for path in folder.logs.glob("*.log.*"):
        with suppress(FileNotFoundError):  # turned over just now
            if path.is_file() and path.stat().st_mtime < before.timestamp():
                yield path


def main() -> None:
    """Do what the settings say, behind all else; Ctrl-C is for the coordinator, which ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    settings = begin()
    configure_logs("pruning", settings.log_format)
    database = Database(settings.database_url)
    whole = prune_by_settings(Opened(DataFolder(settings.data_dir), settings, database), utc_now())
    database.close()
    sys.exit(not whole)


if __name__ == "__main__":
    main()
