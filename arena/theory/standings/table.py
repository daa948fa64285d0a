"""The leaderboard: entries in the order of a chain of tie-breaks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import lcm
from operator import attrgetter
from typing import Any, NamedTuple

from arena.theory.standings.direct import Encounters, direct_encounter
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

OF_TOTALS: Mapping[str, Callable[[Tally], int]] = {
    "points": attrgetter("half_points"),
    "wins": attrgetter("wins"),
    "discs": attrgetter("score_own"),
    "time": attrgetter("wall_ns"),
}
"""What steps of the chain count from an entry's totals."""

Ratio = tuple[int, int]
"""What was counted as whole numbers: how many, of how many; cancelled or not."""

Shown = float | None
"""The same in points, games, discs or seconds, to a thousandth."""

Count = tuple[Ratio | None, Shown]

Steps = tuple[tuple[str, ...], ScoreSense | None, frozenset[str]]
"""Steps that count totals, with what scores mean, and those of which means are compared."""


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

    @cached_property
    def counted(self) -> dict[Steps, tuple[Count, ...]]:
        """What steps of a chain have counted for it by its totals alone, which is counted once."""
        return {}

    @cached_property
    def told(self) -> dict[Hashable, Any]:
        """What others have made of the line that it has, for as long as it is as it is."""
        return {}

    @cached_property
    def shown(self) -> tuple[Any, ...]:
        """What a line of the leaderboard shows of it, wherever it stands: from `entry` to `left_as` there."""
        total = self.total
        return (
            *(self.entry, self.number, self.bot, self.version, self.owner),
            *(total.games, total.played, total.half_points / 2),
            *(total.wins, total.draws, total.losses, total.forfeits),
            *(total.score_own, total.score_other, total.wall_ns // 1_000_000),
            *(self.byes / 2, self.left_as),
        )


@dataclass(frozen=True)
class Rules:
    """What a table is made by: the chain, and what its tie-breaks are told beside the totals.

    `tiers` separate entries before the chain does, the lowest first: how far they came in a `bracket`, if
    there is one, and whether they were disqualified.
    `counted` has the values of the tie-breaks that are counted from rounds, pairs or ratings, by their names
    and the entries' numbers; those in `counted_means` are means of a game. `direct` tells what tied entries
    made of their games with each other. `means` lets points and wins of different numbers of games be
    compared by the mean of a game.
    """

    order: tuple[str, ...] = DEFAULT_ORDER
    bracket: bool = False
    tiers: Mapping[int, int] = field(default_factory=dict)
    score_sense: ScoreSense | None = None
    direct: Callable[[Sequence[int]], Encounters] = lambda tied: direct_encounter(tied, {})
    counted: Mapping[str, Mapping[int, Value]] = field(default_factory=dict)
    counted_means: frozenset[str] = frozenset()
    means: bool = False
    seed: int = 0


class RankedRow(NamedTuple):
    """Where a row stands, with what it made against those it was tied with and what the chain counted."""

    rank: int
    row: Row
    direct: int | None
    tie_breaks: tuple[Shown, ...]

    @property
    def standing(self) -> Standing:
        """The line as it is shown."""
        return Standing._make((self.rank, *self.row.shown, self.direct, self.tie_breaks))


class Standing(NamedTuple):
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
    lines: tuple[RankedRow, ...]

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The lines as they are shown."""
        return tuple(line.standing for line in self.lines)


def table(rows: Sequence[Row], rules: Rules) -> Table:
    """The leaderboard of `rows`, whose order does not matter."""
    means = _means(rows, rules)
    by_number = {row.number: row for row in rows}
    groups = [sorted(by_number)]
    if rules.tiers:
        groups = _split(groups, {number: rules.tiers.get(number, 0) for number in by_number})
    totals = _totals(rows, rules, means)
    shown: list[Sequence[Shown]] = []
    direct: dict[int, int] = {}
    for name in rules.order:
        if name == "direct":
            groups, direct = _met(groups, rules)
            counts: Sequence[Count] = [_counted(direct.get(number), name) for number in by_number]
        else:
            counts = totals[name] if name in totals else _counts(name, rows, rules, mean=name in means)
            ratios = {number: ratio for number, (ratio, _) in zip(by_number, counts, strict=True)}
            groups = _ordered(groups, ratios, fewest=_fewest_first(name, rules))
        shown.append([each for _, each in counts])
    tie_breaks = dict(zip(by_number, zip(*shown, strict=True) if shown else [()] * len(rows), strict=True))
    lines: list[RankedRow] = []
    for group in groups:
        place = len(lines) + 1
        lines.extend(
            RankedRow(place, by_number[number], direct.get(number), tie_breaks[number]) for number in group
        )
    return Table(
        rules.order, rules.bracket, tuple(each for each in rules.order if each in means), tuple(lines)
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


def _met(groups: list[list[int]], rules: Rules) -> tuple[list[list[int]], dict[int, int]]:
    made: dict[int, int] = {}
    separated: list[list[int]] = []
    for group in groups:
        if len(group) == 1:
            separated.append(group)
            continue
        direct = rules.direct(group)
        separated.extend(direct.groups)
        made.update(direct.made)
    return separated, made


def _split(groups: list[list[int]], keys: Mapping[int, int]) -> list[list[int]]:
    """The groups, each parted by the keys of its numbers, the lowest first."""
    key = keys.__getitem__
    parts: list[list[int]] = []
    for group in groups:
        if len(group) == 1:
            parts.append(group)
        else:
            parts.extend(list(tied) for _, tied in groupby(sorted(group, key=key), key=key))
    return parts


def _ordered(groups: list[list[int]], ratios: Mapping[int, Ratio | None], *, fewest: bool) -> list[list[int]]:
    """The groups, each parted by what was counted, the best first."""
    parts: list[list[int]] = []
    for group in groups:
        if len(group) == 1:
            parts.append(group)
        else:
            keys = _keys([ratios[number] for number in group], fewest=fewest)
            parts.extend(_split([group], dict(zip(group, keys, strict=True))))
    return parts


def _keys(counts: Sequence[Ratio | None], *, fewest: bool) -> list[int]:
    """Numbers in the order of what was counted, the best first; nothing counted comes last."""
    whole = lcm(*{each[1] for each in counts if each is not None})
    sign = 1 if fewest else -1
    keys = [None if each is None else sign * each[0] * (whole // each[1]) for each in counts]
    last = max((key for key in keys if key is not None), default=0) + 1
    return [last if key is None else key for key in keys]


def _fewest_first(name: str, rules: Rules) -> bool:
    return name in {"time", "lot"} or (name == "discs" and rules.score_sense == "fewest")


def _totals(rows: Sequence[Row], rules: Rules, means: Collection[str]) -> Mapping[str, Sequence[Count]]:
    """What the steps have counted for every row that count nothing but its totals."""
    names = tuple(name for name in rules.order if name not in rules.counted or not rules.counted[name])
    names = tuple(name for name in names if _own(name, rules.score_sense))
    asked: Steps = names, rules.score_sense, frozenset(means)
    for row in rows:
        if asked not in row.counted:
            row.counted[asked] = tuple(
                [_of_totals(name, row, 0, rules, mean=name in means) for name in names]
            )
    return dict(zip(names, zip(*[row.counted[asked] for row in rows], strict=True), strict=False))


def _counts(name: str, rows: Sequence[Row], rules: Rules, *, mean: bool) -> list[Count]:
    """What a step of the chain has counted for every row."""
    counted = rules.counted.get(name, {})
    if name == "lot":
        counted = lots([row.number for row in rows], rules.seed)
    if _own(name, rules.score_sense) is None:
        return [_counted(counted.get(row.number), name) for row in rows]
    return [_of_totals(name, row, counted.get(row.number), rules, mean=mean) for row in rows]


def _of_totals(name: str, row: Row, beside: Value, rules: Rules, *, mean: bool) -> Count:
    """What a row's totals and something beside them come to: as it is, or the mean of a game."""
    own_of = _own(name, rules.score_sense)
    value = (own_of(row.total) if own_of else 0) + (beside or 0)
    if not mean:
        return _counted(value, name)
    games = row.total.played if name in OF_PLAYED else row.total.games
    return _counted(value - (row.byes if name == "points" else 0) if games else None, name, games)


def _counted(value: Value, name: str, of: int = 1) -> Count:
    """A value of a step, divided by so many; no zero is shown as negative."""
    if value is None:
        return None, None
    over, under = value.numerator, value.denominator * of
    return (over, under), round(over / (under * TIE_BREAKS[name].units), 3) + 0.0


def _own(name: str, sense: ScoreSense | None) -> Callable[[Tally], int] | None:
    """How a tie-break counts an entry's totals; None where it does not."""
    if sense is None and name in {"discs", "disc_difference"}:
        return lambda _: 0
    if name == "disc_difference":
        sign = 1 if sense == "most" else -1
        return lambda total: sign * (total.score_own - total.score_other)
    return OF_TOTALS.get(name)
