"""The figures of the arena's own work, for who watches over it: what stands in the database and the broker.

Whichever process of the API is asked tells the same of these: they are nobody's own.
"""

from __future__ import annotations

import datetime as dt
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.coordinator.broker import Broker
from arena.coordinator.kinds import KINDS
from arena.coordinator.leadership import COORDINATOR
from arena.coordinator.watermark import Watermark
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, Repeated
from arena.store import counters, leaders, repeats
from arena.store import figures as store
from arena.store.models import Leader
from arena.submissions.hosts import lately
from workers.programs.serving import MATCHES, SIMULATIONS


@dataclass(frozen=True)
class Figures:
    """What the database tells: `depths` and `ages` by the kind of work, `counts` as `Counted` names them."""

    at: dt.datetime
    depths: Mapping[str, Mapping[MatchState, int]]
    ages: Mapping[str, float]
    counts: Mapping[str, Mapping[str, int]]
    hosts: Mapping[str, int]
    processes: int
    events: int
    leader: Leader
    repeats: Mapping[Repeated | None, int]


@dataclass(frozen=True)
class Backlog:
    """How many reports wait for the recorder, and since when at most the oldest of them does."""

    reports: int
    seconds: float


def figures(session: Session, settings: Settings) -> Figures:
    """All that the database tells."""
    now, since = utc_now(), lately(settings)
    ages = {work.kind: store.oldest(session, work.model) for work in KINDS}
    return Figures(
        at=now,
        depths={work.kind: store.depths(session, work.model) for work in KINDS},
        ages={kind: max(0.0, (now - at).total_seconds()) if at else 0.0 for kind, at in ages.items()},
        counts=counters.counts(session),
        hosts=store.hosts(session, since),
        processes=store.processes(session, since),
        events=store.last_event(session),
        leader=leaders.row(session, COORDINATOR),
        repeats=sum(repeats.counts(session).values(), Counter()),
    )


class Backlogs:
    """Asks the broker how far the recorder is behind; what it is told once makes the next answer exact."""

    def __init__(self, broker: Broker, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._broker = broker
        self._monotonic = monotonic
        self._watermark = Watermark(broker, monotonic)
        self._began = monotonic()

    def look(self) -> Backlog:
        """How it is now.

        Raises:
            UnavailableError: the broker is away.
        """
        until = min(self._watermark.taken_in_until(kind) for kind in (MATCHES, SIMULATIONS))
        seconds = max(0.0, self._monotonic() - max(until, self._began))
        return Backlog(self._broker.backlog(), seconds)
