"""The leaderboard: points, then direct encounter, then fewest own discs, then least time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from arena.standings.tally import Tally
from engines.game import ScoreSense

HalfPoints = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Row:
    """One entry with its totals. `entry` is its identity, `number` its place in the list of entries."""

    entry: int
    number: int
    bot: str
    version: int
    owner: str
    total: Tally


@dataclass(frozen=True)
class Standing:
    """One line of the leaderboard.

    `direct` is what the entry made, in half points, against those with as many points as itself; it is None
    for an entry that shares its points with nobody. Entries that no tie-break separates share a rank.
    """

    rank: int
    entry: int
    number: int
    bot: str
    version: int
    owner: str
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    score_own: int
    score_other: int
    wall_ms: int
    direct: int | None


def rank(rows: Sequence[Row], met: HalfPoints, score_sense: ScoreSense | None) -> list[Standing]:
    """The leaderboard, best first; the order of `rows` does not matter.

    Args:
        rows: the entries with their totals.
        met: half points that the first entry of a pair made against the second.
        score_sense: which score is the better one; None where a score says nothing.
    """
    keyed = []
    for _, group in groupby(sorted(rows, key=_points), key=_points):
        tied = list(group)
        for row in tied:
            direct = _direct(row, tied, met)
            keyed.append((_key(row, direct, score_sense), row, direct))
    keyed.sort(key=lambda item: (item[0], item[1].number))
    standings: list[Standing] = []
    for place, (key, row, direct) in enumerate(keyed, start=1):
        shared = place > 1 and keyed[place - 2][0] == key
        standings.append(_standing(standings[-1].rank if shared else place, row, direct))
    return standings


def _points(row: Row) -> int:
    return -row.total.half_points


def _direct(row: Row, tied: Sequence[Row], met: HalfPoints) -> int | None:
    if len(tied) == 1:
        return None
    return sum(met.get((row.entry, other.entry), 0) for other in tied if other is not row)


def _key(row: Row, direct: int | None, score_sense: ScoreSense | None) -> tuple[int, int, int, int]:
    """What decides the order, the smaller the better."""
    score = {"fewest": row.total.score_own, "most": -row.total.score_own, None: 0}[score_sense]
    return (-row.total.half_points, -(direct or 0), score, row.total.wall_ns)


def _standing(place: int, row: Row, direct: int | None) -> Standing:
    total = row.total
    return Standing(
        rank=place,
        entry=row.entry,
        number=row.number,
        bot=row.bot,
        version=row.version,
        owner=row.owner,
        games=total.games,
        points=total.half_points / 2,
        wins=total.wins,
        draws=total.draws,
        losses=total.losses,
        forfeits=total.forfeits,
        score_own=total.score_own,
        score_other=total.score_other,
        wall_ms=total.wall_ns // 1_000_000,
        direct=direct,
    )
