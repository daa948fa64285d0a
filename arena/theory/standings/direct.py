"""The direct encounter: who is ahead by the games that tied entrants had with each other.

FIDE Handbook C.07 as in force from 1 March 2026, article 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

Met = Mapping[tuple[int, int], tuple[int, int]]
"""The half points and the games of the first of a pair against the second."""

WIN = 2
"""The most half points of a game."""


class Encounters(NamedTuple):
    """What tied entrants made of their games with each other.

    `groups` are those that remain tied, best first. `made` has the half points of each against all the
    others, but of nobody who made more or less than another and yet is tied with it: not all had met.
    """

    groups: list[list[int]]
    made: dict[int, int]


def direct_encounter(tied: Sequence[int], met: Met) -> Encounters:
    """Who of `tied` is ahead of whom by the points per game against each other.

    Where not all have met, only those come first who would whatever the missing games brought (6.2). Those
    that are still tied are compared again, by the games among themselves alone (6.3).
    """
    numbers = sorted(tied)
    made = {
        one: sum(met.get((one, other), (0, 0))[0] for other in numbers if other != one) for one in numbers
    }
    groups = _separated(numbers, met)
    told = [group for group in groups if len({made[one] for one in group}) == 1]
    return Encounters(groups, {one: made[one] for group in told for one in group})


def _separated(tied: list[int], met: Met) -> list[list[int]]:
    scores = {one: _score(one, tied, met) for one in tied}
    all_met = all(missing == 0 for _, missing in scores.values())
    groups = _by_score(tied, scores) if all_met else _by_certainty(tied, scores)
    if len(groups) == 1:
        return groups
    return [part for group in groups for part in _separated(group, met)]


def _score(one: int, tied: list[int], met: Met) -> tuple[Fraction, int]:
    """The half points per game, summed over those it met, and how many it did not meet."""
    total, missing = Fraction(0), 0
    for other in tied:
        half_points, games = met.get((one, other), (0, 0))
        if games:
            total += Fraction(half_points, games)
        elif other != one:
            missing += 1
    return total, missing


def _by_score(tied: list[int], scores: Mapping[int, tuple[Fraction, int]]) -> list[list[int]]:
    levels = sorted({scores[one][0] for one in tied}, reverse=True)
    return [[one for one in tied if scores[one][0] == level] for level in levels]


def _by_certainty(tied: list[int], scores: Mapping[int, tuple[Fraction, int]]) -> list[list[int]]:
    """Those first who are ahead even if all others won all that they did not play; the rest stays tied."""
    waiting = sorted(tied, key=lambda one: (-scores[one][0], one))
    groups = []
    while len(waiting) > 1:
        best, *others = waiting
        if scores[best][0] <= max(scores[one][0] + WIN * scores[one][1] for one in others):
            break
        groups.append([best])
        waiting = others
    return [*groups, sorted(waiting)]
