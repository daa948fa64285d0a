"""What happened in a tournament, as formats and tie-breaks are told: who takes part, and who met whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy.orm import Session

from arena.pairing.contract import Entrant, Kind, Meeting
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.models import MatchState, Tournament


@dataclass
class _Sum:
    """A pairing's games so far, the points from the side of who is first in its first game."""

    phase: str
    first: int
    second: int
    own: int = 0
    other: int = 0
    games: int = 0
    played: bool = False
    complete: bool = True

    def add(self, row: Any) -> None:
        """Count one game."""
        if row.state != MatchState.FINISHED:
            self.complete = False
            return
        ends = (row.first_half_points, row.second_half_points)
        own, other = ends if row.first_id == self.first else ends[::-1]
        self.own += own
        self.other += other
        self.games += 1
        self.played |= row.kind == Kind.PLAYED


def entrants(session: Session, tournament: Tournament) -> list[Entrant]:
    """Everybody who is or was entered, by number."""
    return [
        Entrant(row.number, row.joined_round, row.left_round) for row in store.entrants(session, tournament)
    ]


def meetings(session: Session, tournament: Tournament) -> Iterator[Meeting]:
    """What every pairing and bye came to, ordered by round, then by the number of the first entry.

    All games of two entrants in a round (and phase) are one meeting; those called off do not count. A
    pairing of which a game is still to be played is left out. Only one round is held at a time.
    """
    numbers = {row.id: row.number for row in store.seats(session, tournament)}
    byes: dict[int, list[Meeting]] = {}
    for bye in store.byes(session, tournament):
        meeting = Meeting(
            bye.round, numbers[bye.entry_id], None, (bye.half_points, 0), 1, Kind(bye.kind), bye.phase
        )
        byes.setdefault(bye.round, []).append(meeting)
    for number, rows in groupby(match_store.games(session, tournament), attrgetter("round")):
        for earlier in sorted(each for each in byes if each < number):
            yield from _ordered(byes.pop(earlier))
        yield from _ordered([*_met(number, rows, numbers), *byes.pop(number, [])])
    for later in sorted(byes):
        yield from _ordered(byes[later])


def _met(number: int, rows: Iterable[Any], numbers: dict[int, int]) -> Iterator[Meeting]:
    sums: dict[tuple[str, int, int], _Sum] = {}
    for row in rows:
        pair = (row.phase, min(row.first_id, row.second_id), max(row.first_id, row.second_id))
        if pair not in sums:
            sums[pair] = _Sum(row.phase, row.first_id, row.second_id)
        sums[pair].add(row)
    for each in sums.values():
        if each.complete:
            kind = Kind.PLAYED if each.played else Kind.FORFEIT
            points = (each.own, each.other)
            first, second = numbers[each.first], numbers[each.second]
            yield Meeting(number, first, second, points, each.games, kind, each.phase)


def _ordered(meetings: Iterable[Meeting]) -> list[Meeting]:
    return sorted(meetings, key=attrgetter("first", "phase"))
