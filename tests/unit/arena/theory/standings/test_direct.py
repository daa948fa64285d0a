"""The direct encounter."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import pytest

from arena.theory.standings.direct import direct_encounter
from tests.unit.arena.theory.standings.published import ROUND_ROBIN, SWISS_OF_5, SWISS_OF_9, Games, field

AFTER_9 = {3: 1, 6: 2, 1: 3, 4: 3, 2: 5, 7: 6, 8: 6, 16: 6, 5: 9, 10: 9, 14: 9, 15: 9, 11: 13, 9: 14}
AFTER_9 |= {12: 14, 13: 16}


@pytest.mark.parametrize(
    ("games", "swiss", "expected"),
    [
        (SWISS_OF_5, True, dict.fromkeys((1, 3, 4, 16), 2) | dict.fromkeys((5, 8, 11), 7)),
        (SWISS_OF_9, True, AFTER_9),
        (ROUND_ROBIN, False, {1: 1, 2: 2, 3: 2, 6: 4, 5: 5, 4: 6}),
    ],
)
def test_fides_exercises_in_direct_encounters(games: Games, swiss: bool, expected: dict[int, int]) -> None:
    """The ranks by points and direct encounters in Held's exercises 23 to 26."""
    found = field(games, swiss=swiss)
    ranks: dict[int, int] = {}
    for points in sorted(set(found.half_points.values()), reverse=True):
        tied = [number for number, made in found.half_points.items() if made == points]
        for group in direct_encounter(tied, found.met()).groups:
            ranks |= dict.fromkeys(group, len(ranks) + 1)
    assert {number: ranks[number] for number in expected} == expected


def _met(*games: tuple[int, int, int]) -> dict[tuple[int, int], tuple[int, int]]:
    """What both of each pair made in one game."""
    found = {}
    for one, other, made in games:
        found[one, other], found[other, one] = (made, 1), (2 - made, 1)
    return found


def test_those_still_tied_are_compared_by_their_own_games() -> None:
    """Three behind a fourth have equal points among all four; among themselves 2 is ahead of 3."""
    met = _met((1, 2, 2), (1, 3, 2), (1, 4, 0), (2, 3, 2), (2, 4, 0), (3, 4, 2))
    found = direct_encounter([4, 3, 2, 1], met)
    assert found.made == {1: 4, 2: 2, 3: 2, 4: 4}
    assert found.groups == [[4], [1], [2], [3]]


def test_who_may_still_be_overtaken_is_not_ahead() -> None:
    """1 beat 2, and 3 met nobody: 3 could have won twice. With 3 beaten by 1, 1 is ahead whatever comes."""
    assert direct_encounter([1, 2, 3], _met((1, 2, 2))).groups == [[1, 2, 3]]
    met = _met((1, 2, 2), (1, 3, 2))
    assert direct_encounter([1, 2, 3], met).groups == [[1], [2, 3]]


def test_who_met_more_of_the_tied_is_not_ahead_for_that() -> None:
    """1 made two points of three games against others, 3 one of one, as on a ladder: nobody is ahead."""
    met = _met((1, 2, 2), (3, 1, 2), (2, 4, 2), (1, 4, 2))
    assert direct_encounter([1, 2, 3, 4], met).groups == [[1, 2, 3, 4]]


def test_several_games_with_one_opponent_count_by_their_mean() -> None:
    """One win against one opponent is more than a win and a loss against another."""
    met = {(1, 2): (2, 2), (2, 1): (2, 2), (1, 3): (2, 1), (3, 1): (0, 1), (2, 3): (0, 1), (3, 2): (2, 1)}
    assert direct_encounter([1, 2, 3], met).groups == [[1], [3], [2]]


def test_points_that_decide_nothing_are_not_told() -> None:
    """Where not all have met, a number on the table must not contradict the order."""
    met = _met((1, 2, 2))
    assert direct_encounter([1, 2, 3], met).made == {}
    assert direct_encounter([1, 2], met).made == {1: 2, 2: 0}


def _by_fractions(tied: list[int], met: Mapping[tuple[int, int], tuple[int, int]]) -> list[list[int]]:
    """The groups as article 6 tells them, with the points per game as fractions."""
    made, most = dict[int, Fraction](), dict[int, Fraction]()
    for one in tied:
        games = [met[one, other] for other in tied if (one, other) in met]
        made[one] = sum((Fraction(*each) for each in games), Fraction(0))
        most[one] = made[one] + 2 * (len(tied) - 1 - len(games))
    if made == most:
        groups = [
            [one for one in tied if made[one] == score] for score in sorted({*made.values()}, reverse=True)
        ]
    else:
        rest, groups = sorted(tied, key=lambda one: -made[one]), []
        while len(rest) > 1 and all(made[rest[0]] > most[other] for other in rest[1:]):
            groups.append([rest.pop(0)])
        groups.append(sorted(rest))
    return groups if len(groups) == 1 else [part for each in groups for part in _by_fractions(each, met)]


@pytest.mark.parametrize("known", [0.5, 0.9, 1.0])
def test_whole_numbers_order_as_fractions_do(known: float) -> None:
    """Whoever met whom how often: the groups are those of exact points per game."""
    draw = random.Random(known)
    for _ in range(300):
        tied = sorted(draw.sample(range(1, 20), draw.randint(1, 7)))
        met = {}
        for one, other in combinations(tied, 2):
            if draw.random() < known:
                games = draw.randint(1, 4)
                half_points = draw.randint(0, 2 * games)
                met[one, other], met[other, one] = (half_points, games), (2 * games - half_points, games)
        beside = {(one + 50, other + 50): made for (one, other), made in met.items()}
        expected = _by_fractions(tied, met)
        assert direct_encounter(tied, met).groups == expected
        assert direct_encounter(tied, {**beside, **met, (99, tied[0]): (2, 1)}).groups == expected
