"""A tournament's table: what its chain of tie-breaks is told, no more than it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from sqlalchemy.orm import Session

from arena.core.terms import Leaving
from arena.results import ratings
from arena.results.snapshot import Snapshot, snapshot_of
from arena.schemas.plans import BRACKETS, SWISS
from arena.store import encounters as store
from arena.store.models import Tournament
from arena.store.tournaments import EntryTotals
from arena.theory.pairing.contract import Meeting
from arena.theory.standings.counted import COUNTED, MEANS
from arena.theory.standings.direct import Encounters, direct_encounter
from arena.theory.standings.field import Field
from arena.theory.standings.order import TIE_BREAKS, Source, check_order
from arena.theory.standings.plain import Discs, average_rating, brightwell, is_plain
from arena.theory.standings.table import Rules, Table, Value, uneven
from arena.theory.standings.table import table as ordered
from arena.tournaments import history, lifecycle
from arena.tournaments.rounds import format_of

OF_DISCS = frozenset({"discs", "disc_difference", "brightwell"})
"""Games without scores have none of these."""


def table(session: Session, tournament: Tournament) -> Table:
    """The leaderboard as it stands, best first, by the tournament's own chain."""
    snapshot = snapshot_of(session, tournament)
    return snapshot.table(
        tournament.standings_order, lambda: TieBreakInputs(session, tournament, snapshot).table()
    )


class TieBreakInputs:
    """What the tie-breaks of one tournament are counted from; each is read when it is first asked for.

    With `before` the snapshot is one of the rounds before that, and so are the meetings.
    """

    def __init__(
        self, session: Session, tournament: Tournament, snapshot: Snapshot, before: int | None = None
    ) -> None:
        self._session = session
        self._tournament = tournament
        self._snapshot = snapshot
        self._before = before
        self._entries = self._snapshot.entries
        self._swiss = tournament.format in SWISS
        self._sense = lifecycle.game_of(tournament).score_sense
        chain = check_order(tournament.standings_order, swiss=self._swiss)
        self._order = tuple(name for name in chain if self._sense is not None or name not in OF_DISCS)
        self._rows = self._snapshot.rows
        self._means = not self._swiss and uneven(self._rows)

    def table(self) -> Table:
        """The leaderboard."""
        places = self._places()
        last = len(places) + 1
        rules = Rules(
            order=self._order,
            bracket=bool(places),
            tiers={
                entry.number: places.get(entry.number, len(places)) + last * _expelled(entry)
                for entry in self._entries
                if places or entry.left_as is not None or entry.annulled
            },
            score_sense=self._sense,
            direct=self._direct,
            counted={name: self._counted(name) for name in self._order},
            counted_means=frozenset(name for name in self._order if self._is_mean(name)),
            means=not self._swiss,
            seed=self._tournament.seed,
        )
        return ordered(self._rows, rules)

    def _places(self) -> dict[int, int]:
        """How far everybody came, from 0 on, where the format decides it: in a bracket."""
        if self._tournament.format not in BRACKETS or self._tournament.started_at is None:
            return {}
        entrants = history.entrants(self._session, self._tournament)
        meetings = self._meetings()
        tiers = format_of(self._tournament).places(entrants, meetings, self._tournament.seed) or ()
        return {number: place for place, tier in enumerate(tiers) for number in tier}

    def _meetings(self, *, begun: bool = False) -> Iterator[Meeting]:
        meetings = history.meetings(self._session, self._tournament, begun=begun)
        return (each for each in meetings if self._before is None or each.round < self._before)

    def _direct(self, tied: Sequence[int]) -> Encounters:
        return direct_encounter(tied, self._rounds.met()) if self._swiss else self._snapshot.direct(tied)

    @cached_property
    def _rounds(self) -> Field:
        entrants = history.entrants(self._session, self._tournament)
        games = max(1, 2 * self._tournament.openings)
        field = Field.of(entrants, self._meetings(begun=True), swiss=self._swiss, games=games)
        return replace(field, means=self._means)

    def _counted(self, name: str) -> Mapping[int, Value]:
        source = TIE_BREAKS[name].source
        if source in {Source.TOTALS, Source.TIED} or (source == Source.BYES and not self._swiss):
            return {}
        if source == Source.PAIRS and not self._swiss:
            return self._snapshot.against[name]
        field = self._rounds
        if name == "average_rating":
            return average_rating(field, self._ratings())
        return self._brightwell(field) if name == "brightwell" else COUNTED[name](field)

    def _is_mean(self, name: str) -> bool:
        """Whether what is counted for that tie-break are means of a game."""
        if name == "brightwell" and is_plain(self._rounds):
            return len({row.total.played for row in self._rows}) > 1
        return self._means and name in {*MEANS, "brightwell"}

    def _ratings(self) -> dict[int, float | None]:
        rated = ratings.ratings(self._session, self._tournament)
        return {line.entrant.number: line.rating for line in rated.lines}

    def _brightwell(self, field: Field) -> dict[int, Value]:
        numbers = {entry.id: entry.number for entry in self._entries}
        left = {entry.id for entry in self._entries if entry.left_round is not None}
        own = self._sense == "most"
        discs = Discs(
            own={row.number: row.total.score_own if own else row.total.score_other for row in self._rows},
            played={row.number: row.total.played for row in self._rows},
            against_left={
                numbers[entry]: scored if own else conceded
                for entry, scored, conceded in store.scores_against(
                    self._session, self._tournament, list(left)
                )
            },
            left={numbers[each] for each in left},
            unplayed=[
                (numbers[entry], numbers[other], half_points)
                for entry, other, half_points in store.unplayed(self._session, self._tournament)
            ],
            half=sum(lifecycle.game_of(self._tournament).draw_score()) // 2,
        )
        return brightwell(field, discs)


def _expelled(entry: EntryTotals) -> int:
    """Who was disqualified comes after all others, and whose games were annulled after those."""
    return (entry.left_as == Leaving.DISQUALIFIED) + entry.annulled
