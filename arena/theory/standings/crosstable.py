"""Who made how many points against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.theory.standings.table import Standing


class Cell(NamedTuple):
    """What the row's entry made against the column's, over `games` games."""

    points: float
    games: int


@dataclass(frozen=True)
class Crosstable:
    """A square table in the order of the leaderboard; None where an entry would meet itself."""

    standings: tuple[Standing, ...]
    cells: tuple[tuple[Cell | None, ...], ...]


def crosstable(standings: Sequence[Standing], met: Mapping[tuple[int, int], tuple[int, int]]) -> Crosstable:
    """The crosstable of a leaderboard; `met` has the half points and games of pairs of entries' numbers."""

    def cell(entry: int, other: int) -> Cell | None:
        if entry == other:
            return None
        half_points, games = met.get((entry, other), (0, 0))
        return Cell(half_points / 2, games)

    order = [standing.number for standing in standings]
    return Crosstable(tuple(standings), tuple(tuple(cell(a, b) for b in order) for a in order))
