"""A tournament's table: what its chain of tie-breaks is told, no more than it needs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from functools import cached_property

from sqlalchemy.orm import Session

from arena.core.terms import Leaving
from arena.results import ratings
from arena.store import encounters as store
from arena.store.models import Entry, Tournament
from arena.store.tournaments import entries
from arena.theory.standings.counted import COUNTED, MEANS
from arena.theory.standings.direct import Met
from arena.theory.standings.field import Field
from arena.theory.standings.order import TIE_BREAKS, Source, check_order
from arena.theory.standings.plain import Discs, average_rating, brightwell, is_plain
from arena.theory.standings.table import Row, Rules, Table, Value, uneven
from arena.theory.standings.table import table as ordered
from arena.theory.standings.tally import Tally
from arena.tournaments import history, lifecycle
from arena.tournaments.plans import SWISS
from arena.tournaments.rounds import format_of

OF_DISCS = frozenset({"discs", "disc_difference", "brightwell"})
"""Games without scores have none of these."""


def table(session: Session, tournament: Tournament) -> Table:
    """The leaderboard as it stands, best first, by the tournament's own chain."""
    return TieBreakInputs(session, tournament).table()


class TieBreakInputs:
    """What the tie-breaks of one tournament are counted from; each is read when it is first asked for."""

    def __init__(self, session: Session, tournament: Tournament) -> None:
        self._session = session
        self._tournament = tournament
        self._entries: Sequence[Entry] = entries(session, tournament)
        self._swiss = tournament.format in SWISS
        self._sense = lifecycle.game_of(tournament).score_sense
        chain = check_order(tournament.standings_order, swiss=self._swiss)
        self._order = tuple(name for name in chain if self._sense is not None or name not in OF_DISCS)
        self._rows = [_row(entry) for entry in self._entries]
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
            },
            score_sense=self._sense,
            met=self._met,
            counted={name: self._counted(name) for name in self._order},
            counted_means=frozenset(name for name in self._order if self._is_mean(name)),
            means=not self._swiss,
            seed=self._tournament.seed,
        )
        return ordered(self._rows, rules)

    def _places(self) -> dict[int, int]:
        """How far everybody came, from 0 on, where the format decides it: in a bracket."""
        if self._tournament.started_at is None:
            return {}
        entrants = history.entrants(self._session, self._tournament)
        meetings = history.meetings(self._session, self._tournament)
        tiers = format_of(self._tournament).places(entrants, meetings, self._tournament.seed) or ()
        return {number: place for place, tier in enumerate(tiers) for number in tier}

    def _met(self, tied: Sequence[int]) -> Met:
        if self._swiss:
            return self._rounds.met()
        ids = {entry.id: entry.number for entry in self._entries}
        among = [entry.id for entry in self._entries if entry.number in set(tied)]
        return {
            (ids[one], ids[other]): (half_points, games)
            for one, other, half_points, games in store.between(self._session, among)
        }

    @cached_property
    def _rounds(self) -> Field:
        meetings = history.meetings(self._session, self._tournament, begun=True)
        field = Field.of(history.entrants(self._session, self._tournament), meetings, swiss=self._swiss)
        return replace(field, means=self._means)

    @cached_property
    def _pairs(self) -> dict[str, dict[int, Value]]:
        """What pairings that were all fixed beforehand tell without their rounds."""
        pairs = self._mean_pairs() if self._means else self._whole_pairs()
        sums = [(entry.number, *pairs.get(entry.id, (0, 0))) for entry in self._entries]
        return {
            "sonneborn_berger": {number: against for number, against, _ in sums},
            "koya": {number: against_half for number, _, against_half in sums},
        }

    def _whole_pairs(self) -> dict[int, tuple[Value, Value]]:
        return {entry: (each, half) for entry, each, half in store.sums(self._session, self._tournament)}

    def _mean_pairs(self) -> dict[int, tuple[Value, Value]]:
        """The same by the mean of a game, also of the others' points; nothing for who had none."""
        each, half = defaultdict[int, Fraction](Fraction), Counter[int]()
        for entry, made, others, games in store.against(self._session, self._tournament):
            each[entry] += made * Fraction(others, games)
            half[entry] += made if others >= games else 0
        return {
            entry.id: (each[entry.id] / entry.games, Fraction(half[entry.id], entry.games))
            if entry.games
            else (None, None)
            for entry in self._entries
        }

    def _counted(self, name: str) -> Mapping[int, Value]:
        source = TIE_BREAKS[name].source
        if source in {Source.TOTALS, Source.TIED} or (source == Source.BYES and not self._swiss):
            return {}
        if source == Source.PAIRS and not self._swiss:
            return self._pairs[name]
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
            own={entry.number: entry.score_own if own else entry.score_other for entry in self._entries},
            played={entry.number: entry.played for entry in self._entries},
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


def _expelled(entry: Entry) -> int:
    """Who was disqualified comes after all others, and whose games were annulled after those."""
    return (entry.left_as == Leaving.DISQUALIFIED) + entry.annulled


def _row(entry: Entry) -> Row:
    total = Tally(**{each.name: getattr(entry, each.name) for each in fields(Tally)})
    bot = entry.version.bot
    return Row(
        entry=entry.id,
        number=entry.number,
        bot=bot.name,
        version=entry.version.number,
        owner=bot.owner.name,
        total=total,
        byes=entry.bye_half_points,
        left_as=entry.left_as,
    )
