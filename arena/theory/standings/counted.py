"""Tie-breaks by name: what is counted from rounds, and whole tables of nothing but rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from arena.core.errors import InvalidError
from arena.theory.pairing.contract import Entrant, Meeting
from arena.theory.standings.direct import direct_encounter
from arena.theory.standings.field import Field
from arena.theory.standings.opponents import buchholz, sonneborn_berger
from arena.theory.standings.order import NO_GROUP_TELLS, check_order
from arena.theory.standings.plain import average_rating, full_byes, koya, progressive
from arena.theory.standings.table import Row, Rules, Table, Value, table
from arena.theory.standings.tally import Tally
from engines.game import ScoreSense

COUNTED: dict[str, Callable[[Field], Mapping[int, Value]]] = {
    "wins": full_byes,
    "sonneborn_berger": sonneborn_berger,
    "buchholz": buchholz,
    "buchholz_cut1": partial(buchholz, lowest=1),
    "buchholz_cut2": partial(buchholz, lowest=2),
    "buchholz_median": partial(buchholz, lowest=1, highest=1),
    "koya": koya,
    "progressive": progressive,
}
"""What is counted from the rounds alone; beside the games that were won, `wins` are whole byes."""

MEANS = frozenset(COUNTED) - {"wins"}
"""Those of them that are means of a game in a field that compares means."""

NO_ROUNDS_TELL = ("disc_difference", "discs", "brightwell", "time")


def table_of_rounds(
    entrants: Iterable[Entrant],
    meetings: Iterable[Meeting],
    order: Sequence[str],
    *,
    swiss: bool,
    ratings: Mapping[int, float | None] | None = None,
    seed: int = 0,
) -> Table:
    """The table of a tournament of which only the rounds are known; bots and owners are empty texts.

    Args:
        entrants: who takes part.
        meetings: what came of whom meeting whom, in any order.
        order: the chain of tie-breaks; none is the points and the direct encounter.
        swiss: whether rounds that were not played count as in a Swiss tournament.
        ratings: those before the tournament, for `average_rating`.
        seed: what lots are drawn from.

    Raises:
        InvalidError: the chain makes no sense, or needs discs or times.
    """
    chain = check_order(order or ("points", "direct"))
    if unknown := [name for name in chain if name in NO_ROUNDS_TELL]:
        raise InvalidError(
            "rounds do not tell %(unknown)s; leave that out of the order", unknown=", ".join(unknown)
        )
    field = Field.of(entrants, meetings, swiss=swiss)
    met = field.met()
    counted: dict[str, Mapping[int, Value]] = {
        name: COUNTED[name](field) for name in chain if name in COUNTED
    }
    if "average_rating" in chain:
        counted["average_rating"] = average_rating(field, ratings or {})
    rules = Rules(order=chain, direct=lambda tied: direct_encounter(tied, met), counted=counted, seed=seed)
    return table([_row(field, number, Tally()) for number in field.records], rules)


@dataclass(frozen=True)
class GroupOrder:
    """The order in a group by a whole chain and then by lot, for nothing may be left undecided.

    Discs and times are those of the meetings' details; where these are not told they decide nothing.
    """

    chain: tuple[str, ...]
    score_sense: ScoreSense | None

    def __call__(self, numbers: Sequence[int], meetings: Sequence[Meeting], seed: int) -> list[int]:
        """The entrants, best first, after these meetings of the group."""
        field = Field.of(map(Entrant, numbers), meetings, swiss=False).by_means
        told = _details(meetings)
        met = field.met()
        rules = Rules(
            order=(*(name for name in self.chain if name not in {*NO_GROUP_TELLS, "lot"}), "lot"),
            score_sense=self.score_sense,
            direct=lambda tied: direct_encounter(tied, met),
            counted={name: COUNTED[name](field) for name in self.chain if name in COUNTED},
            counted_means=MEANS if field.means else frozenset(),
            means=True,
            seed=seed,
        )
        rows = [_row(field, number, told[number]) for number in field.records]
        return [line.number for line in table(rows, rules).standings]


def _details(meetings: Iterable[Meeting]) -> dict[int, Tally]:
    """Everybody's games won, scores and times, as far as the meetings tell them."""
    tallies: dict[int, Tally] = defaultdict(Tally)
    for each in meetings:
        if each.detail is None or each.second is None:
            continue
        (won, lost), (score, other), (wall_ns, others), played, _ = each.detail
        tallies[each.first] += Tally(
            played=played, wins=won, score_own=score, score_other=other, wall_ns=wall_ns
        )
        tallies[each.second] += Tally(
            played=played, wins=lost, score_own=other, score_other=score, wall_ns=others
        )
    return tallies


def _row(field: Field, number: int, told: Tally) -> Row:
    """Its totals; of a pairing of several games no games are won or lost but those that are `told`."""
    rows = [row for row in field.records[number] if row.opponent is not None]
    single = [row for row in rows if row.games == 1]
    total = replace(
        told,
        games=sum(row.games for row in rows),
        half_points=field.half_points[number],
        wins=max(told.wins, sum(row.half_points == 2 for row in single)),
        draws=sum(row.half_points == 1 for row in single),
        losses=sum(row.half_points == 0 for row in single),
    )
    byes = total.half_points - sum(row.half_points for row in rows)
    return Row(number, number, "", 1, "", total, byes)
