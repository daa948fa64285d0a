"""A tournament at one revision: what its entries have made, all in all and against each other. Cached.

After a result a reader fetches the entries' totals, and what those that it changed made against each other.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from threading import Lock
from typing import TypeAlias, cast
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from arena.store import encounters, tournaments
from arena.store.database import is_reading
from arena.store.encounters import Pair
from arena.store.models import Tournament
from arena.store.tournaments import EntryRow, EntryTotals
from arena.theory.standings.direct import Encounters, Met, direct_encounter
from arena.theory.standings.table import Row, Table, Value, uneven

Squares: TypeAlias = npt.NDArray[np.int32]

FEW = 16
"""Of so many what they made against each other is quicker looked up than cut out."""

MAX_CACHED = 16
"""Tournaments of a database; of 1,000 bots one takes 8 MB."""


@dataclass(frozen=True)
class Snapshot:
    """The entries of a tournament at one revision, and what each made against each.

    `half_points` and `games` have a row for each entry and a column for each other, in the entries' order.
    `read` is what the database has of each entry.
    """

    revision: int
    read: Sequence[EntryRow]
    entries: Sequence[EntryTotals]
    rows: Sequence[Row]
    half_points: Squares
    games: Squares
    _tables: dict[Sequence[str], Table] = field(default_factory=dict, repr=False, compare=False)
    _direct: dict[tuple[int, ...], Encounters] = field(default_factory=dict, repr=False, compare=False)
    _earlier: Mapping[tuple[int, ...], Encounters] = field(default_factory=dict, repr=False, compare=False)

    def table(self, chain: Sequence[str], make: Callable[[], Table]) -> Table:
        """The table in the order of that chain, which `make` makes of this; it is made once."""
        asked = tuple(chain)
        if asked not in self._tables:
            self._tables[asked] = make()
        return self._tables[asked]

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The row and column of every entry, by its number."""
        return {row.number: place for place, row in enumerate(self.rows)}

    def direct(self, tied: Sequence[int]) -> Encounters:
        """What those of these numbers made of their games with each other; it is worked out once."""
        asked = tuple(tied)
        found = self._direct.get(asked) or self._earlier.get(asked)
        if found is None:
            found = direct_encounter(tied, self.met(tied))
        return self._direct.setdefault(asked, found)

    def direct_without(self, changed: Collection[int]) -> Mapping[tuple[int, ...], Encounters]:
        """What was found of the direct encounters, where at most one of these takes part.

        A game changes both of its sides: where no two have changed, nothing has between them.
        """
        there = {*changed}
        return {
            tied: found for tied, found in self._direct.copy().items() if len(there.intersection(tied)) < 2
        }

    def met(self, among: Sequence[int]) -> Met:
        """What the entries of these numbers made against each other, of those that have met."""
        chosen = [self.places[number] for number in among]
        if len(chosen) <= FEW:
            pairs = [(one, other) for one in chosen for other in chosen if self.games.item(one, other)]
            return {
                (self.rows[one].number, self.rows[other].number): (
                    self.half_points.item(one, other),
                    self.games.item(one, other),
                )
                for one, other in pairs
            }
        games = self.games[np.ix_(chosen, chosen)]
        half_points = self.half_points[np.ix_(chosen, chosen)]
        return {
            (among[one], among[other]): (made, count)
            for one, other, made, count in zip(
                *(side.tolist() for side in np.nonzero(games)),
                half_points[games != 0].tolist(),
                games[games != 0].tolist(),
                strict=True,
            )
        }

    @cached_property
    def against(self) -> Mapping[str, Mapping[int, Value]]:
        """Sonneborn-Berger and Koya, by the entries' numbers.

        The sum of what an entry made times the other's half points, and that of what it made against others
        with at least half of the points of their games: where entries have different numbers of games, the
        mean of a game of both, and nothing for who had none.
        """
        made = np.array([row.total.half_points for row in self.rows], dtype=np.int64)
        games = np.array([row.total.games for row in self.rows], dtype=np.int64)
        half_points = self.half_points.astype(np.int64)
        koya = half_points @ (made >= games)
        if not uneven(self.rows):
            return self._by_number(half_points @ made, koya)
        numbers = [int(number) for number in np.unique(games) if number]
        whole = lcm(*numbers)
        parts = [(whole // number, half_points @ np.where(games == number, made, 0)) for number in numbers]
        weighed = [sum(share * int(part[place]) for share, part in parts) for place in range(len(self.rows))]
        played = [row.total.games for row in self.rows]
        return self._by_number(
            [Fraction(one, whole * own) if own else None for one, own in zip(weighed, played, strict=True)],
            [Fraction(int(one), own) if own else None for one, own in zip(koya, played, strict=True)],
        )

    def _by_number(self, *values: Iterable[Value]) -> Mapping[str, Mapping[int, Value]]:
        numbers = [row.number for row in self.rows]
        return {
            name: dict(zip(numbers, map(_plain, each), strict=True))
            for name, each in zip(("sonneborn_berger", "koya"), values, strict=True)
        }


class _Cache:
    """The newest snapshots of some tournaments of one database."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._snapshots: OrderedDict[int, Snapshot] = OrderedDict()

    def get(self, tournament_id: int) -> Snapshot | None:
        with self._lock:
            if tournament_id in self._snapshots:
                self._snapshots.move_to_end(tournament_id)
            return self._snapshots.get(tournament_id)

    def put(self, tournament_id: int, snapshot: Snapshot) -> None:
        with self._lock:
            before = self._snapshots.get(tournament_id)
            if before is None or before.revision < snapshot.revision:
                self._snapshots[tournament_id] = snapshot
            if len(self._snapshots) > MAX_CACHED:
                self._snapshots.popitem(last=False)


_CACHES: WeakKeyDictionary[Engine, _Cache] = WeakKeyDictionary()


def snapshot_of(session: Session, tournament: Tournament) -> Snapshot:
    """The tournament as the session sees it.

    Only what a session for reading has seen is cached: another one may yet take back what it wrote.
    """
    if not is_reading(session):
        return _read(session, tournament, None)
    cache = _CACHES.setdefault(session.get_bind().engine, _Cache())
    before = cache.get(tournament.id)
    if before is not None and before.revision == tournament.revision:
        return before
    if before is not None and before.revision > tournament.revision:
        before = None
    snapshot = _read(session, tournament, before)
    cache.put(tournament.id, snapshot)
    return snapshot


def _read(session: Session, tournament: Tournament, before: Snapshot | None) -> Snapshot:
    """The tournament as it is; what of `before` nothing has changed since is taken over."""
    read = tournaments.entry_rows(session, tournament)
    if before is None or [each[0] for each in before.read] != [each[0] for each in read]:
        entries = list(map(tournaments.totals_of, read))
        blank = np.zeros((2, len(entries), len(entries)), dtype=np.int32)
        at = {each.id: place for place, each in enumerate(entries)}
        half_points, games = _with(blank, at, encounters.of(session, list(at)))
        return Snapshot(tournament.revision, read, entries, _rows(session, entries), half_points, games)
    entries, rows, places = _taken_over(session, before, read)
    at = {entries[place].id: place for place in places}
    squares = np.stack((before.half_points, before.games))
    squares[:, np.array(places, dtype=np.intp)[:, None], places] = 0
    half_points, games = _with(squares, at, encounters.among(session, list(at)))
    earlier = before.direct_without([rows[place].number for place in places])
    snapshot = Snapshot(tournament.revision, read, entries, rows, half_points, games, _earlier=earlier)
    return snapshot if _adds_up(snapshot) else _read(session, tournament, None)


def _taken_over(
    session: Session, before: Snapshot, read: Sequence[EntryRow]
) -> tuple[list[EntryTotals], list[Row], list[int]]:
    """Entries and rows as they are now, the very same ones where nothing has changed, and where it has."""
    entries, rows = [*before.entries], [*before.rows]
    places = [at for at, (was, is_) in enumerate(zip(before.read, read, strict=True)) if was != is_]
    for at in places:
        entries[at] = tournaments.totals_of(read[at])
    for at, row in zip(places, _rows(session, [entries[at] for at in places]), strict=True):
        rows[at] = row
    return entries, rows, places


def _with(squares: Squares, places: Mapping[int, int], met: Sequence[Pair]) -> Squares:
    """Half points and games, of these pairs as they are now; entries have places by their ids."""
    if met:
        one, other, *made = zip(*met, strict=True)
        squares[:, [places[each] for each in one], [places[each] for each in other]] = made
    squares.flags.writeable = False
    return squares


def _adds_up(snapshot: Snapshot) -> bool:
    """Whether what every entry made against the others is what it made in all."""
    games = [each.games for each in snapshot.entries]
    half_points = [each.half_points - each.bye_half_points for each in snapshot.entries]
    sums = snapshot.games.sum(axis=1), snapshot.half_points.sum(axis=1)
    return [each.tolist() for each in sums] == [games, half_points]


def _rows(session: Session, entries: Sequence[EntryTotals]) -> list[Row]:
    """The rows of the entries."""
    names = tournaments.entered(session, [each.id for each in entries]) if entries else {}
    return [_row(each, *names[each.id]) for each in entries]


def _row(entry: EntryTotals, bot: str, version: int, owner: str) -> Row:
    return Row(
        entry=entry.id,
        number=entry.number,
        bot=bot,
        version=version,
        owner=owner,
        total=entry.tally,
        byes=entry.bye_half_points,
        left_as=entry.left_as,
    )


def _plain(value: object) -> Value:
    """A number that is exact, and none of NumPy's."""
    return int(value) if isinstance(value, np.integer) else cast("Value", value)
