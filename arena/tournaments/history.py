"""What happened in a tournament, as formats and tie-breaks are told: who takes part, and who met whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from sqlalchemy.orm import Session

from arena.core.terms import Leaving, MatchState
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.models import Tournament
from arena.theory.pairing.contract import Detail, Entrant, FormatName, Kind, Meeting
from arena.theory.standings.direct import WIN


@dataclass(slots=True)
class _Sum:
    """A pairing's games so far, from the side of who is first in its first game, then of the other."""

    phase: str
    first: int
    second: int
    own: int = 0
    other: int = 0
    games: int = 0
    played: int = 0
    complete: bool = True
    detail: Detail | None = None

    def add(self, first: int, state: str, ends: tuple[int, int], kind: str, detail: Sequence[Any]) -> None:
        """Count one game; `ends` are the half points of its seats, `detail` their scores and their use."""
        if state != MatchState.FINISHED:
            self.complete = False
            return
        turned = first != self.first
        self.own += ends[turned]
        self.other += ends[not turned]
        self.games += 1
        played = kind == Kind.PLAYED
        self.played += played
        if detail:
            *scores, seats = detail
            won = [half_points == WIN for half_points in ends]
            sums = self.detail or Detail((0, 0), (0, 0), (0, 0), 0)
            self.detail = Detail(
                wins=_with(sums.wins, won, turned),
                scores=_with(sums.scores, [score * played for score in scores], turned),
                wall_ns=_with(sums.wall_ns, [seat["wall_ns"] * played for seat in seats], turned),
                played=self.played,
                walkovers=_with(sums.walkovers, [each and not played for each in won], turned),
            )

    def meeting(self, number: int, numbers: dict[int, int]) -> Meeting:
        """What it came to, if it is complete, with the entries' numbers."""
        kind = Kind.PLAYED if self.played else Kind.FORFEIT
        first, second, points = numbers[self.first], numbers[self.second], (self.own, self.other)
        unplayed = self.games - self.played
        return Meeting(number, first, second, points, self.games, kind, self.phase, self.detail, unplayed)


def _with(sums: tuple[int, int], seats: Sequence[int], turned: bool) -> tuple[int, int]:
    """The sums of both sides with what the seats of a game have, which may be turned."""
    return sums[0] + seats[turned], sums[1] + seats[not turned]


def entrants(session: Session, tournament: Tournament) -> list[Entrant]:
    """Everybody who is or was entered, by number."""
    return [
        Entrant(
            row.number,
            row.joined_round,
            row.left_round,
            disqualified=row.left_as == Leaving.DISQUALIFIED,
        )
        for row in store.entrants(session, tournament)
    ]


def meetings(session: Session, tournament: Tournament, *, begun: bool = False) -> Iterator[Meeting]:
    """What every pairing and bye came to, ordered by round, then by the number of the first entry.

    All games of two entrants in a round (and phase) are one meeting; those called off do not count. A
    pairing of which a game is still to be played is left out, or, if asked for those that have `begun`, told
    with its games so far. Only one round is held at a time. Those of groups and ladders have their details:
    who meets next may depend on them.
    """
    detailed = tournament.format in {FormatName.GROUPS, FormatName.LADDER}
    numbers = {row.id: row.number for row in store.seats(session, tournament)}
    byes: dict[int, list[Meeting]] = {}
    for bye in store.byes(session, tournament):
        meeting = Meeting(
            bye.round, numbers[bye.entry_id], None, (bye.half_points, 0), 1, bye.kind, bye.phase
        )
        byes.setdefault(bye.round, []).append(meeting)
    games = match_store.games(session, tournament, detailed=detailed)
    for number, rows in groupby(games, itemgetter(0)):
        for earlier in sorted(each for each in byes if each < number):
            yield from _ordered(byes.pop(earlier))
        met = [
            each.meeting(number, numbers) for each in _sums(rows) if each.complete or (begun and each.games)
        ]
        yield from _ordered([*met, *byes.pop(number, [])])
    for later in sorted(byes):
        yield from _ordered(byes[later])


def _sums(rows: Iterable[Any]) -> Iterable[_Sum]:
    """The pairings of a round."""
    sums: dict[tuple[str, int, int], _Sum] = {}
    for _, phase, first, second, state, own, other, kind, *detail in rows:
        pair = (phase, first, second) if first < second else (phase, second, first)
        total = sums.get(pair)
        if total is None:
            total = sums[pair] = _Sum(phase, first, second)
        total.add(first, state, (own, other), kind, detail)
    return sums.values()


def _ordered(meetings: Iterable[Meeting]) -> list[Meeting]:
    return sorted(meetings, key=attrgetter("first", "phase"))
