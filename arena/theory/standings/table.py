"""The leaderboard: entries in the order of a chain of tie-breaks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from arena.theory.standings.direct import Met, direct_encounter
from arena.theory.standings.order import DEFAULT_ORDER, TIE_BREAKS
from arena.theory.standings.plain import lots
from arena.theory.standings.tally import Tally
from engines.game import ScoreSense

Value = int | Fraction | None
"""What a tie-break has counted for an entry; nothing where there was nothing to count."""

OF_PLAYED = frozenset({"discs", "disc_difference", "time"})
"""What only games have that were played: compared by their mean where the numbers of these differ."""

OF_ALL = frozenset({"points", "wins"})
"""What all games have: compared by the mean of a game where their numbers differ, but not in a Swiss."""


@dataclass(frozen=True)
class Row:
    """One entry with its totals. `entry` is its identity, `number` its place in the list of entries.

    The totals of points have those that were given without a game, `byes`, in them. `left_as` is why it takes
    part no more, if it left.
    """

    entry: int
    number: int
    bot: str
    version: int
    owner: str
    total: Tally
    byes: int = 0
    left_as: str | None = None


@dataclass(frozen=True)
class Rules:
    """What a table is made by: the chain, and what its tie-breaks are told beside the totals.

    `tiers` separate entries before the chain does, the lowest first: how far they came in a `bracket`, if
    there is one, and whether they were disqualified.
    `counted` has the values of the tie-breaks that are counted from rounds, pairs or ratings, by their names
    and the entries' numbers; those in `counted_means` are means of a game. `met` is what some entries made
    against each other. `means` lets points and wins of different numbers of games be compared by the mean of
    a game.
    """

    order: tuple[str, ...] = DEFAULT_ORDER
    bracket: bool = False
    tiers: Mapping[int, int] = field(default_factory=dict)
    score_sense: ScoreSense | None = None
    met: Callable[[Sequence[int]], Met] = lambda _: {}
    counted: Mapping[str, Mapping[int, Value]] = field(default_factory=dict)
    counted_means: frozenset[str] = frozenset()
    means: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Standing:
    """One line of the leaderboard.

    Of its games some were `played`, and only these have scores and time; the others were decided without one.
    Of its points, `byes` were given without a game; `left_as` is why it takes part no more, if it left.
    `tie_breaks` are the values of the chain, in its order. `direct` is what the entry made, in half points,
    against those it was tied with; it is None for an entry that was tied with nobody. Entries that no
    tie-break separates share a rank.
    """

    rank: int
    entry: int
    number: int
    bot: str
    version: int
    owner: str
    games: int
    played: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    score_own: int
    score_other: int
    wall_ms: int
    byes: float
    left_as: str | None
    direct: int | None
    tie_breaks: tuple[float | None, ...]


@dataclass(frozen=True)
class Table:
    """The leaderboard, best first, with the chain that it follows.

    `bracket` says that a bracket decided before the chain, `means` which of it are means of a game.
    """

    order: tuple[str, ...]
    bracket: bool
    means: tuple[str, ...]
    standings: tuple[Standing, ...]


def table(rows: Sequence[Row], rules: Rules) -> Table:
    """The leaderboard of `rows`, whose order does not matter."""
    means = _means(rows, rules)
    by_number = {row.number: row for row in rows}
    values = dict[str, dict[int, Value]]()
    groups = _split([sorted(by_number)], {number: rules.tiers.get(number, 0) for number in by_number})
    for name in rules.order:
        if name == "direct":
            groups, values[name] = _met(groups, rules)
        else:
            values[name] = _values(name, rows, rules, means)
            groups = _split(groups, values[name], fewest=_fewest_first(name, rules))
    standings: list[Standing] = []
    for group in groups:
        place = len(standings) + 1
        standings.extend(_standing(place, by_number[number], rules.order, values) for number in group)
    return Table(
        rules.order, rules.bracket, tuple(each for each in rules.order if each in means), tuple(standings)
    )


def uneven(rows: Sequence[Row]) -> bool:
    """Whether entries have different numbers of games."""
    return len({row.total.games for row in rows}) > 1


def _means(rows: Sequence[Row], rules: Rules) -> frozenset[str]:
    """What is compared by the mean of a game."""
    means = rules.counted_means
    if rules.means and uneven(rows):
        means |= OF_ALL
    if len({row.total.played for row in rows}) > 1:
        means |= OF_PLAYED
    return means


def _met(groups: list[list[int]], rules: Rules) -> tuple[list[list[int]], dict[int, Value]]:
    made: dict[int, Value] = {}
    separated: list[list[int]] = []
    for group in groups:
        if len(group) == 1:
            separated.append(group)
            continue
        direct = direct_encounter(group, rules.met(group))
        separated.extend(direct.groups)
        made.update(direct.made)
    return separated, made


def _split(groups: list[list[int]], values: Mapping[int, Value], *, fewest: bool = True) -> list[list[int]]:
    def key(number: int) -> tuple[bool, int | Fraction]:
        value = values.get(number)
        return value is None, 0 if value is None else value if fewest else -value

    return [list(tied) for group in groups for _, tied in groupby(sorted(group, key=key), key=key)]


def _fewest_first(name: str, rules: Rules) -> bool:
    return name in {"time", "lot"} or (name == "discs" and rules.score_sense == "fewest")


def _values(name: str, rows: Sequence[Row], rules: Rules, means: Collection[str]) -> dict[int, Value]:
    counted = rules.counted.get(name, {})
    if name == "lot":
        counted = lots([row.number for row in rows], rules.seed)
    values: dict[int, Value] = {}
    for row in rows:
        own, other = _own(name, row, rules.score_sense), counted.get(row.number)
        value = other if own is None else own + (other or 0)
        if own is not None and name in means:
            total, games = value or 0, row.total.played if name in OF_PLAYED else row.total.games
            total -= row.byes if name == "points" else 0
            value = Fraction(total, games) if games else None
        values[row.number] = value
    return values


def _own(name: str, row: Row, sense: ScoreSense | None) -> int | None:
    """What a tie-break counts from an entry's totals; None where it does not."""
    total = row.total
    match name:
        case "points":
            return total.half_points
        case "wins":
            return total.wins
        case "discs":
            return total.score_own if sense else 0
        case "disc_difference":
            ahead = total.score_own - total.score_other
            return {"most": ahead, "fewest": -ahead, None: 0}[sense]
        case "time":
            return total.wall_ns
    return None


def _standing(
    place: int, row: Row, order: tuple[str, ...], values: Mapping[str, Mapping[int, Value]]
) -> Standing:
    total = row.total
    direct = values.get("direct", {}).get(row.number)
    return Standing(
        rank=place,
        entry=row.entry,
        number=row.number,
        bot=row.bot,
        version=row.version,
        owner=row.owner,
        games=total.games,
        played=total.played,
        points=total.half_points / 2,
        wins=total.wins,
        draws=total.draws,
        losses=total.losses,
        forfeits=total.forfeits,
        score_own=total.score_own,
        score_other=total.score_other,
        wall_ms=total.wall_ns // 1_000_000,
        byes=row.byes / 2,
        left_as=row.left_as,
        direct=None if direct is None else int(direct),
        tie_breaks=tuple(_shown(name, values[name].get(row.number)) for name in order),
    )


def _shown(name: str, value: Value) -> float | None:
    """In points, games, discs or seconds, to a thousandth."""
    return None if value is None else round(float(Fraction(value) / TIE_BREAKS[name].units), 3)
