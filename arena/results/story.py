"""What was done to a tournament, an act at a time, however many events tell of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from arena.core.errors import NotFoundError
from arena.core.terms import Acts
from arena.store import story as store
from arena.store.models import Event, Tournament
from arena.store.models.event_types import EventKind as Kind
from arena.store.paging import page
from arena.store.story import Part
from arena.tournaments.audit import ROUTINE

MAX_PARTS = 10
"""Of an act so many events are told at once."""
BATCH = 200
ORDER = (
    *(Kind.ENTRY_WITHDRAWN, Kind.ENTRY_DISQUALIFIED, Kind.ROUND_RERUN, Kind.MATCH_RERUN, Kind.ENTRY_MADE),
    *(Kind.TOURNAMENT_FROZEN, Kind.TOURNAMENT_REVEALED, Kind.TOURNAMENT_OPEN, Kind.TOURNAMENT_FINISHED),
    *(Kind.MATCH_DECIDED, Kind.TOURNAMENT_RUNNING, Kind.ROUND_PAIRED, Kind.ENTRY_ANNULLED),
    *(Kind.MATCH_SUPERSEDED, Kind.BYE_GIVEN, Kind.REVEAL_MOVED, Kind.TIMETABLE_DONE),
)
"""Which event of an act says what it was; of those that stand alone any does."""
_RANKS = {kind: rank for rank, kind in enumerate(ORDER)}


@dataclass(frozen=True)
class Act:
    """Something that was done: `main` says what, `counts` how many events of each kind tell of it.

    `by` is nobody where it was the arena itself. `parts` are the first of its events. `names` are the
    bots and teams that its events name.
    """

    number: int
    at: dt.datetime
    by: str | None
    main: Part
    counts: Mapping[Kind, int]
    parts: Sequence[Part]
    names: Names

    @property
    def size(self) -> int:
        """How many events tell of it."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Names:
    """Whose bots are, and which bots entries are."""

    owners: Mapping[str, str]
    bots: Mapping[int, str]


def acts(
    session: Session, tournament: Tournament, which: Acts, offset: int, limit: int
) -> tuple[list[Act], int]:
    """One page of what was done to a tournament, the last first, and how much that is.

    The daily round of its matches is left out, as each match tells of its own.
    """
    numbers, total = page(session, store.acts(tournament, ROUTINE, which), offset, limit)
    return _told(session, tournament, numbers), total


def all_acts(session: Session, tournament: Tournament, which: Acts) -> Iterator[Act]:
    """Everything that was done to a tournament, the first first, some at a time."""
    numbers = session.scalars(store.acts(tournament, ROUTINE, which)).all()[::-1]
    for start in range(0, len(numbers), BATCH):
        yield from _told(session, tournament, numbers[start : start + BATCH])


def act(session: Session, tournament: Tournament, number: int) -> Act:
    """One act of a tournament.

    Raises:
        NotFoundError: there is none of that number.
    """
    found = store.acts(tournament, ROUTINE, Acts.ALL).where(Event.id == number)
    if session.scalar(found) is None:
        raise NotFoundError(f"nothing of the number {number} was done to {tournament.name!r}")
    return _told(session, tournament, [number])[0]


def parts(session: Session, act: Act, offset: int, limit: int) -> Sequence[Part]:
    """A part of the events of an act, in order."""
    return store.parts_of(session, act.number, offset, limit)


def _told(session: Session, tournament: Tournament, numbers: Sequence[int]) -> list[Act]:
    counts: dict[int, dict[Kind, int]] = {}
    firsts: dict[int, dict[Kind, int]] = {}
    for act_, kind, count, first in store.counts(session, numbers):
        counts.setdefault(act_, {})[kind] = count
        firsts.setdefault(act_, {})[kind] = first
    leading = {number: min(found, key=_rank) for number, found in counts.items()}
    mains = {number: firsts[number][kind] for number, kind in leading.items()}
    parts_ = store.parts(session, {*mains.values(), *numbers})
    shown: dict[int, list[Part]] = {}
    for part in store.first_parts(session, numbers, MAX_PARTS):
        shown.setdefault(part.act, []).append(part)
    names = _names(
        session, tournament, [*parts_.values(), *(each for some in shown.values() for each in some)]
    )
    return [
        Act(
            number=number,
            at=parts_[mains[number]].event.at,
            by=next((each.user for each in [parts_[mains[number]], *shown[number]] if each.user), None),
            main=parts_[mains[number]],
            counts=counts[number],
            parts=shown[number],
            names=names,
        )
        for number in numbers
    ]


def _rank(kind: Kind) -> int:
    return _RANKS.get(kind, -1)


def _names(session: Session, tournament: Tournament, told: Sequence[Part]) -> Names:
    data: list[dict[str, Any]] = [part.event.data for part in told]
    entries = {each["entry"] for each in data if "entry" in each}
    bots = store.bots_of(session, tournament, entries)
    named = {each["bot"] for each in data if "bot" in each} | {*bots.values()}
    return Names(store.owners(session, named), bots)
