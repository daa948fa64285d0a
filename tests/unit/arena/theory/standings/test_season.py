"""The table of a season: a published championship, and what follows from the rules."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.theory.standings.season import Made, Result, Scoring, SeasonLine, season_table
from arena.theory.standings.teams import team_places

FIRST_SIX = """
Prost Berger Piquet Warwick Alboreto Nakajima
Senna Prost Piquet Boutsen Berger Nannini
Prost Berger Alboreto Warwick Palmer Patrese
Prost Senna Berger Alboreto Warwick Cheever
Senna Prost Boutsen Piquet Capelli Palmer
Senna Prost Boutsen deCesaris Palmer Martini
Prost Senna Alboreto Berger Piquet Nannini
Senna Mansell Nannini Gugelmin Piquet Warwick
Senna Prost Berger Alboreto Capelli Boutsen
Senna Prost Boutsen Berger Gugelmin Patrese
Senna Prost Capelli Piquet Warwick Cheever
Berger Alboreto Cheever Warwick Capelli Boutsen
Prost Capelli Boutsen Warwick Alboreto Senna
Prost Mansell Nannini Senna Patrese Berger
Senna Prost Boutsen Berger Nannini Patrese
Prost Senna Piquet Patrese Boutsen Capelli
"""
"""The first six of the sixteen races of the Formula One World Championship of 1988, by the FIA
(https://en.wikipedia.org/wiki/1988_Formula_One_World_Championship)."""
OF_1988 = Scoring(points=tuple(map(Fraction, (9, 6, 4, 3, 2, 1))), best=11)
CHAMPIONSHIP = (
    *(("Senna", 90), ("Prost", 87), ("Berger", 41), ("Boutsen", 27), ("Alboreto", 24), ("Piquet", 22)),
    *(("Capelli", 17), ("Warwick", 17), ("Mansell", 12), ("Nannini", 12), ("Patrese", 8), ("Cheever", 6)),
    *(("Gugelmin", 5), ("Palmer", 5), ("deCesaris", 3)),
)
"""Its table: each driver's best eleven races counted, and who had as many points was parted by countback."""


def _race(line: str) -> list[Result]:
    return [Result(driver, at, None) for at, driver in enumerate(line.split(), start=1)]


def _points(table: list[SeasonLine]) -> list[tuple[str, float]]:
    return [(line.team, float(line.points)) for line in table]


def test_the_championship_of_1988() -> None:
    """Best eleven of sixteen and countback give the published table; without them another one is champion."""
    races = [_race(line) for line in FIRST_SIX.strip().splitlines()]
    assert len(races) == 16
    table = season_table(races, OF_1988)
    assert _points(table[:15]) == [*CHAMPIONSHIP]
    assert [line.rank for line in table[:15]] == list(range(1, 16))
    assert [(line.rank, line.team) for line in table[15:]] == [(16, "Martini"), (16, "Nakajima")]
    every = season_table(races, Scoring(OF_1988.points))
    assert _points(every[:2]) == [("Prost", 105), ("Senna", 94)]


def test_what_counts_is_marked() -> None:
    """Of equal results the earlier one counts, and where a team was not there is nothing."""
    race = [[Result("a", 1, None), Result("b", 2, None)], [Result("b", 1, None)], [Result("a", 1, None)]]
    table = season_table(race, Scoring((Fraction(3), Fraction(1)), best=1))
    made = {line.team: line.made for line in table}
    assert made["a"] == (Made(1, Fraction(3), counts=True), None, Made(1, Fraction(3), counts=False))
    assert made["b"] == (Made(2, Fraction(1), counts=False), Made(1, Fraction(3), counts=True), None)


def test_who_shares_a_place_shares_the_points() -> None:
    """Two first share the points of the first two places; beyond the last that has points there are none."""
    results = [Result("a", 1, None), Result("b", 1, None), Result("c", 3, None), Result("d", 4, None)]
    table = season_table([results], Scoring((Fraction(10), Fraction(5), Fraction(2))))
    assert [(line.rank, line.team, line.points) for line in table] == [
        (1, "a", Fraction(15, 2)),
        (1, "b", Fraction(15, 2)),
        (3, "c", 2),
        (4, "d", 0),
    ]


def test_shares_are_exact_and_the_disqualified_get_nothing() -> None:
    """By share a third three times is one; who has no place has no points, and is still there."""
    third = [[Result("a", 1, Fraction(1, 3)), Result("x", None, Fraction(1))]] * 3
    table = season_table(third, Scoring(None, Fraction(1)))
    assert _points(table) == [("a", 1), ("x", 0)]
    assert season_table([], Scoring(None)) == []


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        ([], []),
        ([("a", 1), ("a", 2), ("b", 3), ("c", 3)], [("a", 1, 0), ("b", 2, 2), ("c", 2, 3)]),
        ([("a", 1), ("b", 1), ("a", 3), ("c", 4)], [("a", 1, 0), ("b", 1, 1), ("c", 3, 3)]),
        ([("a", 2), ("b", 2), ("b", 2), ("c", 2)], [("a", 1, 0), ("b", 1, 1), ("c", 1, 3)]),
    ],
)
def test_places_of_teams(lines: list[tuple[str, int]], places: list[tuple[str, int, int]]) -> None:
    """A team stands where its best bot does, its others take no place, and who is level shares one."""
    assert [tuple(each) for each in team_places(lines)] == places
