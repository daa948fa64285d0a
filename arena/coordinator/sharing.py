"""Whose work is given out next: owners share the places, and take turns where there are too few for all.

And what of it gives way to the matches of tournaments.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, Final, Generic, NamedTuple, TypeVar

from sqlalchemy.orm import InstrumentedAttribute, Session

from arena.core.settings import Settings
from arena.store import leases
from arena.store.models import (
    Analysis,
    ExperimentChunk,
    Leased,
    Match,
    PlayTurn,
    Repeat,
    ScrimmageGame,
)
from arena.submissions import environments, hosts
from workers.programs.serving import served_needs

Owner = TypeVar("Owner", bound=Hashable)
FIRST: Final[Collection[leases.Work]] = (Match, PlayTurn)
FIRST_SECONDS = 1.0
"""So long a match or a turn against a person waits before work of the last queues gives way to it."""
BEFORE: Final[Collection[leases.Work]] = (Repeat, Analysis, ScrimmageGame, ExperimentChunk)
BEFORE_SECONDS = 10.0
"""And so long other work does."""


class Gathered(NamedTuple):
    """What reports of such work are about, locked, and the hosts whose word counts."""

    held: object
    trusted: Collection[str]


def parts_of(room: int, waiting: Mapping[Owner, int], there: Mapping[Owner, int]) -> dict[Owner, int]:
    """How many of the places that are free each owner gets, of whom each has so many `there` to give out.

    They are given one by one, each to whoever has the fewest `waiting` by then: to the first of these.
    """
    parts = dict.fromkeys(waiting, 0)
    queue = [(count, turn, each) for turn, (each, count) in enumerate(waiting.items()) if there[each] > 0]
    heapify(queue)
    for _ in range(room):
        if not queue:
            break
        count, turn, owner = heappop(queue)
        parts[owner] = parts.pop(owner) + 1  # at the end now: who got a place last stands last
        if parts[owner] < there[owner]:
            heappush(queue, (count + 1, turn, owner))
    return parts


class Turns(Generic[Owner]):
    """Shares places, and remembers when: of those with equally many waiting, the longest ago comes first."""

    def __init__(self) -> None:
        self._given = 0
        self._last: dict[Owner, int] = {}

    def parts_of(
        self, room: int, waiting: Mapping[Owner, int], there: Mapping[Owner, int]
    ) -> dict[Owner, int]:
        """How many of the places each owner gets now; the order of `waiting` decides between newcomers."""
        last = {each: self._last.get(each, 0) for each in waiting}
        parts = parts_of(room, {each: waiting[each] for each in sorted(last, key=last.__getitem__)}, there)
        for owner, part in parts.items():
            if part:
                self._given += 1
                last[owner] = self._given
        self._last = last
        return parts


def half_room(
    session: Session,
    settings: Settings,
    owner: InstrumentedAttribute[Any],
    among: Collection[str] | None = None,
) -> int:
    """How many more may be given out of work that may have half of what the hosts can play at once.

    `owner` is the column of the work that says whose it is, and `among` are the names of the hosts that can
    do it, if not all can.
    """
    return half(session, settings, among) - sum(leases.issued_of(session, owner).values())


def half(session: Session, settings: Settings, among: Collection[str] | None = None) -> int:
    """Half of what the hosts can play at once, or those `among` them: one at least."""
    slots = hosts.slots(session, settings).items()
    places = sum(count for host, count in slots if among is None or host.name in among)
    return max(1, places // 2)


def in_the_way(
    session: Session,
    settings: Settings,
    running: Sequence[Leased],
    works: Collection[leases.Work],
    until: dt.datetime,
) -> set[str]:
    """The tokens of work in hand where other work could be that waits under leases which end before then."""
    waiting = leases.needs_waiting(session, works, until)
    if not waiting:
        return set()
    means = environments.meanings(session)
    there = hosts.present(session, settings)
    can = {host.name: environments.words_of(host.languages, means) for host in there}
    return {
        row.token
        for row in running
        if row.token and waiting.intersection(served_needs(can.get(row.host or "", ())))
    }


def until_of(settings: Settings, now: dt.datetime, seconds: float) -> dt.datetime:
    """Before then the leases end of what has waited for so many seconds for a worker."""
    return now + dt.timedelta(seconds=settings.pickup_seconds - min(seconds, settings.pickup_seconds / 2))


def giving_way(session: Session, settings: Settings, running: Sequence[Leased], now: dt.datetime) -> set[str]:
    """The tokens of work of the last queues in hand where other work could be that has waited for a while."""
    if not running:
        return set()
    first = in_the_way(session, settings, running, FIRST, until_of(settings, now, FIRST_SECONDS))
    before = in_the_way(session, settings, running, BEFORE, until_of(settings, now, BEFORE_SECONDS))
    return first | before
