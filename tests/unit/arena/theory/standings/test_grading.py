"""Grades by a scheme, counted by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from arena.theory.standings.grading import Band, Performance, Scheme, Threshold, Unit, grade, last_place

SCHEME = Scheme(
    base=Decimal(60),
    thresholds=(
        Threshold("random", Decimal("0.9"), Decimal(20)),
        Threshold("strong", Decimal("0.5"), Decimal(15)),
    ),
    bands=(Band(1, Unit.PLACES, Decimal(10)), Band(50, Unit.PERCENT, Decimal(5))),
    most=Decimal(100),
)


def _made(place: int = 3, **more: object) -> Performance:
    told = {"teams": 5, "games": 20, "against": {"random": (10, 18), "strong": (2, 1)}, **more}
    return Performance(place=place, **told)  # type: ignore[arg-type]  # of the fields' types


@pytest.mark.parametrize(
    ("made", "points", "limited"),
    [
        (_made(), 85, False),
        (_made(4), 80, False),
        (_made(1), 90, False),
        (_made(1, against={"random": (10, 20), "strong": (2, 2)}), 100, True),
        (_made(against={"random": (10, 17), "strong": (0, 0)}), 65, False),
        (_made(1, disqualified=True), 0, False),
        (_made(1, games=0), 0, False),
    ],
)
def test_grades(made: Performance, points: int, limited: bool) -> None:
    """Nine tenths of 10 games are 9 points and no half less; bands do not add up, the most is kept."""
    graded = grade(SCHEME, made)
    assert (int(graded.points), graded.limited) == (points, limited)


def test_why() -> None:
    """Every threshold is told with what was made, and the band that counted."""
    graded = grade(SCHEME, _made(1))
    assert [
        (each.threshold.bot, each.half_points, each.games, each.met, int(each.points))
        for each in graded.passed
    ] == [
        ("random", 18, 10, True, 20),
        ("strong", 1, 2, False, 0),
    ]
    assert graded.band == SCHEME.bands[0]


@pytest.mark.parametrize(
    ("percent", "teams", "last"), [(10, 5, 1), (50, 5, 3), (100, 7, 7), (33, 3, 1), (34, 3, 2)]
)
def test_a_part_of_a_team_counts_as_one(percent: int, teams: int, last: int) -> None:
    """A tenth of five teams is one team, not none."""
    assert last_place(Band(percent, Unit.PERCENT, Decimal(1)), teams) == last
