"""A tournament at one revision: what its entries have made, all in all and against each other. Cached.

After a result a reader fetches the entries' totals, and of what they made against each other only the rows of
those that it changed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from arena.store.models import Tournament
from arena.store.tournaments import EntryTotals
from arena.theory.standings.direct import Met
from arena.theory.standings.table import Row, Table, Value, uneven
from arena.theory.standings.tally import Tally

Squares: TypeAlias = npt.NDArray[np.int32]

MAX_CACHED = 16
"""Tournaments of a database; of 1,000 bots one takes 8 MB."""


@dataclass(frozen=True)
class Snapshot:
    """The entries of a tournament at one revision, and what each made against each.

    `half_points` and `games` have a row for each entry and a column for each other, in the entries' order.
    """

    revision: int
    entries: Sequence[EntryTotals]
    rows: Sequence[Row]
    half_points: Squares
    games: Squares
    _tables: dict[Sequence[str], Table] = field(default_factory=dict, repr=False, compare=False)

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

    def met(self, among: Sequence[int]) -> Met:
        """What the entries of these numbers made against each other, of those that have met."""
        chosen = [self.places[number] for number in among]
        games = self.games[np.ix_(chosen, chosen)]
        half_points = self.half_points[np.ix_(chosen, chosen)]
        return {
            (among[one], among[other]): (int(half_points[one, other]), int(games[one, other]))
            for one, other in zip(*np.nonzero(games), strict=True)
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
    entries = tournaments.entry_totals(session, tournament)
    if before is None or [each.id for each in before.entries] != [each.id for each in entries]:
        blank = np.zeros((2, len(entries), len(entries)), dtype=np.int32)
        met = _with(session, blank, entries, entries)
        return Snapshot(tournament.revision, entries, [_row(each) for each in entries], *met)
    rows = [
        row if old == new else _row(new)
        for row, old, new in zip(before.rows, before.entries, entries, strict=True)
    ]
    changed = [each for each in entries if each.revision > before.revision]
    met = _with(session, np.stack((before.half_points, before.games)), entries, changed)
    snapshot = Snapshot(tournament.revision, entries, rows, *met)
    return snapshot if _adds_up(snapshot) else _read(session, tournament, None)


def _with(
    session: Session, squares: Squares, entries: Sequence[EntryTotals], changed: Sequence[EntryTotals]
) -> Squares:
    """Half points and games, those of the `changed` entries as they are now."""
    places = {each.id: place for place, each in enumerate(entries)}
    squares[:, [places[each.id] for each in changed]] = 0
    for entry, other, *made in encounters.of(session, [each.id for each in changed]):
        squares[:, places[entry], places[other]] = made
    squares.flags.writeable = False
    return squares


def _adds_up(snapshot: Snapshot) -> bool:
    """Whether what every entry made against the others is what it made in all."""
    return all(
        (row.total.games, row.total.half_points - row.byes) == sums
        for row, sums in zip(
            snapshot.rows,
            zip(snapshot.games.sum(axis=1).tolist(), snapshot.half_points.sum(axis=1).tolist(), strict=True),
            strict=True,
        )
    )


def _row(entry: EntryTotals) -> Row:
    return Row(
        entry=entry.id,
        number=entry.number,
        bot=entry.bot,
        version=entry.version,
        owner=entry.owner,
        total=Tally(*entry.tally),
        byes=entry.bye_half_points,
        left_as=entry.left_as,
    )


def _plain(value: object) -> Value:
    """A number that is exact, and none of NumPy's."""
    return int(value) if isinstance(value, np.integer) else cast("Value", value)
