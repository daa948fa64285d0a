"""The direct encounter: who is ahead by the games that tied entrants had with each other.

FIDE Handbook C.07 as in force from 1 March 2026, article 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import lcm
from typing import NamedTuple

Met = Mapping[tuple[int, int], tuple[int, int]]
"""The half points and the games of the first of a pair against the second."""

Pair = tuple[int, int, int, int]
"""Two that have met, and the half points and the games of the first against the second."""

WIN = 2
"""The most half points of a game."""


class Encounters(NamedTuple):
    """What tied entrants made of their games with each other.

    `groups` are those that remain tied, best first. `made` has the half points of each against all the
    others, but of nobody who made more or less than another and yet is tied with it: not all had met.
    """

    groups: list[list[int]]
    made: dict[int, int]


class Score(NamedTuple):
    """The half points per game, summed over those it met, and the most it would be if it had met all.

    Both count the parts of a half point, equal for all who are tied, that make these whole numbers.
    """

    made: int
    most: int


def direct_encounter(tied: Sequence[int], met: Met) -> Encounters:
    """Who of `tied` is ahead of whom by the points per game against each other.

    Where not all have met, only those come first who would whatever the missing games brought (6.2). Those
    that are still tied are compared again, by the games among themselves alone (6.3).
    """
    numbers = sorted(tied)
    among = _among(numbers, met)
    made = dict.fromkeys(numbers, 0)
    for one, _, half_points, _ in among:
        made[one] += half_points
    groups = _separated(numbers, among)
    told = [group for group in groups if len({made[one] for one in group}) == 1]
    return Encounters(groups, {one: made[one] for group in told for one in group})


def _among(tied: list[int], met: Met) -> list[Pair]:
    """What those who are tied made against each other."""
    if len(tied) ** 2 < len(met):
        return [(*pair, *met[pair]) for pair in permutations(tied, 2) if pair in met]
    there = set(tied)
    return [(*pair, *made) for pair, made in met.items() if pair[0] in there and pair[1] in there]


def _separated(tied: list[int], among: list[Pair]) -> list[list[int]]:
    if len(tied) == 1:
        return [tied]
    scores = _scores(tied, among)
    all_met = all(score.made == score.most for score in scores.values())
    groups = _by_score(tied, scores) if all_met else _by_certainty(tied, scores)
    if len(groups) == 1:
        return groups
    place = {one: at for at, group in enumerate(groups) for one in group}
    parts: list[list[Pair]] = [[] for _ in groups]
    for pair in among:
        if place[pair[0]] == place[pair[1]]:
            parts[place[pair[0]]].append(pair)
    return [part for group, own in zip(groups, parts, strict=True) for part in _separated(group, own)]


def _scores(tied: list[int], among: list[Pair]) -> dict[int, Score]:
    whole = lcm(*{games for *_, games in among})
    made, unmet = dict.fromkeys(tied, 0), dict.fromkeys(tied, len(tied) - 1)
    for one, _, half_points, games in among:
        made[one] += half_points * (whole // games)
        unmet[one] -= 1
    return {one: Score(made[one], made[one] + WIN * whole * unmet[one]) for one in tied}


def _by_score(tied: list[int], scores: Mapping[int, Score]) -> list[list[int]]:
    levels: dict[int, list[int]] = {}
    for one in tied:
        levels.setdefault(scores[one].made, []).append(one)
    return [levels[level] for level in sorted(levels, reverse=True)]


def _by_certainty(tied: list[int], scores: Mapping[int, Score]) -> list[list[int]]:
    """Those first who are ahead even if all others won all that they did not play; the rest stays tied."""
    waiting = sorted(tied, key=lambda one: (-scores[one].made, one))
    groups = []
    while len(waiting) > 1:
        best, *others = waiting
        if scores[best].made <= max(scores[one].most for one in others):
            break
        groups.append([best])
        waiting = others
    return [*groups, sorted(waiting)]
