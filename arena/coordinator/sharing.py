"""Whose work is given out next: owners share the places, and take turns where there are too few for all."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from heapq import heapify, heappop, heappush
from typing import Any, Generic, TypeVar

from sqlalchemy.orm import InstrumentedAttribute, Session

from arena.core.settings import Settings
from arena.store import leases
from arena.submissions import hosts

Owner = TypeVar("Owner", bound=Hashable)


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

    That is one at least; `owner` is the column of the work that says whose it is, and `among` are the names
    of the hosts that can do it, if not all can.
    """
    slots = hosts.slots(session, settings).items()
    places = sum(count for host, count in slots if among is None or host.name in among)
    return max(1, places // 2) - sum(leases.issued_of(session, owner).values())
