"""The tie-breaks that a table's order can be made of: their names, where their rules stand, and a default."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from arena.core.errors import AnyOf, InvalidError

FIDE = "FIDE Handbook C.07, 1 March 2026"
OTHELLO = "World Othello Championship rules, 2017"
HOUSE = "this arena"


class Source(StrEnum):
    """What a tie-break is counted from, from the cheapest on."""

    TOTALS = "totals"
    BYES = "byes"
    TIED = "tied"
    PAIRS = "pairs"
    ROUNDS = "rounds"
    RATINGS = "ratings"


class TieBreak(NamedTuple):
    """What a tie-break follows, what it is counted from, and how many of its units are one point.

    In a Swiss tournament rounds that were not played count, so all but `TOTALS` is counted from the rounds.
    """

    rules: str
    source: Source
    units: int = 1


TIE_BREAKS = {
    "points": TieBreak(HOUSE, Source.TOTALS, 2),
    "direct": TieBreak(f"{FIDE}, 6", Source.TIED, 2),
    "sonneborn_berger": TieBreak(f"{FIDE}, 9.1", Source.PAIRS, 4),
    "buchholz": TieBreak(f"{FIDE}, 8.1", Source.ROUNDS, 2),
    "buchholz_cut1": TieBreak(f"{FIDE}, 8.1 and 14.1", Source.ROUNDS, 2),
    "buchholz_cut2": TieBreak(f"{FIDE}, 8.1 and 14.2", Source.ROUNDS, 2),
    "buchholz_median": TieBreak(f"{FIDE}, 8.1 and 14.3", Source.ROUNDS, 2),
    "koya": TieBreak(f"{FIDE}, 9.2", Source.PAIRS, 2),
    "wins": TieBreak(f"{FIDE}, 7.1", Source.BYES),
    "progressive": TieBreak(f"{FIDE}, 7.5", Source.ROUNDS, 2),
    "average_rating": TieBreak(f"{FIDE}, 10.1", Source.RATINGS),
    "disc_difference": TieBreak(HOUSE, Source.TOTALS),
    "discs": TieBreak(HOUSE, Source.TOTALS),
    "brightwell": TieBreak(OTHELLO, Source.ROUNDS),
    "time": TieBreak(HOUSE, Source.TOTALS, 1_000_000_000),
    "lot": TieBreak(HOUSE, Source.TOTALS),
}

DEFAULT_ORDER = ("points", "direct", "discs", "time")

SWISS_ORDER = ("points", "buchholz_cut1", "buchholz", "sonneborn_berger", "direct", "discs", "time")
"""The default where few have met each other, and points depend on whom one met."""


NO_GROUP_TELLS = ("average_rating", "brightwell")
"""What cannot send anybody on from a group: ratings change with later games, and Othello has no groups."""


def check_order(names: Sequence[str], *, swiss: bool = False, groups: bool = False) -> tuple[str, ...]:
    """The chain of these names; the default for none.

    Raises:
        InvalidError: a name is unknown or comes twice, something comes after the lot, or a chain that decides
            in `groups` has what cannot.
    """
    if groups and (untold := [name for name in names if name in NO_GROUP_TELLS]):
        raise InvalidError("nobody goes on from a group by %(names)s; leave that out", names=AnyOf(untold))
    for place, name in enumerate(names):
        if name not in TIE_BREAKS:
            raise InvalidError(
                "there is no tie-break %(name)r; there are %(names)s",
                name=name,
                names=", ".join(TIE_BREAKS),
            )
        if name in names[:place]:
            raise InvalidError(
                "the tie-break %(name)r comes twice; the second one could separate nobody", name=name
            )
    if "lot" in names[:-1]:
        raise InvalidError("a lot leaves no ties: put it last, or leave it out")
    return tuple(names) or (SWISS_ORDER if swiss else DEFAULT_ORDER)
