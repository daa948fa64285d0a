"""A tournament's table: what its chain of tie-breaks is told, no more than it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from sqlalchemy.orm import Session

from arena import history, ratings, tournaments
from arena.plans import SWISS
from arena.rounds import format_of
from arena.standings.counted import COUNTED
from arena.standings.direct import Met
from arena.standings.field import Field
from arena.standings.order import TIE_BREAKS, Source, check_order
from arena.standings.plain import average_rating, brightwell
from arena.standings.table import Row, Rules, Table
from arena.standings.table import table as ordered
from arena.standings.tally import Tally
from arena.store import encounters as store
from arena.store.models import Entry, Leaving, Tournament
from arena.store.tournaments import entries

OF_DISCS = frozenset({"discs", "disc_difference", "brightwell"})
"""Games without scores have none of these."""


def table(session: Session, tournament: Tournament) -> Table:
    """The leaderboard as it stands, best first, by the tournament's own chain."""
    return Evidence(session, tournament).table()


class Evidence:
    """What the tie-breaks of one tournament are counted from; each is read when it is first asked for."""

    def __init__(self, session: Session, tournament: Tournament) -> None:
        self._session = session
        self._tournament = tournament
        self._entries: Sequence[Entry] = entries(session, tournament)
        self._swiss = tournament.format in SWISS
        self._sense = tournaments.game_of(tournament).score_sense
        chain = check_order(tournament.standings_order, swiss=self._swiss)
        self._order = tuple(name for name in chain if self._sense is not None or name not in OF_DISCS)

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
            free=self._swiss,
            means=not self._swiss and not places,
            seed=self._tournament.seed,
        )
        return ordered([_row(entry) for entry in self._entries], rules)

    def _places(self) -> dict[int, int]:
        """How far everybody came, from 0 on, where the format decides it: in a bracket."""
        if self._tournament.started_at is None:
            return {}
        entrants = history.entrants(self._session, self._tournament)
        found = history.meetings(self._session, self._tournament)
        tiers = format_of(self._tournament).places(entrants, found, self._tournament.seed) or ()
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
        found = history.meetings(self._session, self._tournament)
        return Field.of(history.entrants(self._session, self._tournament), found, swiss=self._swiss)

    @cached_property
    def _pairs(self) -> dict[str, dict[int, int]]:
        """What pairings that were all fixed beforehand tell without their rounds."""
        most = 2 * max((entry.games for entry in self._entries), default=0)
        found = {entry: rest for entry, *rest in store.sums(self._session, self._tournament, most)}
        sums = [(entry.number, *found.get(entry.id, (0, 0))) for entry in self._entries]
        return {
            "sonneborn_berger": {number: against for number, against, _ in sums},
            "koya": {number: against_half for number, _, against_half in sums},
        }

    def _counted(self, name: str) -> Mapping[int, int | None]:
        source = TIE_BREAKS[name].source
        if source in {Source.TOTALS, Source.TIED} or (source == Source.BYES and not self._swiss):
            return {}
        if source == Source.PAIRS and not self._swiss:
            return self._pairs[name]
        field = self._rounds
        if name == "average_rating":
            return average_rating(field, self._ratings())
        return self._brightwell(field) if name == "brightwell" else COUNTED[name](field)

    def _ratings(self) -> dict[int, float | None]:
        found = ratings.ratings(self._session, self._tournament)
        return {line.entrant.number: line.rating for line in found.lines}

    def _brightwell(self, field: Field) -> dict[int, int]:
        """Own discs, or the others' where the fewest win; nothing in games without discs."""
        if self._sense is None:
            return {}
        left = {entry.id: entry.number for entry in self._entries if entry.left_round is not None}
        numbers = {entry.id: entry.number for entry in self._entries}
        against = {
            numbers[entry]: own if self._sense == "most" else other
            for entry, own, other in store.scores_against(self._session, self._tournament, list(left))
        }
        discs = {
            entry.number: entry.score_own if self._sense == "most" else entry.score_other
            for entry in self._entries
        }
        half = sum(tournaments.game_of(self._tournament).draw_score()) // 2
        return brightwell(field, discs, against, set(left.values()), half)


def _expelled(entry: Entry) -> int:
    """Who was disqualified comes after all others, and whose games were annulled after those."""
    return (entry.left_as == Leaving.DISQUALIFIED) + entry.annulled


def _row(entry: Entry) -> Row:
    total = Tally(
        games=entry.games,
        half_points=entry.half_points,
        wins=entry.wins,
        draws=entry.draws,
        losses=entry.losses,
        forfeits=entry.forfeits,
        score_own=entry.score_own,
        score_other=entry.score_other,
        wall_ns=entry.wall_ns,
    )
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
